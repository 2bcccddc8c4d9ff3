"""One game at one table, from the deal to the end, whatever the bots do. No network, no clock: time is passed in.

The driver (in-process, or the gRPC edge) sends what `TableRun.ask` says, and reports answers, silence and deaths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mtref import VERSION
from mtref.match.clock import Clock
from mtref.match.fault import FaultKind, Treatment
from mtref.match.hearing import Hearing
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.question import Ask, as_decision_file, fresh_id
from mtref.match.seat import Seat
from mtref.match.standing import places_of
from mtref.match.times import Times
from mtref.replay.records import BotInfo, By, LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref.rules import fairdeal
from mtref.rules.game import Game
from mtref.rules.native import mypyc_attr
from mtref_sdk.errors import IllegalMoveError, InvalidMoveError
from mtref_sdk.events import RoundStarted
from mtref_sdk.moves import Move

__all__ = ["SENT_LIMIT", "FaultListener", "StepSink", "TableMaker", "TableRun"]

SENT_LIMIT = 100
"""Bytes that the log keeps of the message that was a fault."""


StepSink = Callable[[Sequence[Record]], object]
"""Takes what happened in one step of a game, in order, before anybody is waited for. It must not keep the sequence itself."""

FaultListener = Callable[[int, FaultKind, str, int], None]
"""Hears of a fault: seat, kind, message, and the id of the decision it is about (0 for none)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TableRun:
    """A game being played.

    Attributes: ``planned``, ``game``, ``seats`` (`Seat` by number), ``hearing``, ``ask`` (the decision somebody has to make now,
    or None), ``finished``, ``forfeits`` (how many seats have), ``times`` (of each seat, once finished), ``on_fault`` (hears of
    each fault, before the default move is made), ``delay`` (tells how late the referee was during this game, for the log). After
    `start`, and after every report, look at ``ask``; while ``ask`` is None and the game is not finished (only default moves were
    left to make and they were many), call `advance`.
    """

    def __init__(
        self, planned: PlannedGame, options: MatchOptions, bots: Sequence[BotInfo], sink: StepSink
    ) -> None:
        self.planned, self.options = planned, options
        self.bots = tuple(bots)
        rules, seed = options.rules, planned.deal_seed
        count = len(bots)
        self.first_starter = fairdeal.first_starter(seed, count)
        deck: Callable[[int], Sequence[int]] = partial(self._deck, rules.tile_set)
        self._records: list[Record] = []
        self._note: Callable[[Record], None] = self._records.append
        self.game = Game(rules, count, deck, self.first_starter, self._note)
        self.hearing = Hearing(count)
        self.seats = [Seat(n, Clock.full(options.clock), options.policy, self.hearing) for n in range(count)]
        self.ask: Ask | None = None
        self.finished = False
        self.forfeits = 0
        self.times: list[Times] = []
        self.on_fault: FaultListener = _unheard
        self.delay: Callable[[], Times | None] = _untold
        self._sink = sink

    def private_seed(self, seat: int) -> bytes:
        """The 32 bytes the bot on `seat` may draw its randomness from."""
        return fairdeal.private_seed(self.planned.deal_seed, seat)

    def start(self) -> None:
        """Write the header and deal. The commitment must have reached every bot before."""
        self._note(self._header())
        self.game.start()
        self.advance()

    def answer(self, code: int, elapsed_ms: float, sent: bytes | None = None) -> None:
        """The bot that was asked chose the move with this code after so many ms. Whatever it is, the game goes on.

        `sent` is the message with which it said so, for the log; None if it was no message.
        """
        sent = b"%d" % code if sent is None else sent
        ask = self._asked()
        seat = self.seats[ask.seat]
        if not seat.clock.in_time(elapsed_ms):
            self.fail(ask.seat, FaultKind.TIMEOUT, f"answered after {elapsed_ms:.0f} ms", elapsed_ms, sent)
            return
        bank_ms = seat.clock.bank_ms
        try:
            if code not in ask.legal:
                self._check(ask, code)
        except InvalidMoveError as error:
            self.fail(ask.seat, FaultKind.MALFORMED_REPLY, str(error), elapsed_ms, sent)
        except IllegalMoveError as error:
            self.fail(ask.seat, FaultKind.ILLEGAL_MOVE, str(error), elapsed_ms, sent)
        else:
            seat.charge(elapsed_ms)
            self._play(code, "bot", elapsed_ms, bank_ms)
            self.advance()

    def fail(
        self,
        number: int,
        kind: FaultKind,
        message: str,
        elapsed_ms: float | None = None,
        sent: bytes | None = None,
    ) -> Treatment:
        """A bot failed; `message` says how, `elapsed_ms` what is charged if it was asked, `sent` what it sent.

        A fault that costs more than being counted, or after which no answer to the decision at hand can come, also answers
        that: with the default move, the first legal one. A seat that has forfeited has no more faults.
        """
        seat = self.seats[number]
        if self.finished or seat.forfeited:
            return Treatment.COUNTED
        treatment = seat.blame(kind)
        self.forfeits += treatment is Treatment.FORFEIT
        asked = self.ask is not None and self.ask.seat == number
        settles = treatment is not Treatment.COUNTED or kind not in _ANSWER_MAY_COME
        self._note(
            LogFault(
                number,
                kind.value,
                message,
                _DONE[Treatment.STRIKE if settles and treatment is Treatment.COUNTED else treatment],
                None if sent is None else f"{len(sent)} bytes: {sent[:SENT_LIMIT]!r}",
                self._asked_decision(seat, treatment),
            )
        )
        self.on_fault(number, kind, message, self.ask.id if self.ask is not None and asked else 0)
        if settles and self.ask is not None and asked:
            bank_ms = seat.clock.bank_ms
            if elapsed_ms is not None:
                seat.charge(elapsed_ms)
            self._play(self.ask.legal[0], "default", elapsed_ms, bank_ms)
            self.advance()
        else:
            self._publish()
        return treatment

    def advance(self, steps: int = 64) -> None:
        """Make the moves that nobody is asked for, at most `steps` of them, until somebody must be asked."""
        game = self.game
        while self.ask is None and not self.finished and steps:
            if game.over:
                self._finish()
                return
            seat = self.seats[game.state.turn]
            if seat.forfeited:
                self._play(game.legal[0], "default", None, None)
            elif self.options.skip_forced and len(game.legal) == 1 and not game.may_lift:
                self._play(game.legal[0], "forced", None, None)
            else:
                self.ask = self._question(seat)
                return
            steps -= 1
        self._publish()

    def reveal_seed(self) -> None:
        """Append the deal's seed to the log. Only when every game of the deal is over."""
        self._note(SeedRevealed(self.planned.deal_seed))
        self._publish()

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat; forfeiters share the last one, the others are placed among themselves."""
        return places_of(self.game.totals, [seat.forfeited for seat in self.seats])

    def _header(self) -> LogHeader:
        planned, options = self.planned, self.options
        return LogHeader(
            game=planned.game,
            deal=planned.deal,
            rules=options.rules.to_mapping(),
            seats=len(self.seats),
            first_starter=self.first_starter,
            bots=self.bots,
            seeded=options.seed is not None,
            commitment=planned.commitment,
            clock=options.clock.to_dict(),
            mtref=VERSION,
            sandbox=None if options.isolation is None else str(options.isolation["line"]),
        )

    def _question(self, seat: Seat) -> Ask:
        """What `seat` is asked now. All that has happened is told before."""
        self._publish()
        clock = seat.clock
        timed = clock.settings.enabled
        seat.decisions += 1
        seat.asked = ask = Ask(
            fresh_id(),
            seat.number,
            tuple(self.game.legal),
            tuple(self.game.may_lift),
            clock.settings.move_ms if timed else None,
            clock.bank_ms if timed else None,
        )
        return ask

    def _asked_decision(self, seat: Seat, treatment: Treatment) -> dict[str, object] | None:
        """What a bot is being asked, or was last, with all it was told by then, as the object of a decision file.

        For faults that cost nothing only once a decision: a bot may make many of them.
        """
        ask = seat.asked
        heard = seat.heard(until=None if ask is self.ask else seat.told)
        if ask is None or not heard or (treatment is Treatment.COUNTED and seat.shown is ask):
            return None
        seat.shown = ask
        return as_decision_file(ask, self.planned.game, self.options.rules, len(self.seats), heard)

    def _asked(self) -> Ask:
        if self.ask is None:
            raise RuntimeError("nobody was asked")
        return self.ask

    def _check(self, ask: Ask, code: int) -> None:
        """Of no plain legal move: raises InvalidMoveError when it is no move's, IllegalMoveError when it may not be played now."""
        if not code & 1 or code ^ 1 not in ask.may_lift:
            Move.from_code(code)
            self.game.play(code)
            raise RuntimeError("a move that was not offered was accepted")

    def _play(self, code: int, by: By, ms: float | None, bank_ms: float | None) -> None:
        game, ask = self.game, self.ask
        self.ask = None
        legal = tuple(game.legal) if ask is None else ask.legal
        may_lift = tuple(game.may_lift) if ask is None else ask.may_lift
        self._note(LogDecision(game.state.turn, legal, may_lift, code, by, ms, bank_ms))
        game.play(code)

    def _finish(self) -> None:
        self.finished = True
        counts = tuple(seat.fault_counts() for seat in self.seats)
        scores = tuple(self.game.round_scores)
        self.times = [Times.of(seat.times_ms) for seat in self.seats]
        delay = self.delay()
        self._note(
            LogEnd(
                self.game.totals,
                scores,
                self.places,
                counts,
                times_ms=tuple([times.to_dict() for times in self.times]),
                delay_ms=None if delay is None else delay.to_dict(),
            )
        )
        self._publish()

    def _deck(self, tile_set: int, round_number: int) -> list[int]:
        return fairdeal.deck(self.planned.deal_seed, self.planned.deal, round_number, tile_set)

    def _publish(self) -> None:
        """Hand on what happened since the last time, and tell every seat what it may know of it."""
        records = self._records
        if not records:
            return
        self._sink(records)
        self.hearing.add_all(records)
        if self.options.clock.increment_ms:
            for record in records:
                if isinstance(record, RoundStarted) and record.round > 1:
                    for seat in self.seats:
                        seat.clock = seat.clock.next_round()
        records.clear()


def _unheard(_seat: int, _kind: FaultKind, _message: str, _decision: int) -> None:
    """Nobody wants to hear of faults."""


def _untold() -> Times | None:
    """Nobody knows how late the referee was."""
    return None


TableMaker = Callable[[PlannedGame, MatchOptions, Sequence[BotInfo], StepSink], TableRun]
"""Makes the table of a game, as `TableRun` itself does."""

_ANSWER_MAY_COME = frozenset([FaultKind.STALE_REPLY, FaultKind.DISCONNECT])
"""Faults that leave the decision at hand open, if they are only counted."""

_DONE = {
    Treatment.COUNTED: "counted",
    Treatment.STRIKE: "default_move",
    Treatment.FORFEIT: "forfeit",
}

"""A recorded game told again to one seat: what its bot heard and was asked, in order. No bot, no network, no clock."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mtref.explain import Inquiry
from mtref.match.clock import Clock, ClockSettings
from mtref.match.fault import FaultKind
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.question import Ask
from mtref.match.table import TableRun
from mtref.replay.moment import fits, rules_of
from mtref.replay.position import position_after
from mtref.replay.reader import LogError, LogLine, LogReader
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, SeedRevealed
from mtref.rules import fairdeal
from mtref_sdk.errors import ConfigError
from mtref_sdk.events import Event, RoundStarted

__all__ = ["Question", "Retelling", "Told", "clock_of", "is_seed_of", "was_asked"]

_NO_CLOCK: Final = ClockSettings(enabled=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A decision of the seat. ``made`` is what the log has, in its line ``line``; None for the one at which it breaks off."""

    line: int
    ask: Ask
    made: LogDecision | None


@dataclass(frozen=True, slots=True)
class Told:
    """What the bot was told in one go: faults of its own (decision id, kind, text), what happened, and then

    a question, or that the game is ``over`` for it, or nothing more. What happened is with the seat of the table.
    """

    faults: tuple[tuple[int, FaultKind, str], ...] = ()
    question: Question | None = None
    over: bool = False


def was_asked(made: LogDecision) -> bool:
    """Whether a bot was asked for this decision, whoever made it in the end."""
    return made.by == "bot" or made.bank_ms is not None


def clock_of(header: LogHeader) -> ClockSettings:
    """The clock of a recorded game."""
    if header.clock is None:
        return _NO_CLOCK
    usual = ClockSettings()
    move, bank, increment, margin = (
        header.clock.get(name) for name in ("move_ms", "bank_ms", "increment_ms", "margin_ms")
    )
    return ClockSettings(
        move_ms=usual.move_ms if move is None else move,
        bank_ms=usual.bank_ms if bank is None else bank,
        increment_ms=usual.increment_ms if increment is None else increment,
        margin_ms=usual.margin_ms if margin is None else margin,
    )


def is_seed_of(header: LogHeader, seed: bytes) -> bool:
    """Whether this is the seed of the deal that was played."""
    return fairdeal.commitment(seed, header.deal) == header.commitment


class Retelling:
    """The game in a log just opened, as its seat `seat` heard it.

    ``table`` is what a link wants to know of a table: who sits where, the rules, the clock of that game, and with the seat what
    it has not been told yet. It is wound on by `told`; no time runs at it. ``out`` is the question that is out. ``revealed``
    tells whether the deal's seed is known: from the log, or as `seed`, which counts only if it is the one committed to.
    Without it the bot is given another private seed than it had, the same every time.
    Decision ids are random in a real game and do not stand in the log: here they follow from game and line. Raises LogError.
    """

    def __init__(self, reader: LogReader, seat: int, seed: bytes | None = None) -> None:
        self.seat, self.header = seat, reader.header
        self.out: Question | None = None
        self.path = reader.path
        self._reader, self._seed = reader, seed
        self._lines = [reader.first, *reader]
        seeds = [line.record.seed for line in self._lines[-1:] if isinstance(line.record, SeedRevealed)]
        if not seeds and seed is not None and is_seed_of(self.header, seed):
            seeds = [seed]
        self.revealed = bool(seeds)
        self._clock = clock_of(self.header)
        options = MatchOptions(rules_of(reader), clock=self._clock)
        planned = PlannedGame(
            number=1,
            deal=self.header.deal,
            game=self.header.game,
            deal_seed=seeds[0] if seeds else bytes(32),
            commitment=self.header.commitment,
            bots=tuple(range(self.header.seats)),
        )
        try:
            self.table = TableRun(planned, options, self.header.bots, lambda _: None)
        except ConfigError as error:
            raise reader.error(1, f"rules: {error}") from error
        for player in self.table.seats:
            player.clock = Clock.full(_NO_CLOCK)

    def again(self) -> Retelling:
        """The same from the beginning."""
        with LogReader(self.path) as reader:
            return Retelling(reader, self.seat, self._seed)

    def told(self) -> Iterator[Told]:
        """Everything the seat was told, in order; once only. While a question is out it is the table's ``ask``. Raises LogError."""
        faults: list[tuple[int, FaultKind, str]] = []
        during: list[LogFault] = []
        clock = Clock.full(self._clock)
        for line in self._lines:
            record = line.record
            if isinstance(record, Event):
                if not fits(record, self.header.seats):
                    raise self._reader.error(line.number, "this cannot happen after the lines before it")
                self.table.hearing.add(record)
                if isinstance(record, RoundStarted) and record.round > 1:
                    clock = clock.next_round()
            elif isinstance(record, LogFault):
                during.append(record)
            elif isinstance(record, LogDecision):
                asked = 0
                if was_asked(record) and record.seat == self.seat:
                    question = self._question(line.number, record, record.bank_ms)
                    yield self._out(faults, question)
                    asked = question.ask.id
                    clock = Clock(self._clock, record.bank_ms or 0.0).after(record.ms or 0.0)
                elif was_asked(record) and faults:
                    yield self._out(faults)
                faults += self._own(during, asked)
                during = []
                if faults and not asked and was_asked(record):
                    yield self._out(faults)  # it was told of them while another was choosing
                if self._forfeit():
                    yield self._out(faults, over=True)
                    return
            elif isinstance(record, LogEnd):
                self._end(record)
                yield self._out(faults, over=True)
                return
        pending = self._pending(clock.bank_ms)
        if pending is not None:
            yield self._out(faults, pending)

    def question_at(self, number: int) -> Question:
        """The first question in line `number` or later, with the table as it was then. Raises LogError when there is none."""
        last = None
        for told in self.told():
            last = told.question or last
            if last is not None and last.line >= number:
                return last
        raise self.none_at(number, last)

    def none_at(self, number: int, last: Question | None) -> LogError:
        """The error that there is no question in line `number` or later, `last` being the last of all."""
        after = "" if last is None else f"; the last is in line {last.line}"
        return self._reader.error(number, f"seat {self.seat} has no decision in this line or later{after}")

    def _out(
        self,
        faults: list[tuple[int, FaultKind, str]],
        question: Question | None = None,
        *,
        over: bool = False,
    ) -> Told:
        told = Told(tuple(faults), question, over)
        faults.clear()
        self.table.ask = None if question is None else question.ask
        self.out = question
        return told

    def _own(self, faults: Sequence[LogFault], asked: int) -> Iterator[tuple[int, FaultKind, str]]:
        """The faults of the seat among these, as it is told of them; a forfeit is noted at the table."""
        for fault in faults:
            if fault.seat < len(self.table.seats):
                self.table.seats[fault.seat].forfeited |= fault.done == "forfeit"
            if fault.seat == self.seat and fault.kind in {kind.value for kind in FaultKind}:
                yield asked, FaultKind(fault.kind), fault.message

    def _forfeit(self) -> bool:
        return self.table.seats[self.seat].forfeited

    def _end(self, record: LogEnd) -> None:
        self.table.finished = True
        self.table.game.totals = record.totals

    def _question(self, line: int, made: LogDecision, bank_ms: float | None) -> Question:
        seed = hashlib.sha256(f"{self.header.game} {line}".encode()).digest()
        timed = self._clock.enabled
        ask = Ask(
            id=int.from_bytes(seed[:8], "big"),
            seat=made.seat,
            legal=made.legal,
            may_lift=made.may_lift,
            move_ms=self._clock.move_ms if timed else None,
            bank_ms=bank_ms if timed else None,
        )
        return Question(line, ask, made)

    def _pending(self, bank_ms: float) -> Question | None:
        """The question that was out when the log breaks off, if it was this seat's."""
        last: LogLine = self._lines[-1]
        if isinstance(last.record, LogDecision | LogHeader):
            return None
        try:
            with LogReader(self._reader.path) as again:
                inquiry = Inquiry(position_after(again, last.number)[1])
        except LogError:
            return None
        if inquiry.state.turn != self.seat or not inquiry.legal:
            return None
        likely = LogDecision(self.seat, tuple(inquiry.legal), tuple(inquiry.may_lift), inquiry.legal[0])
        question = self._question(last.number + 1, likely, bank_ms)
        return Question(question.line, question.ask, None)

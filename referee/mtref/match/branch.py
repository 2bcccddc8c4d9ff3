"""A game that is played on from a moment of another one: what is taken from that log, and the table it is played at."""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.question import Ask
from mtref.match.retelling import is_seed_of, was_asked
from mtref.match.seat import Seat
from mtref.match.table import StepSink, TableRun
from mtref.replay.dealcheck import read_deal
from mtref.replay.encode import move_text
from mtref.replay.moment import rules_of
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import (
    BotInfo,
    By,
    LogDecision,
    LogHeader,
    Origin,
    PositionOrigin,
    SeedRevealed,
)
from mtref.rules import fairdeal
from mtref.rules.game import Game
from mtref_sdk.errors import ConfigError, IllegalMoveError
from mtref_sdk.events import BoneyardStacked, RoundStarted
from mtref_sdk.moves import Move
from mtref_sdk.ruleset import RuleSet

__all__ = ["BranchRun", "Trunk", "read_trunk"]


@dataclass(frozen=True, slots=True)
class Trunk:
    """What a branch has in common with its origin: the header, and the decisions in order, the last with the branch's move.

    ``asked`` tells whether a bot was asked for that one. ``seed`` is the deal's seed if it is known; ``decks`` are else the
    rounds that the log has tiles of, by number.
    """

    header: LogHeader
    rules: RuleSet
    origin: Origin
    decisions: tuple[LogDecision, ...]
    asked: bool
    seed: bytes | None
    decks: Mapping[int, Sequence[int]]

    def planned(self, fresh_seed: bytes | None = None, players: Sequence[str] = ()) -> PlannedGame:
        """The game to be played: the same deal under an id of its own, which follows from the origin, the move, who plays on, and
        the seed of what is dealt afresh.

        `fresh_seed` deals the rounds of which the log tells nothing; None for one that nobody knows. `players` says by seat what
        each bot is.
        """
        seed = self.seed or fresh_seed or secrets.token_bytes(fairdeal.SEED_BYTES)
        dealt = [] if self.seed else [fairdeal.commitment(seed, self.header.deal).hex()]
        parts = self.origin.game, str(self.origin.line), move_text(self.origin.move), *players, *dealt
        game = hashlib.sha256("\0".join(("mtref/branch/v1", *parts)).encode()).hexdigest()[:16]
        return PlannedGame(
            number=1,
            deal=self.header.deal,
            game=game,
            deal_seed=seed,
            commitment=self.header.commitment,
            bots=tuple(range(self.header.seats)),
        )

    def deck(self, otherwise: Callable[[int], Sequence[int]], number: int) -> Sequence[int]:
        """The tiles of a round in the order of the deal."""
        return self.decks[number] if number in self.decks else otherwise(number)


def read_trunk(reader: LogReader, at: int, move: Move, known: bytes | None = None) -> Trunk:
    """The game in a log just opened up to its first decision in line `at` or later, with `move` made there.

    `known` may be the deal's seed where the log does not hold it; it counts only if it is the one committed to.
    Raises IllegalMoveError when that is not allowed, and LogError when there is no such decision or the log does not agree with the
    rules up to there.
    """
    rules, header = rules_of(reader), reader.header
    if isinstance(header.origin, PositionOrigin):
        raise reader.error(
            1, "this game began with a position; write the one in line N down, with replay --at N --position"
        )
    lines = [reader.first, *reader]
    seed = next((line.record.seed for line in lines[-1:] if isinstance(line.record, SeedRevealed)), None)
    if seed is None and known is not None and is_seed_of(header, known):
        seed = known
    if seed is not None and not is_seed_of(header, seed):
        raise reader.error(lines[-1].number, "the seed is not the one committed to in line 1")
    last = lines[-1].number
    if at > last:
        raise reader.error(at, f"there is no such line; the last one is {last}")
    decisions = [line for line in lines if isinstance(line.record, LogDecision)]
    before = [line for line in decisions if line.number < at]
    following = next((line for line in decisions if line.number >= at), None)
    number = last + 1 if following is None else following.number
    decks = _decks(reader, lines) if seed is None else {}
    first_unknown = 1 + max(decks, default=0)
    trunk = Trunk(
        header=header,
        rules=rules,
        origin=Origin(
            game=header.game,
            digest=_digest(lines[: number - 1]),
            line=number,
            move=move.code,
            fresh_from=first_unknown if seed is None and first_unknown <= rules.rounds else None,
        ),
        decisions=(),
        asked=following is None or was_asked(_decision(following)),
        seed=seed,
        decks=decks,
    )
    made = _made(reader, trunk, before, following, move)
    return replace(trunk, decisions=tuple([_decision(line) for line in before] + [made]))


def _made(
    reader: LogReader, trunk: Trunk, before: Sequence[LogLine], following: LogLine | None, move: Move
) -> LogDecision:
    """The decision with the branch's move, after all that went before has been played again."""
    dealt = partial(_dealt, trunk)
    try:
        game = Game(trunk.rules, trunk.header.seats, partial(trunk.deck, dealt), trunk.header.first_starter)
    except ConfigError as error:
        raise reader.error(1, f"rules: {error}") from error
    game.start()
    for line in [*before, *([following] if following else [])]:
        made = _decision(line)
        if game.over or (game.turn, tuple(game.legal)) != (made.seat, made.legal):
            raise reader.error(line.number, "the rules do not lead to this decision; mtref verify tells more")
        if line is not following:
            try:
                game.play(made.move)
            except IllegalMoveError as error:
                raise reader.error(line.number, str(error)) from error
    if game.over:
        raise reader.error(trunk.origin.line - 1, "there is no decision in this line or later")
    turn, legal, may_lift = game.turn, tuple(game.legal), tuple(game.may_lift)
    game.play(move.code)
    return LogDecision(turn, legal, may_lift, move.code, "branch")


def _dealt(trunk: Trunk, number: int) -> Sequence[int]:
    seed = trunk.seed or bytes(fairdeal.SEED_BYTES)  # zeros: dealt after the branch's move, and not looked at
    return fairdeal.deck(seed, trunk.header.deal, number, trunk.rules.tile_set)


def _decision(line: LogLine) -> LogDecision:
    assert isinstance(line.record, LogDecision)
    return line.record


def _digest(lines: Sequence[LogLine]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.data)
    return digest.hexdigest()


def _decks(reader: LogReader, lines: Sequence[LogLine]) -> dict[int, Sequence[int]]:
    """By number, the tiles of each round whose whole deal is in the log."""
    decks: dict[int, Sequence[int]] = {}
    for place, line in enumerate(lines):
        if isinstance(line.record, RoundStarted):
            deal = lines[place : place + reader.header.seats + 2]
            if isinstance(deal[-1].record, BoneyardStacked):
                decks[line.record.round] = read_deal(reader, line.record.round, deal, line.number).deck
    return decks


class BranchRun(TableRun):
    """A table at which a game is first played as in its origin, up to the branch's move, and then by the bots.

    Until then every bot is asked what it was asked there, so that it is afterwards what it was, and the move in the log is made
    whatever it answers. Its clock is not charged for that, but an answer must come, and in time. Nobody has strikes from the origin.
    """

    def __init__(
        self,
        trunk: Trunk,
        planned: PlannedGame,
        options: MatchOptions,
        bots: Sequence[BotInfo],
        sink: StepSink,
    ) -> None:
        super().__init__(planned, options, bots, sink)
        self._trunk = trunk
        self._to_come = deque(trunk.decisions)
        self.first_starter = trunk.header.first_starter
        deck = partial(trunk.deck, partial(self._deck, options.rules.tile_set))
        self.game = Game(options.rules, len(bots), deck, self.first_starter, self._note)

    def answer(self, code: int, elapsed_ms: float, sent: bytes | None = None) -> None:
        """See `TableRun`. Up to the branch's move an answer changes nothing, not even when it is wrong."""
        if not self._to_come:
            super().answer(code, elapsed_ms, sent)
            return
        self._play(code, "bot", None, self.seats[self._asked().seat].clock.bank_ms)
        self.advance()

    def advance(self, steps: int = 64) -> None:
        """See `TableRun`."""
        while self._to_come and self.ask is None:
            made, seat = self._to_come[0], self.seats[self.game.turn]
            asked = was_asked(made) if len(self._to_come) > 1 else self._trunk.asked
            if asked and not seat.forfeited:
                self.ask = self._question(seat)
            else:
                self._play(made.move, made.by, None, None)
        if not self._to_come:
            super().advance(steps)

    def _header(self) -> LogHeader:
        return replace(super()._header(), seeded=self._trunk.header.seeded, origin=self._trunk.origin)

    def _question(self, seat: Seat) -> Ask:
        ask = super()._question(seat)
        if self._to_come:
            seat.decisions -= 1
        return ask

    def _play(self, code: int, by: By, ms: float | None, bank_ms: float | None) -> None:
        if self._to_come:
            made = self._to_come.popleft()
            code, by = made.move, made.by
        super()._play(code, by, ms, bank_ms)

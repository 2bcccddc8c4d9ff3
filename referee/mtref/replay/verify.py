"""Checking a log: play every move again through the rules and compare all that the log says with what happens.

Nothing here trusts the log: its bytes, its deal, its events, its decisions and its results are each checked.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, fields
from os import PathLike
from typing import Any

from mtref.match.standing import places_of
from mtref.position import PlacedGame, position_from_mapping
from mtref.replay.dealcheck import LoggedDeal, check_seed, read_deal
from mtref.replay.encode import compact, record_to_dict
from mtref.replay.reader import LogError, LogLine, LogReader
from mtref.replay.records import LogDecision, LogEnd, LogFault, PositionOrigin, Record, SeedRevealed
from mtref.rules.game import Game
from mtref.text import escape
from mtref_sdk.errors import ConfigError, IllegalMoveError
from mtref_sdk.events import Event
from mtref_sdk.ruleset import RuleSet

__all__ = ["Verified", "verify_log"]


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found in a log that agrees with the rules and with itself."""

    game: str
    rounds: int
    decisions: int
    game_digest: str
    seed_revealed: bool  # otherwise the deal could not be checked against the commitment


def verify_log(path: str | PathLike[str]) -> Verified:
    """Check the whole log at `path`. Raises LogError, which names the first line that is wrong; ReplayError if unreadable.

    A log that breaks off is wrong in the line that is missing. Needs memory for the deals, not for the game.
    """
    with LogReader(path) as reader:
        check = _Check(reader)
        try:
            return check.run()
        except LogError as error:
            raise check.explained(error) from error


def _said(record: Record) -> str:
    """What `record` says, in short and safe to show."""
    plain = record_to_dict(record, 0)
    del plain["n"]
    return escape(compact(plain), 160)


class _Check:
    """One log being checked. Lines come from `_next`, in order; `_peek_deal` alone looks ahead."""

    def __init__(self, reader: LogReader) -> None:
        self._reader, self._lines = reader, iter(reader)
        self._ahead: deque[LogLine] = deque()
        self._number = 0
        self._writing = reader.format.writing(0)  # what each line should look like
        self._game_digest = self._file_digest = ""
        self._deals: list[LoggedDeal] = []
        self._faults: list[Counter[str]] = [Counter() for _ in range(reader.header.seats)]
        self._forfeited = [False] * reader.header.seats
        self._decisions = 0
        self._branched: LogLine | None = None  # by the last such move a branch left its origin

    def run(self) -> Verified:
        """Check everything."""
        header = self._reader.header
        self._check_bytes(self._reader.first)
        try:
            rules = RuleSet.from_mapping(header.rules)
            if rules.to_mapping() != header.rules:
                raise ConfigError("is not the whole rule set", key="rules")
            game = self._game(rules)
        except ConfigError as error:
            raise self._error(1, f"rules: {escape(str(error))}") from error
        game.start()
        while not game.over:
            self._decide(game)
        self._check_end(game)
        revealed = self._check_tail(rules)
        return Verified(header.game, game.round_number, self._decisions, self._game_digest, revealed)

    def explained(self, error: LogError) -> LogError:
        """The same, and which lines were changed if the next check sum tells; else whoever wrote the line wrote it so."""
        damage = self._reader.damage()
        return self._error(error.line, f"{error.reason}; {damage}") if damage else error

    def _game(self, rules: RuleSet) -> Game:
        header, origin = self._reader.header, self._reader.header.origin
        if not isinstance(origin, PositionOrigin):
            return Game(rules, header.seats, self._deck, header.first_starter, self._compare)
        position = position_from_mapping(origin.position, "origin")
        if (position.rules, position.seats) != (rules, header.seats):
            raise ConfigError("its rules or seats are not those of the game", key="origin")
        return PlacedGame(position, self._compare)

    def _error(self, number: int, reason: str) -> LogError:
        return self._reader.error(number, reason)

    def _check_bytes(self, line: LogLine) -> None:
        """The line is, byte for byte, what its record is written as after all lines before it."""
        self._number = line.number
        if isinstance(line.record, LogEnd):
            self._game_digest, self._file_digest = self._writing.game_digest(), self._writing.file_digest()
        if self._writing.add((line.record,)) != line.data:
            raise self._error(
                line.number,
                "is not written as it must be, or its check sum does not fit: the line was changed",
            )

    def _fetch(self) -> LogLine | None:
        """The next line from the file that is no fault; None at the end of the file."""
        for line in self._lines:
            self._check_bytes(line)
            if not isinstance(line.record, LogFault):
                return line
            if line.record.seat >= len(self._faults):
                raise self._error(line.number, f"there is no seat {line.record.seat}")
            self._faults[line.record.seat][line.record.kind] += 1
            self._forfeited[line.record.seat] |= line.record.done == "forfeit"
        if self._reader.cut_off:
            raise self._error(
                self._number + 1, "the log breaks off in the middle of this line; all before it agrees"
            )
        return None

    def _next(self) -> LogLine:
        line = self._ahead.popleft() if self._ahead else self._fetch()
        if line is None:
            raise self._error(self._number + 1, "the log ends before the game does; all before it agrees")
        return line

    def _deck(self, number: int) -> Sequence[int]:
        """The tiles of round `number` as the log has them dealt, read ahead of the events that will be compared."""
        while len(self._ahead) < self._reader.header.seats + 2:
            line = self._fetch()
            if line is None:
                break
            self._ahead.append(line)
        deal = read_deal(self._reader, number, list(self._ahead), self._number + 1)
        self._deals.append(deal)
        return deal.deck

    def _compare(self, event: Event) -> None:
        line = self._next()
        if line.record != event:
            reason = f"the log says {_said(line.record)}, but by the rules it is {_said(event)}"
            raise self._error(line.number, reason)

    def _decide(self, game: Game) -> None:
        line = self._next()
        found = line.record
        if not isinstance(found, LogDecision):
            reason = f"the log says {_said(found)}, but by the rules seat {game.turn} decides"
            raise self._error(line.number, reason)
        may_lift = tuple([code & ~1 for code in game.may_lift])
        self._same(line, "seat", found.seat, game.turn)
        self._same(line, "legal", found.legal, tuple(game.legal))
        self._same(line, "may_lift", found.may_lift, may_lift)
        self._decisions += 1
        if found.by == "branch":
            self._branched = line
        try:
            game.play(found.move)
        except IllegalMoveError as error:
            raise self._error(line.number, str(error)) from error

    def _same(self, line: LogLine, name: str, found: Any, right: Any) -> None:
        if found != right:
            plain = record_to_dict(line.record, line.number)[name]
            reason = f"{name}: the log says {escape(compact(plain), 120)}, which is not what the rules give"
            raise self._error(line.number, reason)

    def _check_end(self, game: Game) -> None:
        line = self._next()
        self._check_origin(line)
        if not isinstance(line.record, LogEnd):
            raise self._error(line.number, f"the game is over, but the log says {_said(line.record)}")
        right = LogEnd(
            totals=tuple(game.totals),
            scores=tuple(game.round_scores),
            places=places_of(game.totals, self._forfeited),
            faults=tuple([dict(counts) for counts in self._faults]),
            game_digest=self._game_digest,
            file_digest=self._file_digest,
            times_ms=line.record.times_ms,  # what was measured follows from no rule
            delay_ms=line.record.delay_ms,
        )
        for field in fields(LogEnd):
            self._same(line, field.name, getattr(line.record, field.name), getattr(right, field.name))

    def _check_origin(self, end: LogLine) -> None:
        """The move by which a branch left its origin is the one its header names."""
        origin, branched = self._reader.header.origin, self._branched
        if origin is None and branched is not None:
            raise self._error(branched.number, "by: the log is no branch")
        if origin is not None and branched is None:
            raise self._error(end.number, "the game is over without the move by which it left its origin")
        if origin is not None and branched is not None:
            assert isinstance(branched.record, LogDecision)
            self._same(branched, "move", branched.record.move, origin.move)

    def _check_tail(self, rules: RuleSet) -> bool:
        """The seed, if it is revealed, and nothing after it. Returns whether it is."""
        line = self._fetch()
        if line is None:
            return False
        if not isinstance(line.record, SeedRevealed):
            raise self._error(line.number, f"the game is over, but the log says {_said(line.record)}")
        check_seed(self._reader, line, line.record.seed, rules.tile_set, self._deals)
        extra = self._fetch()
        if extra is not None:
            raise self._error(extra.number, "nothing may follow the revealed seed")
        return True

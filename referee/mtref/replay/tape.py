"""A whole log in memory, to be wound forth and back: its steps, the table at each, and the way to the next of a kind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final, Literal

from mtref.replay.moment import Follower, Moment, rules_of
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record
from mtref.replay.sight import seen
from mtref_sdk.errors import ProtocolError
from mtref_sdk.events import (
    BoneyardStacked,
    Event,
    GameEnded,
    HandDealt,
    RoundEnded,
    RoundStarted,
    TurnStarted,
)

__all__ = ["Goal", "Tape"]

Goal = Literal["step", "turn", "round", "decision", "fault"]
"""What one may want to go on to."""

_KINDS: Final[dict[Goal, tuple[type[Record], ...]]] = {
    "turn": (TurnStarted, RoundStarted, GameEnded),
    "round": (LogHeader, RoundStarted, LogEnd),
    "decision": (LogDecision,),
    "fault": (LogFault,),
}


class Tape:
    """The steps of a log just opened: every line but those of a deal, which belong to the start of their round.

    A seat of None means everybody's eyes. Raises LogError, also when the lines do not make sense.
    """

    def __init__(self, reader: LogReader) -> None:
        self.header = reader.header
        self._reader = reader
        self._rules = rules_of(reader)
        self._lines = [reader.first, *reader]
        self.complete = any(isinstance(line.record, LogEnd) for line in self._lines[-2:])
        dealt = (HandDealt, BoneyardStacked)
        self.steps: tuple[LogLine, ...] = tuple(
            [line for line in self._lines if not isinstance(line.record, dealt)]
        )
        self._numbers = [line.number for line in self.steps]
        self._starts: dict[int | None, dict[int, Follower]] = {}
        self._starts_of(None)

    def record(self, index: int, seat: int | None) -> Record | None:
        """What `seat` knows of step `index`; None if nothing."""
        return seen(self.steps[index].record, seat)

    def at_line(self, number: int, seat: int | None = None) -> int:
        """The last step up to line `number` of the log that `seat` knows of."""
        index = max(0, bisect_right(self._numbers, number) - 1)
        while self.record(index, seat) is None:
            index -= 1
        return index

    def onward(self, index: int, goal: Goal, by: Literal[1, -1], seat: int | None = None) -> int | None:
        """The next step of a kind after (`by` 1) or before (-1) step `index` that `seat` knows of."""
        kinds = _KINDS.get(goal)
        return self._seek(index, by, seat, lambda record: kinds is None or isinstance(record, kinds))

    def find(
        self, index: int, by: Literal[1, -1], seat: int | None, wanted: Callable[[Record], bool]
    ) -> int | None:
        """The next such step, from the other end if there is none before this one."""
        around = -1 if by == 1 else len(self.steps)
        found = self._seek(index, by, seat, wanted)
        return self._seek(around, by, seat, wanted) if found is None else found

    def _seek(
        self, index: int, by: Literal[1, -1], seat: int | None, wanted: Callable[[Record], bool]
    ) -> int | None:
        for at in range(index + by, len(self.steps) if by == 1 else -1, by):
            record = self.record(at, seat)
            if record is not None and wanted(record):
                return at
        return None

    def round_of(self, index: int) -> range:
        """The steps of the round that step `index` is in; those before the first round are one too."""
        first = after = index
        while first > 0 and not isinstance(self.steps[first].record, RoundStarted):
            first -= 1
        while after + 1 < len(self.steps) and not isinstance(self.steps[after + 1].record, RoundStarted):
            after += 1
        return range(first, after + 1)

    def choice(self, index: int, seat: int | None = None) -> LogDecision | None:
        """The decision that is made in step `index`, or that it follows from."""
        for at in range(index, 0, -1):
            record = self.record(at, seat)
            if isinstance(record, LogDecision):
                return record
            if isinstance(record, (TurnStarted, RoundEnded)):
                return None
        return None

    def moment(self, index: int, seat: int | None = None) -> Moment:
        """The table after step `index`, a deal being one step, with the eyes of `seat`."""
        starts = self._starts_of(seat)
        end = self.steps[index + 1].number if index + 1 < len(self.steps) else self._lines[-1].number + 1
        begun = max((position for position in starts if position < end - 1), default=0)
        follower = starts[begun].copy()
        record: Record | None = None
        for line in self._lines[begun : end - 1]:
            record = self._follow(follower, line, seat)
        decision = record if isinstance(record, LogDecision) else None
        return follower.moment(self.steps[index].number, decision)

    def _starts_of(self, seat: int | None) -> dict[int, Follower]:
        """A follower just before each round, by the place of the round's first line; and one before everything."""
        if seat not in self._starts:
            follower = Follower(self._rules, self.header.seats, seat)
            starts = {0: follower.copy()}
            for position, line in enumerate(self._lines):
                if isinstance(line.record, RoundStarted):
                    starts[position] = follower.copy()
                self._follow(follower, line, seat)
            try:
                follower.moment(self._lines[-1].number, None)
            except ValueError as error:
                raise self._reader.error(
                    self._lines[-1].number, "the lines up to here cannot all have happened"
                ) from error
            self._starts[seat] = starts
        return self._starts[seat]

    def _follow(self, follower: Follower, line: LogLine, seat: int | None) -> Record | None:
        record = seen(line.record, seat)
        if isinstance(record, Event):
            try:
                follower.follow(record)
            except (LookupError, ValueError, ProtocolError) as error:
                raise self._reader.error(
                    line.number, "this cannot happen after the lines before it"
                ) from error
        return record

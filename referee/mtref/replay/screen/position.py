"""Where a viewer stands: a step of a log and whose eyes it looks with; and every way to go on. Nothing is drawn here."""

from __future__ import annotations

from typing import Literal

from mtref.replay.moment import Moment
from mtref.replay.records import LogDecision, Record
from mtref.replay.screen.words import sentence
from mtref.replay.tape import Goal, Tape
from mtref_sdk.events import RoundStarted

__all__ = ["Position"]

Way = Literal[1, -1]


class Position:
    """A place on a tape. `eyes` is a seat, or None for everybody's; a viewer bound to one seat cannot change them.

    Each way to go tells whether it led anywhere; if not, the place is as before.
    """

    def __init__(self, tape: Tape, bound_to: int | None = None) -> None:
        self.tape = tape
        self.bound_to = bound_to
        self.eyes = bound_to
        self.index = 0
        self.sought = ""
        if len(tape.steps) > 1 and isinstance(tape.steps[1].record, RoundStarted):
            self.index = 1

    @property
    def line(self) -> int:
        """The line of the log."""
        return self.tape.steps[self.index].number

    @property
    def record(self) -> Record:
        """What is known of what happened in this step."""
        record = self.tape.record(self.index, self.eyes)
        assert record is not None  # every way here leads to a step that these eyes know of
        return record

    @property
    def moment(self) -> Moment:
        """The table now."""
        return self.tape.moment(self.index, self.eyes)

    @property
    def choice(self) -> LogDecision | None:
        """The decision made here, or the one that led here."""
        return self.tape.choice(self.index, self.eyes)

    @property
    def broken_off(self) -> bool:
        """Whether this is the last that is known of a game without an end."""
        return not self.tape.complete and self.tape.onward(self.index, "step", 1, self.eyes) is None

    def go(self, goal: Goal, by: Way) -> bool:
        """To the next or the previous step of a kind."""
        return self._to(self.tape.onward(self.index, goal, by, self.eyes))

    def to_line(self, number: int) -> bool:
        """To a line of the log, or the last one before it that these eyes know of."""
        return self._to(self.tape.at_line(number, self.eyes))

    def to_end(self, by: Way) -> bool:
        """To the first or the last step."""
        return self.to_line(self.tape.steps[-1].number if by == 1 else 1)

    def look(self, seat: int | None) -> bool:
        """With the eyes of `seat`."""
        if (self.bound_to is not None and seat != self.bound_to) or (seat or 0) >= self.tape.header.seats:
            return False
        self.eyes = seat
        return self.to_line(self.line)

    def look_next(self) -> bool:
        """Everybody's eyes, then those of each seat, and round again."""
        after = 0 if self.eyes is None else self.eyes + 1
        return self.look(after if after < self.tape.header.seats else None)

    def search(self, by: Way) -> bool:
        """To the next or previous step whose words have `sought` in them, going round at the end."""
        wanted = self.sought.casefold()
        if not wanted:
            return False
        found = self.tape.find(
            self.index, by, self.eyes, lambda record: wanted in sentence(record).casefold()
        )
        return self._to(found)

    def around(self, many: int) -> list[tuple[int, Record]]:
        """So many steps of this round around this one, as far as these eyes know of them: their index and what happened."""
        known = [
            (at, record)
            for at in self.tape.round_of(self.index)
            if (record := self.tape.record(at, self.eyes))
        ]
        here = next(place for place, (at, _) in enumerate(known) if at == self.index)
        first = max(0, min(here - many // 2, len(known) - many))
        return known[first : first + many]

    def _to(self, index: int | None) -> bool:
        if index is None:
            return False
        self.index = index
        return True

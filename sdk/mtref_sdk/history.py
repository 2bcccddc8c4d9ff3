"""The events a seat or a spectator has been told, packed as they came and unpacked only when somebody looks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from mtref_sdk.events import Event
from mtref_sdk.wire import split, unpack

__all__ = ["EventLog"]


class EventLog:
    """A list of packed events that only grows, so that many tables can share it, each up to its own moment."""

    __slots__ = ("_ends", "_events", "numbers")

    def __init__(self, numbers: Sequence[int] = ()) -> None:
        self.numbers = list(numbers)
        self._events: list[Event] = []
        self._ends: list[int] = []  # where each event of _events ends in numbers

    def events(self, end: int) -> tuple[Event, ...]:
        """The events in the first `end` numbers. Each event is unpacked once for all callers."""
        at = self._ends[-1] if self._ends else 0
        if at < end:
            for _, numbers in split(self.numbers[at:end]):
                after = at + 2 + len(numbers)
                events = unpack(self.numbers[at:after])
                self._events += events
                self._ends += [after] * len(events)
                at = after
        return tuple(self._events[: bisect_right(self._ends, end)])

    def branch(self, end: int) -> EventLog:
        """A log of its own that begins with the first `end` numbers of this one."""
        return EventLog(self.numbers[:end])

"""What the seats of one table have heard, packed: what is common to all is kept once, and each seat's own beside it."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable

from mtref.rules.projection import NOBODY, PRIVATE, owner, project
from mtref_sdk.events import Event
from mtref_sdk.wire import packed

__all__ = ["Hearing"]


class _Own:
    """What one seat heard instead of parts of the common, in arrays, as there are hundreds of parts in a game."""

    __slots__ = ("begins", "ends", "numbers", "stops")

    def __init__(self) -> None:
        self.begins, self.ends = array("I"), array("I")  # of each part, in the common
        self.numbers, self.stops = (
            array("I"),
            array("I"),
        )  # what was heard instead, and where each piece of it stops

    def add(self, begin: int, end: int, numbers: Iterable[int]) -> None:
        self.begins.append(begin)
        self.ends.append(end)
        self.numbers.extend(numbers)
        self.stops.append(len(self.numbers))


class Hearing:
    """Every event of a game as the seats may know it. ``len`` is a place in it that holds for all seats, now its end."""

    def __init__(self, seats: int) -> None:
        self._common = array("I")
        self._own = [_Own() for _ in range(seats)]

    def __len__(self) -> int:
        return len(self._common)

    def add(self, event: Event) -> None:
        """An event happened; each seat hears what it may know of it."""
        common = self._common
        if type(event) not in PRIVATE:
            common.extend(packed(event))
            return
        usual = project(event, NOBODY)
        begin = len(common)
        if usual is not None:
            common.extend(packed(usual))
        seat = owner(event)
        if NOBODY < seat < len(self._own):
            self._own[seat].add(begin, len(common), packed(event))

    def of(self, seat: int, since: int = 0, until: int | None = None) -> list[int]:
        """What a seat heard between two places, packed."""
        end = len(self._common) if until is None else until
        own, place = self._own[seat], since
        numbers: list[int] = []
        for part in range(bisect_left(own.begins, since), len(own.begins)):
            if own.begins[part] >= end:
                break
            numbers += self._common[place : own.begins[part]]
            numbers += own.numbers[own.stops[part - 1] if part else 0 : own.stops[part]]
            place = own.ends[part]
        numbers += self._common[place:end]
        return numbers

"""What the seats of one table have heard, as messages hold it: what is common to all is kept once, and each seat's own beside it."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, Final

from mtref.replay.records import Record
from mtref.rules.projection import NOBODY, PRIVATE, owner, project
from mtref_sdk.events import Event
from mtref_sdk.wire import KIND_BY_EVENT, packed

__all__ = ["Hearing"]

_PUBLIC: Final = frozenset(KIND_BY_EVENT) - PRIVATE


class _Own:
    """What one seat heard instead of parts of the common, in arrays, as there are hundreds of parts in a game.

    ``news`` is all it heard since it was last told.
    """

    __slots__ = ("begins", "ends", "heard", "news", "stops")

    def __init__(self) -> None:
        self.begins, self.ends = array("I"), array("I")  # of each part, in the common
        self.heard, self.stops = bytearray(), array("I")  # instead of them, and where each piece of it stops
        self.news: list[bytes] = []

    def add(self, begin: int, end: int, heard: bytes) -> None:
        self.begins.append(begin)
        self.ends.append(end)
        self.heard += heard
        self.stops.append(len(self.heard))


class Hearing:
    """Every event of a game as the seats may know it. ``len`` is a place in it that holds for all seats, now its end."""

    def __init__(self, seats: int) -> None:
        self._common = bytearray()
        self._own = [_Own() for _ in range(seats)]
        self._present = self._own.copy()  # who has not left

    def __len__(self) -> int:
        return len(self._common)

    def add(self, event: Event) -> None:
        """An event happened; each seat hears what it may know of it."""
        self.add_all((event,))

    def add_all(self, records: Iterable[Record]) -> None:
        """Events happened, perhaps among other things to be noted, of which no seat hears."""
        heard: list[bytes] = []
        found: Any
        for found in records:
            kind = type(found)
            if kind in _PUBLIC:
                heard.append(getattr(found, "packed", None) or packed(found))  # mostly it is kept: no call
            elif kind in PRIVATE:
                if heard:
                    self._add(b"".join(heard))
                    heard.clear()
                self._add_private(found)
        if heard:
            self._add(b"".join(heard))

    def _add(self, heard: bytes) -> None:
        self._common += heard
        for own in self._present:
            own.news.append(heard)

    def _add_private(self, event: Event) -> None:
        usual, seat, begin = project(event, NOBODY), owner(event), len(self._common)
        heard = b"" if usual is None else packed(usual)
        self._common += heard
        own, told = None, heard
        if NOBODY < seat < len(self._own):
            own, told = self._own[seat], packed(event)
            own.add(begin, len(self._common), told)
        for each in self._present:
            each.news.append(told if each is own else heard)

    def leave(self, seat: int) -> None:
        """A seat is told no more news; what it hears is kept all the same."""
        own = self._own[seat]
        if own in self._present:
            self._present.remove(own)
            own.news.clear()

    def take_news(self, seat: int) -> bytes:
        """What a seat heard since the last call, as `of` would say; nothing once it has left."""
        own = self._own[seat]
        news, own.news = own.news, []
        return b"".join(news)

    def of(self, seat: int, since: int = 0, until: int | None = None) -> bytes:
        """What a seat heard between two places, packed as `mtref_sdk.wire.packed` does."""
        common, own = self._common, self._own[seat]
        end = len(common) if until is None else until
        place = since
        heard = bytearray()
        for part in range(bisect_left(own.begins, since), len(own.begins)):
            if own.begins[part] >= end:
                break
            heard += common[place : own.begins[part]]
            heard += own.heard[own.stops[part - 1] if part else 0 : own.stops[part]]
            place = own.ends[part]
        heard += common[place:end]
        return bytes(heard)

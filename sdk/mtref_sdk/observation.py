"""`Observation`: a table as one seat knows it, which is everything public and the seat's own hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Unpack

from mtref_sdk.books import NOBODY
from mtref_sdk.facts import Facts
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.table import Table
from mtref_sdk.tiles import TILE_BY_CODE, Tile

__all__ = ["Observation"]


class Observation(Table):
    """What seat `seat` knows at one moment, a value: `after` gives the next one and changes nothing.

    Made like a `Table`, with the same keywords, and with the seat and its hand. Without `hand_sizes` only the own
    hand's size is known, and the other seats' are 0.
    """

    def __init__(
        self,
        rules: RuleSet,
        *,
        seats: int,
        seat: int,
        hand: Iterable[Tile] = (),
        just_drawn: Tile | None = None,
        **facts: Unpack[Facts],
    ) -> None:
        super().__init__(rules, seats=seats, **facts)
        books = self._books
        books.seat = seat
        books.hand = {tile.code for tile in hand}
        if "hand_sizes" not in facts:
            books.hand_sizes[seat] = len(books.hand)
        if just_drawn is not None:
            books.fresh = books.drawn = True
            books.drawn_tile = just_drawn.code

    @property
    def seat(self) -> int:
        """Whose observation this is."""
        return self._books.seat

    @cached_property
    def hand(self) -> tuple[Tile, ...]:
        """The tiles of the own hand in canonical order."""
        return tuple(map(TILE_BY_CODE.__getitem__, sorted(self._books.hand)))

    @property
    def just_drawn(self) -> Tile | None:
        """The tile this seat has just drawn and must play now, if that is what the decision is about (R-draw)."""
        tile = self._books.drawn_tile
        return None if tile == NOBODY else TILE_BY_CODE[tile]

    @property
    def own_train(self) -> str:
        """The id of this seat's own train."""
        return str(self.seat)

"""Tiles and pip numbers. A tile is a value: 3-11 and 11-3 are one tile, its lower number first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mtref_sdk.errors import InvalidMoveError

__all__ = ["MAX_PIP", "TILE_BY_CODE", "Tile", "parse_tile", "tile_code", "tiles_of"]

MAX_PIP: Final = 18
"""The highest pip number of the largest set (double-18)."""

_TEXT = re.compile(r"(\d{1,2})-(\d{1,2})")


def tile_code(low: int, high: int) -> int:
    """The number that stands for a tile on the wire and in the rules core: ``low << 5 | high``.

    Codes sort as tiles do in canonical order (low number first, then high). Expects ``low <= high``.
    """
    return low << 5 | high


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One domino. ``low <= high``, both 0 to 18; sorts in canonical order.

    Raises InvalidMoveError when the numbers are out of range or the wrong way round; `Tile.of` turns them.
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= MAX_PIP:
            raise InvalidMoveError(
                f"no such tile: {self.low}-{self.high}; numbers go from 0 to {MAX_PIP}, the lower one first"
            )

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these two numbers, in either order."""
        low, high = min(one, other), max(one, other)
        if not 0 <= low <= high <= MAX_PIP:
            return cls(low, high)  # raises; its code might be another tile's
        return TILE_BY_CODE[tile_code(low, high)]

    @classmethod
    def from_code(cls, code: int) -> Tile:
        """The tile of a code (see `tile_code`). Raises InvalidMoveError for a number that is no tile's code."""
        tile = TILE_BY_CODE.get(code)
        if tile is None:
            raise InvalidMoveError(f"no tile has the code {code}")
        return tile

    @property
    def code(self) -> int:
        """The tile's code: ``low << 5 | high``."""
        return self.low << 5 | self.high

    @property
    def is_double(self) -> bool:
        """Whether both numbers are the same."""
        return self.low == self.high

    @property
    def pips(self) -> int:
        """Both numbers added up; the 0-0 gives 0 here, whatever the rule set makes of it (R-score)."""
        return self.low + self.high

    def has(self, number: int) -> bool:
        """Whether one of the two numbers is `number`."""
        return number in (self.low, self.high)

    def other(self, number: int) -> int:
        """The number at the other end from `number`. Raises InvalidMoveError if the tile lacks `number`."""
        if not self.has(number):
            raise InvalidMoveError(f"{self} has no {number}")
        return self.high if number == self.low else self.low

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


TILE_BY_CODE: dict[int, Tile] = {
    tile_code(low, high): Tile(low, high) for low in range(MAX_PIP + 1) for high in range(low, MAX_PIP + 1)
}
"""Every tile of the double-18 set by its code, in canonical order; the one instance of each."""


def tiles_of(tile_set: int) -> tuple[Tile, ...]:
    """All tiles of the double-`tile_set` set in canonical order: ``(N+1)(N+2)/2`` of them."""
    return tuple(tile for tile in TILE_BY_CODE.values() if tile.high <= tile_set)


def parse_tile(text: str) -> Tile:
    """The tile a text such as ``3-11`` or ``11-3`` names. Raises InvalidMoveError for anything else."""
    found = _TEXT.fullmatch(text.strip())
    if not found:
        raise InvalidMoveError(f"not a tile: {text!r}; write two numbers with a dash, such as 3-11")
    return Tile.of(int(found[1]), int(found[2]))

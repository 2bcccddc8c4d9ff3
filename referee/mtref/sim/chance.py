"""The random numbers of play-outs: a small generator that gives the same ones in pure Python and compiled.

Multiply-with-carry with 32-bit words (Marsaglia): the state is below ``MULTIPLIER << 32`` and fits a machine word. It is
quick and good enough for simulations; secrets, such as the deals of real games, never come from here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Chance"]

MULTIPLIER: Final = 2147483085
"""The largest below 2**31 with which the numbers repeat as late as they can: after about 2**62."""

_WORD: Final = (1 << 32) - 1


class Chance:
    """A stream of random numbers. The same seed and index give the same numbers, everywhere and always.

    `index` tells apart any number of streams with the same seed, as those of the play-outs of one call.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int, index: int = 0) -> None:
        digest = hashlib.sha256(f"{seed}/{index}".encode()).digest()
        self._state: i64 = int.from_bytes(digest[:7], "big") + 1  # never 0, from which nothing would follow

    def below(self, bound: i64) -> i64:
        """A number from 0 to `bound` - 1, all equally likely as far as anybody can count."""
        state = self._state
        state = MULTIPLIER * (state & _WORD) + (state >> 32)
        self._state = state
        return state % bound

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """`items` in random order, all orders equally likely (Fisher and Yates, from the last place down)."""
        mixed = list(items)
        state = self._state
        place: i64
        for place in range(len(mixed) - 1, 0, -1):
            state = MULTIPLIER * (state & _WORD) + (state >> 32)  # `below`, without a call for each place
            other = state % (place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        self._state = state
        return mixed

"""Ways to choose a move in a simulation, from the public part of a round, the own hand and the legal moves."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mtref.rules.state import Hand, PublicState
from mtref.sim.chance import Chance
from mtref_sdk.moves import STOP_CODE

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["POLICIES", "Policy", "heaviest", "heaviest_move", "random_move"]

Policy = Callable[[PublicState, Hand, list[int], Chance], int]
"""Chooses one of the legal codes (never empty). All its randomness must come from the generator it is given."""


def random_move(public: PublicState, hand: Hand, legal: list[int], chance: Chance) -> int:
    """Any legal move, all equally likely."""
    choices = len(legal)
    return legal[chance.below(choices)] if choices > 1 else legal[0]


def heaviest(public: PublicState, hand: Hand, legal: list[int], chance: Chance) -> int:
    """The tile with the most pips, the first in canonical order among equals; stops only when it must."""
    return heaviest_move(legal)


def heaviest_move(legal: list[int]) -> int:
    """The move of these (at least one) that `heaviest` chooses."""
    best = legal[0]
    if len(legal) > 1:
        most: i64 = -1
        move: i64
        for move in legal:
            pips = (move >> 11) + (move >> 6 & 31) if move != STOP_CODE else -1
            if pips > most:
                best, most = move, pips
    return best


POLICIES: Final[MappingProxyType[str, Policy]] = MappingProxyType(
    {"heaviest": heaviest, "random": random_move}
)
"""The named policies."""

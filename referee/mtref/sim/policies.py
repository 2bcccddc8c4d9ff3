"""Ways to choose a move in a simulation, from the public part of a round, the own hand and the legal moves."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import MappingProxyType

from mtref.rules.state import Hand, PublicState
from mtref_sdk.moves import STOP_CODE

__all__ = ["POLICIES", "Policy", "heaviest", "random_move"]

Policy = Callable[[PublicState, Hand, list[int], Random], int]
"""Chooses one of the legal codes (never empty). All its randomness must come from the generator it is given."""


def random_move(public: PublicState, hand: Hand, legal: list[int], rng: Random) -> int:
    """Any legal move, all equally likely."""
    return legal[int(rng.random() * len(legal))] if len(legal) > 1 else legal[0]


def heaviest(public: PublicState, hand: Hand, legal: list[int], rng: Random) -> int:
    """The tile with the most pips, the first in canonical order among equals; stops only when it must."""
    best, most = legal[0], -1
    for move in legal:
        pips = (move >> 11) + (move >> 6 & 31) if move != STOP_CODE else -1
        if pips > most:
            best, most = move, pips
    return best


POLICIES: MappingProxyType[str, Policy] = MappingProxyType({"heaviest": heaviest, "random": random_move})
"""The named policies."""

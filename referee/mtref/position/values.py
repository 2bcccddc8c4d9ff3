"""`Position`: the values of a position, all keys filled in. Nothing is read or checked here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mtref_sdk.moves import Move
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import Tile

__all__ = ["KEYS", "Link", "Position"]

Link = tuple[int, int]
"""A tile as it lies on a train: inner number, outer number."""

KEYS = (
    "rule_set",
    "seats",
    "engine",
    "turn",
    "hands",
    "boneyard",
    "trains",
    "marked",
    "forgotten",
    "unsatisfied",
    "laid",
    "drawn",
    "just_drawn",
    "turns_taken",
    "passes",
    "quiet_passes",
    "round",
    "scores",
    "starter",
)
"""Every key a position may have, in the order of docs/positions.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One moment of one round. A hand or a boneyard whose tiles are unknown is a number of tiles.

    `trains` has an entry for every seat and for each Mexican train that has a tile. `scores` are the totals so far.
    """

    rules: RuleSet
    seats: int
    engine: int
    turn: int
    hands: tuple[tuple[Tile, ...] | int, ...]
    boneyard: tuple[Tile, ...] | int
    trains: Mapping[str, tuple[Link, ...]]
    marked: tuple[int, ...]
    forgotten: tuple[int, ...]
    unsatisfied: tuple[str, ...]
    laid: tuple[Move, ...]
    drawn: bool
    just_drawn: Tile | None
    turns_taken: tuple[int, ...]
    passes: int
    quiet_passes: int
    round_number: int
    scores: tuple[int, ...]
    starter: int

    def end(self, train: str) -> int:
        """The open end of a train; the engine's number when it has no tile or does not exist."""
        links = self.trains.get(train, ())
        return links[-1][1] if links else self.engine

"""Honest, and always the same: plays the tile it likes best, the first in canonical order among equals: honest.py LIKING."""

import sys
from collections.abc import Callable
from typing import Any

from mtref_sdk import Bot, Decision, Move, Tile, run

LIKINGS: dict[str, Callable[[Tile], Any]] = {
    "heavy": lambda tile: tile.pips,
    "light": lambda tile: -tile.pips,
    "doubles": lambda tile: (tile.is_double, tile.pips),
    "high": lambda tile: tile.high,
}


class Honest(Bot):
    def __init__(self, liking: str) -> None:
        self.likes = LIKINGS[liking]

    def choose(self, decision: Decision) -> Move:
        tiles = [move for move in decision.legal_moves if not move.is_stop]
        return max(tiles, key=lambda move: self.likes(move.tile), default=decision.legal_moves[0])


if __name__ == "__main__":
    run(Honest(sys.argv[1]))

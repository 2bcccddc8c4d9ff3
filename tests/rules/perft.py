"""Counts of the positions reachable in a number of decisions, from fixed moments of fixed deals.

``python -m tests.rules.perft`` writes the data files anew; do that only when the rules were meant to change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mtref.rules import fairdeal
from mtref.rules.game import Game
from mtref.rules.legal import legal_moves, may_lift
from mtref.rules.state import State
from mtref.rules.transition import step
from mtref_sdk.moves import Move
from mtref_sdk.presets import PRESETS
from mtref_sdk.ruleset import preset

FOLDER = Path(__file__).parent / "data" / "perft"
PLIES = (0, 23, 61)
"""How many decisions into the game each count begins."""

LEAVES = 4_000
"""Counts go as deep as they can without exceeding about this many leaves."""


@dataclass(frozen=True)
class Root:
    """A moment to count from: `ply` decisions into the game that `choose` makes of the preset's fixed deal."""

    preset: str
    seats: int
    ply: int
    depth: int
    counts: dict[str, int]

    def lines(self) -> list[str]:
        head = f"{self.seats} seats, {self.ply} decisions in, depth {self.depth}: {sum(self.counts.values())}"
        return [head, *(f"  {move} {count}" for move, count in self.counts.items())]


def state_at(name: str, seats: int, ply: int) -> State:
    """The state `ply` decisions into the fixed game of a preset; the decisions spread over the legal moves."""
    rules = preset(name)
    seed = hashlib.sha256(f"perft {name} {seats}".encode()).digest()
    game = Game(
        rules,
        seats,
        lambda number: fairdeal.deck(seed, "1", number, rules.tile_set),
        fairdeal.first_starter(seed, seats),
    )
    game.start()
    for number in range(ply):
        game.play(game.legal[number * 7 % len(game.legal)])
    return game.state


def choices(state: State) -> list[int]:
    """Every move the seat on turn may choose, those with a lift counted apart."""
    legal = legal_moves(state, state.hands[state.turn])
    return sorted([*legal, *(move | 1 for move in may_lift(state, legal))])


def count(state: State, depth: int) -> int:
    """How many sequences of `depth` decisions lead on from a settled state; a round that ends earlier counts once."""
    if depth == 0 or state.over:
        return 1
    total = 0
    for move in choices(state):
        after = state.copy()
        step(after, move)
        total += count(after, depth - 1)
    return total


def count_each(name: str, seats: int, ply: int, depth: int) -> dict[str, int]:
    """The count below each first move."""
    counts = {}
    state = state_at(name, seats, ply)
    for move in choices(state):
        after = state.copy()
        step(after, move)
        counts[str(Move(move))] = count(after, depth - 1)
    return counts


def read(path: Path) -> Iterator[Root]:
    """The roots a data file holds."""
    head: tuple[int, int, int] | None = None
    counts: dict[str, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            move, number = line.strip().rsplit(" ", 1)
            counts[move] = int(number)
            continue
        if head:
            yield Root(path.stem, *head, counts)
        words = line.replace(",", "").replace(":", "").split()
        head, counts = (int(words[0]), int(words[2]), int(words[6])), {}
    if head:
        yield Root(path.stem, *head, counts)


def write() -> None:
    """Write every data file anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PRESETS:
        least, most = preset(name).seats
        lines: list[str] = []
        for seats in sorted({least, most}):
            for ply in PLIES:
                depth = 1
                while (
                    sum((counts := count_each(name, seats, ply, depth + 1)).values()) <= LEAVES and depth < 12
                ):
                    depth += 1
                counts = count_each(name, seats, ply, depth)
                lines += Root(name, seats, ply, depth, counts).lines()
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()

"""A bot that plans: it finds a long train in its hand, keeps that for its own train, and plays the rest elsewhere.

It looks at its own hand only. What the others may hold, and how to be in their way, is left to better bots.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mtref_sdk import Bot, Decision, Move, Observation, Tile, run

TILE = 3
"""What laying a tile is worth beyond its pips: who lays tiles faster goes out first."""

CLOSED_TRAIN = 6
"""What it is worth to take the own marker down, after which nobody else may play there."""

DOUBLE = 10
"""What it is worth to lay a double and have the tile it asks for: both go in one turn."""

BARE_DOUBLE = 15
"""What it costs to lay a double and have nothing for the tile it asks for: a drawn tile, and the marker up."""

EFFORT = 200
"""How many tiles the search for a train may try. Then the best train found so far must do."""


Place = tuple[int, int]
"""Where the search has got to: an open end, and the bits of the tiles that are left."""


class Plan(NamedTuple):
    """Tiles in the order in which they could be laid on the own train, and what laying them all is worth."""

    tiles: list[Tile]
    worth: int


class Planner(Bot):
    """Chooses the move after which the most of its hand is laid, at once or later on its own train."""

    def choose(self, decision: Decision) -> Move:
        """The best of the legal moves; the marker comes down whenever it may."""
        moves = decision.legal_moves
        move = moves[0]
        if len(moves) > 1:
            seen = decision.observation
            plan = longest_train(seen.hand, seen.open_ends[seen.own_train])
            move = max(moves, key=lambda move: self.worth(move, moves, seen, plan))
        return move.lifted() if move in decision.may_lift else move

    def worth(self, move: Move, moves: Sequence[Move], seen: Observation, plan: Plan) -> int:
        """What a move lays down, and what can be laid at home after it."""
        if move.is_stop:
            return plan.worth
        tile, at_home = move.tile, move.train == seen.own_train
        if at_home:
            worth = plan.worth if plan.tiles[:1] == [tile] else 0  # any other train is worth less
            if seen.seat in seen.marked:
                worth += CLOSED_TRAIN
        elif tile in plan.tiles:
            rest = [other for other in seen.hand if other != tile]
            worth = worth_of(tile) + longest_train(rest, seen.open_ends[seen.own_train]).worth
        else:
            worth = worth_of(tile) + plan.worth
        if tile.is_double:
            worth += -BARE_DOUBLE if self.is_bare(tile, moves, seen) else DOUBLE
        return worth

    def is_bare(self, double: Tile, moves: Sequence[Move], seen: Observation) -> bool:
        """Whether no tile is left for what a double asks for: one that fits it, or under some rules any other."""
        others = [tile for tile in seen.hand if tile != double]
        if not others or any(tile.has(double.low) for tile in others):
            return False  # the last tile of a hand is owed nothing
        anywhere = seen.rules.follow_up in ("anywhere", "optional")
        return not (anywhere and any(not move.is_stop and move.tile != double for move in moves))


def worth_of(tile: Tile) -> int:
    """What it is worth to be rid of a tile."""
    return tile.pips + TILE


def longest_train(hand: Sequence[Tile], end: int) -> Plan:
    """The most worthy train that `hand` can lay on an open end, or the best one found in so many steps.

    A search in depth: lays what fits, a double first, because it leaves the end as it is, then the heaviest tile; goes
    back to the last end where another tile would fit; never looks twice at the same end with the same tiles left.
    """
    # By number, what fits it: the tile's bit, the number at its other end, the tile; the best last.
    fits: dict[int, list[tuple[int, int, Tile]]] = {}
    for position, tile in enumerate(hand):
        for number in {tile.low, tile.high}:
            fits.setdefault(number, []).append((1 << position, tile.other(number), tile))
    for tiles in fits.values():
        tiles.sort(key=lambda fit: (fit[2].is_double, fit[2].pips))

    here = best = (end, (1 << len(hand)) - 1)
    came_from: dict[Place, tuple[Place, Tile]] = {}
    worth = {here: 0}
    todo = [here]
    for _ in range(EFFORT):
        if not todo:
            break
        here = todo.pop()
        if worth[here] > worth[best]:
            best = here
        end, left = here
        fitting = [fit for fit in fits.get(end, ()) if left & fit[0]]
        if fitting and fitting[-1][1] == end:
            fitting = fitting[-1:]  # a double
        for bit, other, tile in fitting:
            there = (other, left ^ bit)
            if there not in worth:
                came_from[there] = here, tile
                worth[there] = worth[here] + worth_of(tile)
                todo.append(there)

    backwards: list[Tile] = []
    here = best
    while here in came_from:
        here, tile = came_from[here]
        backwards.append(tile)
    return Plan(backwards[::-1], worth[best])


if __name__ == "__main__":
    run(Planner())

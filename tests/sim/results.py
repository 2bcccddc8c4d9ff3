"""A program that prints what the core makes of fixed seeds, a line each: the same, byte for byte, in pure Python and compiled."""

from __future__ import annotations

import hashlib
import os
import sys

from mtref.rules.game import Game
from mtref.sim import COMPILED, POLICIES, Chance, play_game, playouts
from mtref_sdk.presets import PRESETS
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.tiles import tiles_of

PLAYOUTS = 20


def first_turn(rules: RuleSet, seats: int) -> Game:
    """A game that has just begun."""
    tiles = [tile.code for tile in tiles_of(rules.tile_set)]
    game = Game(rules, seats, lambda number: Chance(seats, number).shuffled(tiles), 0)
    game.start()
    return game


def digest(facts: object) -> str:
    """A short name for facts that are too long to print."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def main() -> None:
    """Print the results for every preset, number of seats and policy; fail if the core is not of the kind asked for."""
    if (os.environ.get("MTREF_REQUIRE_COMPILED") == "1") != COMPILED:
        sys.exit(f"this core is {'' if COMPILED else 'not '}compiled")
    for name in PRESETS:
        rules = preset(name)
        least, most = rules.seats
        for seats in range(least, most + 1):
            state = first_turn(rules, seats).state
            for policy in POLICIES:
                scores = playouts(state, PLAYOUTS, policy, seed=seats)
                game, decisions = play_game(rules, seats, POLICIES[policy], Chance(seats))
                facts = (
                    name,
                    seats,
                    policy,
                    decisions,
                    game.totals,
                    digest(scores),
                    digest(game.round_scores),
                )
                sys.stdout.write(f"{facts}\n")


if __name__ == "__main__":
    main()

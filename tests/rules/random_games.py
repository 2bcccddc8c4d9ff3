"""Random games over random rule sets, driven move by move, for tests of what must always hold."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from mtref.rules.game import Game, Listener
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import tiles_of
from tests.strategies import rule_sets

Watch = Callable[[Game], None]

RULE_SETS = rule_sets(tile_sets=(6, 9, 12), most_seats=5, most_rounds=3)
SEEDS = st.integers(0, 2**32 - 1)


def decks(rules: RuleSet, seed: int) -> list[list[int]]:
    """A shuffled set for each round."""
    rng = Random(seed)
    codes = [tile.code for tile in tiles_of(rules.tile_set)]
    return [rng.sample(codes, len(codes)) for _ in range(rules.rounds)]


def game_of(rules: RuleSet, seed: int, listen: Listener | None = None) -> Game:
    """A game that has not started, over the decks of `seed`, with the fewest or the most seats."""
    seats = rules.seats[seed % 2]
    shuffled = decks(rules, seed)
    return Game(rules, seats, lambda number: shuffled[number - 1], seed % seats, listen)


def play(game: Game, seed: int, watch: Watch | None = None) -> list[int]:
    """Play a game to its end with random legal moves, some of them with a lift; returns the moves played.

    `watch` sees the game at every decision and at its end.
    """
    rng = Random(seed)
    moves: list[int] = []
    game.start()
    while True:
        if watch:
            watch(game)
        if game.over:
            return moves
        lifts = [move | 1 for move in game.may_lift]
        moves.append(rng.choice(game.legal + lifts))
        game.play(moves[-1])

"""Playing rounds and games to their end with a policy for every seat."""

from __future__ import annotations

from random import Random

from mtref.rules.game import Game
from mtref.rules.scoring import round_scores
from mtref.rules.state import State
from mtref.rules.transition import settle, step
from mtref.sim.policies import POLICIES, Policy
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import tiles_of

__all__ = ["play_game", "play_round", "playouts"]


def play_round(state: State, policy: Policy, rng: Random) -> int:
    """Play `state` to the end of its round, in place; returns the number of decisions made."""
    decisions = 0
    hands = state.hands
    legal = settle(state)
    while legal:
        legal = step(state, policy(state, hands[state.turn], legal, rng))
        decisions += 1
    return decisions


def play_game(rules: RuleSet, seats: int, policy: Policy, rng: Random) -> tuple[Game, int]:
    """Play a whole game from random deals; returns the finished game and the number of decisions.

    Deals and choices all come from `rng`, so the same generator state gives the same game. Raises ConfigError when the
    rule set cannot be dealt to that many seats.
    """
    tiles = [tile.code for tile in tiles_of(rules.tile_set)]

    def deck(_round: int) -> list[int]:
        return sorted(tiles, key=lambda _tile: rng.random())  # three times as fast as rng.shuffle

    game = Game(rules, seats, deck, int(rng.random() * seats))
    game.start()
    decisions = 0
    while legal := game.legal:
        state = game.state
        game.play(policy(state, state.hands[state.turn], legal, rng))
        decisions += 1
    return game, decisions


def playouts(state: State, n: int, policy: str = "random", *, seed: int = 0) -> list[tuple[int, ...]]:
    """Play the round of `state` to its end `n` times; returns each play-out's scores by seat. `state` stays as it is.

    `policy` is a name in `POLICIES` (ConfigError otherwise); the same seed gives the same scores.
    """
    chosen = POLICIES.get(policy)
    if chosen is None:
        raise ConfigError(
            f"no such policy: {policy!r}; there are {', '.join(sorted(POLICIES))}", key="policy"
        )
    rng = Random(seed)
    results = []
    for _ in range(n):
        world = state.copy()
        play_round(world, chosen, rng)
        results.append(round_scores(world))
    return results

"""Playing rounds and games to their end with a policy for every seat."""

from __future__ import annotations

from mtref.rules.game import Game
from mtref.rules.scoring import round_scores
from mtref.rules.state import State
from mtref.rules.transition import apply, settle
from mtref.sim.chance import Chance
from mtref.sim.policies import POLICIES, Policy, heaviest_move, random_move
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import tiles_of

__all__ = ["play_game", "play_round", "playouts"]


def play_round(state: State, policy: Policy, chance: Chance) -> int:
    """Play `state` to the end of its round, in place; returns the number of decisions made."""
    decisions = 0
    hands = state.hands
    by_chance, by_weight = policy is POLICIES["random"], policy is POLICIES["heaviest"]
    legal = settle(state)
    while legal:
        if by_chance:  # the named ones are called by name, which costs next to nothing once compiled
            move = random_move(state, hands[state.turn], legal, chance)
        elif by_weight:
            move = heaviest_move(legal)
        else:
            move = policy(state, hands[state.turn], legal, chance)
        apply(state, move)
        legal = settle(state)
        decisions += 1
    return decisions


def play_game(rules: RuleSet, seats: int, policy: Policy, chance: Chance) -> tuple[Game, int]:
    """Play a whole game from random deals; returns the finished game and the number of decisions.

    Deals and choices all come from `chance`, so the same generator state gives the same game. Raises ConfigError when the
    rule set cannot be dealt to that many seats.
    """
    tiles = [tile.code for tile in tiles_of(rules.tile_set)]

    def deck(_round: int) -> list[int]:
        return chance.shuffled(tiles)

    game = Game(rules, seats, deck, chance.below(seats))
    game.start()
    decisions = 0
    while not game.over:
        decisions += play_round(game.state, policy, chance)
        game.next_round()
    return game, decisions


def playouts(state: State, n: int, policy: str = "random", *, seed: int = 0) -> list[tuple[int, ...]]:
    """Play the round of `state` to its end `n` times; returns each play-out's scores by seat. `state` stays as it is.

    A play-out ends with its round: the next deal has nothing to do with this one, and scores of rounds add up. `policy` is
    a name in `POLICIES` (ConfigError otherwise). Play-out k has the chance of `seed` and k alone, so the same seed gives the
    same scores, however many are asked for, in pure Python and compiled.
    """
    chosen = POLICIES.get(policy)
    if chosen is None:
        raise ConfigError(
            f"no such policy: {policy!r}; there are {', '.join(sorted(POLICIES))}", key="policy"
        )
    results = []
    for index in range(n):
        world = state.copy()
        play_round(world, chosen, Chance(seed, index))
        results.append(round_scores(world))
    return results

"""How fast the core is: absolute figures, and ratios to a fixed calibration loop timed in the same run.

Run it as ``python -m mtref.sim.bench``. Passes of the loop and of each subject alternate, and the best of each counts,
so that the ratios hold on a busy machine too.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from mtref.rules.game import Game
from mtref.rules.state import State
from mtref.sim.playout import play_game
from mtref.sim.policies import random_move
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.tiles import tiles_of

__all__ = ["main"]

PASSES = 7
CALIBRATION_STEPS = 200_000
COPIES = 20_000
GAMES = 25
SEATS = 4


def calibration() -> float:
    """Seconds a step of a fixed loop of integer work takes, the yardstick of the ratios."""
    started = perf_counter()
    value = 1
    for number in range(CALIBRATION_STEPS):
        value = (value * 31 + number) & 0xFFFF
    return (perf_counter() - started) / CALIBRATION_STEPS


def play(rules: RuleSet) -> float:
    """Seconds a decision takes in whole random games, deals and scoring included."""
    rng = Random(1)
    started = perf_counter()
    decisions = sum(play_game(rules, SEATS, random_move, rng)[1] for _ in range(GAMES))
    return (perf_counter() - started) / decisions


def copying(state: State) -> float:
    """Seconds a copy of a state in the middle of a round takes."""
    started = perf_counter()
    for _ in range(COPIES):
        state.copy()
    return (perf_counter() - started) / COPIES


def middle_of_a_round(rules: RuleSet) -> State:
    """A state twenty random moves into the first round of a fixed deal."""
    rng = Random(2)
    tiles = [tile.code for tile in tiles_of(rules.tile_set)]
    game = Game(rules, SEATS, lambda _round: rng.sample(tiles, len(tiles)), 0)
    game.start()
    for _ in range(20):
        game.play(random_move(game.state, game.state.hands[game.turn], game.legal, rng))
    return game.state


def main() -> None:
    """Print decisions a second and the cost of a copy."""
    rules = preset("playboard")
    state = middle_of_a_round(rules)
    subjects: dict[str, Callable[[], float]] = {
        "calibration": calibration,
        "decision": lambda: play(rules),
        "copy": lambda: copying(state),
    }
    best = dict.fromkeys(subjects, float("inf"))
    for _ in range(PASSES):
        for name, measure in subjects.items():
            best[name] = min(best[name], measure())
    loop = best["calibration"]
    print(f"calibration loop       {loop * 1e9:8.1f} ns a step")
    print(
        f"playboard, 4 seats     {1 / best['decision']:8,.0f} decisions a second "
        f"({best['decision'] * 1e6:.2f} µs, {best['decision'] / loop:.0f} × the loop's step)"
    )
    print(
        f"copy of a state        {best['copy'] * 1e6:8.2f} µs ({best['copy'] / loop:.0f} × the loop's step)"
    )


if __name__ == "__main__":
    main()

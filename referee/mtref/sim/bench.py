"""How fast the core is: absolute figures, and ratios to a fixed calibration loop timed in the same run.

Run it as ``python -m mtref.sim.bench``. Passes of the loop and of each subject alternate, time is that of the processor,
and the best of each counts, so that the ratios hold on a busy machine too. With ``MTREF_REQUIRE_COMPILED=1`` it refuses to
measure anything but a compiled core.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from random import Random
from time import process_time

from mtref.rules.game import Game
from mtref.rules.state import State
from mtref.sim import COMPILED, POLICIES, Chance, play_game, play_round, playouts
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.tiles import tiles_of

__all__ = ["main", "opening"]

PASSES = 7
CALIBRATION_STEPS = 200_000
COPIES = 5_000
GAMES = 10
PLAYOUTS = 50
FASTER = 5 if COMPILED else 1
"""How many times as much to measure, so that a pass takes long enough."""
SEATS = 4


def calibration() -> float:
    """Seconds a step of a fixed loop of integer work takes, the yardstick of the ratios."""
    started = process_time()
    value = 1
    for number in range(CALIBRATION_STEPS):
        value = (value * 31 + number) & 0xFFFF
    return (process_time() - started) / CALIBRATION_STEPS


def play(rules: RuleSet) -> float:
    """Seconds a decision takes in whole random games, deals and scoring included."""
    chance = Chance(1)
    started = process_time()
    decisions = sum(play_game(rules, SEATS, POLICIES["random"], chance)[1] for _ in range(GAMES * FASTER))
    return (process_time() - started) / decisions


def played_out(state: State, policy: str) -> Callable[[], float]:
    """A measurement of the seconds that a decision takes in play-outs of `state`, copies and scores included."""
    count = PLAYOUTS * FASTER
    decisions = sum(play_round(state.copy(), POLICIES[policy], Chance(0, k)) for k in range(count))

    def measure() -> float:
        started = process_time()
        playouts(state, count, policy)
        return (process_time() - started) / decisions

    return measure


def copying(state: State) -> float:
    """Seconds a copy of a state takes."""
    started = process_time()
    for _ in range(COPIES):
        state.copy()
    return (process_time() - started) / COPIES


def opening(rules: RuleSet, seats: int) -> State:
    """The first turn of the first round of a fixed deal."""
    tiles = [tile.code for tile in tiles_of(rules.tile_set)]
    game = Game(rules, seats, lambda _round: Random(2).sample(tiles, len(tiles)), 0)
    game.start()
    return game.state


def main() -> None:
    """Print decisions a second and the cost of a copy."""
    if os.environ.get("MTREF_REQUIRE_COMPILED") == "1" and not COMPILED:
        sys.exit("mtref.sim.bench: the core is not compiled, and MTREF_REQUIRE_COMPILED=1 asks for it")
    rules = preset("playboard")
    state = opening(rules, SEATS)
    subjects: dict[str, Callable[[], float]] = {
        "play-outs, random": played_out(state, "random"),
        "play-outs, heaviest": played_out(state, "heaviest"),
        "whole games, random": lambda: play(rules),
        "copy of a state": lambda: copying(state),
    }
    loop = float("inf")
    best = dict.fromkeys(subjects, float("inf"))
    for _ in range(PASSES):
        loop = min(loop, calibration())
        for name, measure in subjects.items():
            best[name] = min(best[name], measure())
    print(f"core: {'compiled' if COMPILED else 'pure Python'}; playboard, {SEATS} seats")
    print(f"{'calibration loop':<20} {loop * 1e6:7.3f} µs a step")
    for name, seconds in best.items():
        speed = "" if name.startswith("copy") else f", {1 / seconds:11,.0f} decisions a second"
        print(f"{name:<20} {seconds * 1e6:7.3f} µs, {seconds / loop:5.1f} × a step of the loop{speed}")


if __name__ == "__main__":
    main()

"""What the shipped bots choose where it is clear what they should."""

from __future__ import annotations

import importlib.util
from itertools import permutations
from random import Random
from time import perf_counter
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref.rules.legal import legal_moves, may_lift
from mtref.sim import sample_world
from mtref_sdk.decision import Decision
from mtref_sdk.load import load_bot
from mtref_sdk.moves import Move
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import preset
from mtref_sdk.testing import ask
from mtref_sdk.tiles import Tile, parse_tile, tiles_of
from tests.bots.villains import HONEST


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HONEST / f"{name}.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


PLANNER = module("planner")


def tiles(text: str) -> list[Tile]:
    return [parse_tile(tile) for tile in text.split()]


def decision(
    hand: str,
    trains: dict[str, str],
    *,
    rules: str = "playboard",
    engine: int = 12,
    marked: tuple[int, ...] = (),
    run: str = "",
) -> Decision:
    """What seat 0 of two is asked with this hand in the middle of a round, or in a first turn that laid `run`."""
    own, laid = tiles(hand), {train: tiles(row) for train, row in trains.items()}
    observation = Observation(
        preset(rules),
        seats=2,
        seat=0,
        hand=own,
        hand_sizes=[len(own), 9],
        boneyard=preset(rules).tile_count - 1 - len(own) - 9 - sum(map(len, laid.values())),
        engine=engine,
        turn=0,
        turns_taken=[0, 0] if run else [1, 1],
        laid=[Move.play(tile, 0) for tile in tiles(run)],
        trains=laid,
        marked=marked,
    )
    world = sample_world(observation, Random(0))
    legal = legal_moves(world, world.hands[0])
    return Decision(lambda: observation, legal, may_lift(world, legal))


def choice(name: str, asked: Decision) -> str:
    return str(ask(load_bot(HONEST / f"{name}.py"), asked))


def test_planner_keeps_its_train_and_plays_the_rest_elsewhere() -> None:
    asked = decision("3-11 3-8 8-9 4-11", {"0": "11-12", "m1": "12-4"})
    assert [str(move) for move in asked.legal_moves] == ["3-11@0", "4-11@0", "4-11@m1"]
    assert choice("planner", asked) == "4-11@m1"
    assert choice("greedy", asked) == "4-11@0"


def test_planner_plays_its_train_when_nothing_else_is_left() -> None:
    asked = decision("3-11 3-8 8-9", {"0": "11-12", "m1": "12-3"})
    assert choice("planner", asked) == "3-11@0"


def test_planner_lays_a_double_only_if_it_can_answer_it() -> None:
    bare = decision("4-4 3-11 3-8", {"0": "11-12", "m1": "12-4"})
    assert choice("planner", bare) == "3-11@0"
    answered = decision("4-4 3-11 3-8 4-6", {"0": "11-12", "m1": "12-4"})
    assert choice("planner", answered) == "4-4@m1"


def test_planner_ends_a_run_rather_than_laying_a_double_that_it_cannot_answer() -> None:
    asked = decision("4-4 3-11 3-8", {"0": "12-4"}, rules="online-table-family", run="4-12")
    assert [str(move) for move in asked.legal_moves] == ["4-4@0", "stop"]
    assert choice("planner", asked) == "stop"
    assert choice("greedy", asked) == "4-4@0"


@pytest.mark.parametrize("name", ["planner", "greedy"])
def test_the_marker_comes_down_when_it_may(name: str) -> None:
    asked = decision(
        "2-8 3-3 1-5", {"0": "9-8", "m1": "9-3"}, rules="cubano-forgetful", engine=9, marked=(0,)
    )
    assert [str(move) for move in asked.may_lift] == ["2-8@0"]
    assert choice(name, asked) == "2-8@0 lift"


@pytest.mark.parametrize("name", ["planner", "greedy", "random_bot"])
def test_a_single_move_is_made(name: str) -> None:
    asked = decision("3-11 3-8", {"0": "11-12", "m1": "12-7"})
    assert choice(name, asked) == "3-11@0"


@given(st.lists(st.sampled_from(tiles_of(6)), unique=True, max_size=6), st.integers(0, 6))
def test_the_longest_train_of_a_small_hand_is_found(hand: list[Tile], end: int) -> None:
    def worth_of_row(row: tuple[Tile, ...]) -> int:
        at, worth = end, 0
        for tile in row:
            if not tile.has(at):
                break
            at, worth = tile.other(at), worth + PLANNER.worth_of(tile)
        return worth

    plan = PLANNER.longest_train(hand, end)
    assert plan.worth == max(worth_of_row(row) for row in permutations(hand))
    assert plan.worth == worth_of_row(tuple(plan.tiles)) == sum(map(PLANNER.worth_of, plan.tiles))


def test_the_search_for_a_train_ends_in_the_largest_hand() -> None:
    hand = tiles_of(18)
    began = perf_counter()
    plan = PLANNER.longest_train(hand, 18)
    assert perf_counter() - began < 1
    assert len(plan.tiles) > 100

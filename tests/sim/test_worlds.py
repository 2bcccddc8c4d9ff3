"""Worlds sampled from what a seat has seen: right in all that it can know, and whole."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from mtref.rules.game import Game
from mtref.rules.legal import legal_moves, may_lift
from mtref.rules.projection import project
from mtref.rules.state import PublicState, State
from mtref.sim import Chance, Worlds, play_round, playouts, random_move, sample_world
from mtref_sdk.books import Books
from mtref_sdk.events import Event
from mtref_sdk.moves import Move
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.tiles import TILE_BY_CODE, Tile, tiles_of
from tests.rules.random_games import RULE_SETS, SEEDS, game_of, play


def tiles_in(hand: list[int]) -> list[Tile]:
    return [tile for tile in TILE_BY_CODE.values() if hand[tile.low] >> tile.high & 1]


def watched(rules: RuleSet, seed: int) -> tuple[Game, list[Books]]:
    """A game that has not started, and what each seat will have been told of it."""
    told = [Books(rules, rules.seats[seed % 2], seat) for seat in range(rules.seats[seed % 2])]

    def tell(event: Event) -> None:
        for seat, books in enumerate(told):
            projected = project(event, seat)
            if projected is not None:
                books.enter(projected)

    return game_of(rules, seed, tell), told


def look(books: Books) -> Observation:
    return Observation.of(books.copy())


def midgame(name: str, seed: int, decisions: int) -> tuple[Game, Observation]:
    """A game some random decisions after its start, and what the seat on turn knows of it."""
    rules = preset(name)
    game, told = watched(rules, seed)
    rng = Random(seed)
    game.start()
    for _ in range(decisions):
        game.play(rng.choice(game.legal))
    return game, look(told[game.turn])


def assert_world_fits(world: State, truth: State, seat: int, rules: RuleSet) -> None:
    """The public part and the seat's hand are the truth, and every tile exists exactly once."""
    for name in PublicState.__slots__:
        assert getattr(world, name) == getattr(truth, name), name
    assert world.hands[seat] == truth.hands[seat]
    held = [tiles_in(hand) for hand in world.hands]
    assert list(map(len, held)) == world.sizes
    assert len(world.boneyard) == world.boneyard_size
    boneyard = [TILE_BY_CODE[code] for code in world.boneyard]
    assert sorted(sum(held, boneyard) + tiles_in(world.on_table)) == list(tiles_of(rules.tile_set))


@given(RULE_SETS, SEEDS)
def test_a_world_of_the_seat_on_turn_has_the_moves_and_the_public_part_of_the_truth(
    rules: RuleSet, seed: int
) -> None:
    game, told = watched(rules, seed)
    rng = Random(seed)

    def watch(game: Game) -> None:
        if game.over:
            return
        seat = game.turn
        world = sample_world(look(told[seat]), rng)
        assert_world_fits(world, game.state, seat, rules)
        assert legal_moves(world, world.hands[seat]) == game.legal
        assert may_lift(world, game.legal) == game.may_lift

    play(game, seed, watch)


@given(RULE_SETS, SEEDS)
def test_a_world_of_a_waiting_seat_has_the_public_part_of_the_truth(rules: RuleSet, seed: int) -> None:
    game, told = watched(rules, seed)
    rng = Random(seed)

    def watch(game: Game) -> None:
        if not game.over:
            for seat in range(game.seats):
                assert_world_fits(sample_world(look(told[seat]), rng), game.state, seat, rules)

    play(game, seed, watch)


def test_worlds_know_of_a_marker_that_went_up_in_the_turn_itself() -> None:
    """A tile at home, then a drawn one elsewhere that marks the train: nothing was left up (R-marker-manual)."""
    rules = preset("cubano-forgetful").with_overrides(
        {"marker_on_draw_elsewhere": True, "follow_up": "anywhere", "lock": "none"}
    )
    went_up = 0
    for seed in range(60):
        game, told = watched(rules, seed)

        def watch(game: Game, told: list[Books] = told) -> None:
            nonlocal went_up
            if game.over:
                return
            observation = look(told[game.turn])
            own = str(game.turn)
            if game.turn in observation.marked and any(move.train == own for move in observation.laid):
                went_up += not game.state.left_up
                assert sample_world(observation, Random(0)).left_up == game.state.left_up

        play(game, seed, watch)
    assert went_up


def test_a_world_from_facts_without_history_takes_a_marker_for_left_up() -> None:
    observation = Observation(
        preset("cubano-forgetful"),
        seats=2,
        seat=0,
        turn=0,
        hand=[Tile(3, 4)],
        hand_sizes=[1, 20],
        boneyard=31,
        engine=9,
        trains={"0": [Tile(8, 9), Tile(8, 8)]},
        marked=[0],
        unsatisfied=["0"],
        laid=[Move.play(Tile(8, 8), 0)],
    )
    world = sample_world(observation, Random(0))
    assert (world.owed, world.doubles, world.left_up, world.home) == (True, (0,), True, True)


def test_a_sampled_world_is_the_same_for_the_same_generator_and_nobody_elses() -> None:
    _, observation = midgame("online-table", 3, 20)
    worlds = Worlds(observation)
    first, second = worlds.sample(Random(5)), worlds.sample(Random(5))
    assert (first.hands, first.boneyard) == (second.hands, second.boneyard)
    play_round(first, random_move, Chance(1))
    assert second.hands == worlds.sample(Random(5)).hands
    assert second.hands != worlds.sample(Random(6)).hands
    assert first.hands != second.hands


def test_unseen_tiles_lie_everywhere_equally_often() -> None:
    game, observation = midgame("playboard", 1, 12)
    worlds, rng = Worlds(observation), Random(7)
    other = (game.turn + 1) % game.seats
    samples = 4000
    held = Counter(tile for _ in range(samples) for tile in tiles_in(worlds.sample(rng).hands[other]))
    unseen = sum(game.state.sizes) - game.state.sizes[game.turn] + game.state.boneyard_size
    expected = samples * game.state.sizes[other] / unseen
    assert len(held) == unseen
    assert all(abs(count - expected) < 0.15 * expected for count in held.values())


def test_play_outs_start_from_a_sampled_world() -> None:
    game, observation = midgame("dominos-cc", 4, 15)
    world = sample_world(observation, Random(2))
    scores = playouts(world, 5, "heaviest")
    assert [len(each) for each in scores] == [game.seats] * 5
    assert world.boneyard_size == game.state.boneyard_size


def test_there_is_no_world_between_rounds() -> None:
    with pytest.raises(ValueError, match="between rounds"):
        sample_world(Observation(preset("playboard"), seats=2, seat=0), Random(0))


def test_counts_that_do_not_add_up_are_refused() -> None:
    observation = Observation(
        preset("playboard"), seats=2, seat=0, turn=0, engine=12, hand=[Tile(1, 2)], boneyard=3
    )
    with pytest.raises(ValueError, match="hold 3 tiles, and 89 have not been seen"):
        sample_world(observation, Random(0))

"""What must hold in every game of every rule set."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref.rules.game import Game
from mtref.rules.legal import legal_moves
from mtref.rules.projection import project
from mtref.rules.state import FIRST_MEXICAN, Hand
from mtref_sdk.errors import IllegalMoveError
from mtref_sdk.events import (
    BoneyardStacked,
    EngineLaid,
    EngineSearchDrawn,
    Event,
    HandDealt,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from mtref_sdk.moves import STOP_CODE, TRAINS, move_code
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import Tile, tiles_of
from tests.rules.random_games import RULE_SETS, SEEDS, decks, game_of, play


def tiles_in(masks: Hand) -> list[Tile]:
    return [Tile(low, high) for low, mask in enumerate(masks) for high in range(low, 19) if mask >> high & 1]


def left(game: Game) -> list[Tile]:
    state = game.state
    return [Tile.from_code(code) for code in state.boneyard[len(state.boneyard) - state.boneyard_size :]]


@given(RULE_SETS, SEEDS)
def test_every_tile_exists_exactly_once(rules: RuleSet, seed: int) -> None:
    def watch(game: Game) -> None:
        held = [tile for hand in game.state.hands for tile in tiles_in(hand)]
        table = tiles_in(game.state.on_table)
        assert sorted(held + table + left(game)) == list(tiles_of(rules.tile_set))
        assert game.state.sizes == [len(tiles_in(hand)) for hand in game.state.hands]

    play(game_of(rules, seed), seed, watch)


@given(RULE_SETS, SEEDS)
def test_somebody_can_move_or_the_game_is_over(rules: RuleSet, seed: int) -> None:
    def watch(game: Game) -> None:
        assert bool(game.legal) is not game.over
        assert len(set(game.legal)) == len(game.legal)
        assert sorted(game.legal) == game.legal
        if game.legal:
            assert game.legal == legal_moves(game.state, game.state.hands[game.turn])
            assert game.legal != [STOP_CODE]
            assert set(game.may_lift) <= set(game.legal)

    game = game_of(rules, seed)
    play(game, seed, watch)
    assert len(game.round_scores) == rules.rounds
    assert game.totals == tuple(map(sum, zip(*game.round_scores, strict=True)))
    assert min(game.places) == 1


@given(RULE_SETS, SEEDS)
def test_each_seats_observation_equals_the_truth_of_that_seat(rules: RuleSet, seed: int) -> None:
    events: list[Event] = []
    game = game_of(rules, seed, events.append)
    seen = [Observation(rules, seat=seat, seats=game.seats) for seat in range(game.seats)]

    def watch(game: Game) -> None:
        for seat in range(game.seats):
            for event in events:
                told = project(event, seat)
                seen[seat] = seen[seat].after(told) if told is not None else seen[seat]
            observation = seen[seat]
            if game.over:
                assert observation.totals == game.totals
                continue
            state = game.state
            names = {train.id: train for train in observation.trains.values() if train.tiles}
            assert observation.hand == tuple(tiles_in(state.hands[observation.seat]))
            assert list(observation.hand_sizes) == state.sizes
            assert (observation.turn, observation.boneyard) == (state.turn, state.boneyard_size)
            assert observation.engine == state.engine
            assert (observation.passes, observation.quiet_passes) == (state.passes, state.quiet_passes)
            assert (observation.drawn, observation.fresh) == (state.drawn, state.fresh)
            assert len(observation.laid) == state.laid
            assert [turns > 0 for turns in observation.turns_taken] == [
                bool(state.begun >> seat & 1) for seat in range(game.seats)
            ]
            assert observation.totals == state.totals
            assert set(observation.marked) == {seat for seat in range(game.seats) if state.marked >> seat & 1}
            assert set(observation.forgotten) == {
                seat for seat in range(game.seats) if state.forgotten >> seat & 1
            }
            assert list(observation.unsatisfied) == [TRAINS[code] for code in state.unsatisfied]
            for code, end in enumerate(state.ends):
                assert (TRAINS[code] in names) == bool(state.started >> code & 1)
                if TRAINS[code] in names:
                    assert names[TRAINS[code]].end == end
        events.clear()

    play(game, seed, watch)


@given(RULE_SETS, SEEDS)
def test_no_seat_is_told_of_a_tile_outside_the_table_and_its_own_hand(rules: RuleSet, seed: int) -> None:
    events: list[Event] = []
    play(game_of(rules, seed, events.append), seed)
    for viewer in range(rules.seats[seed % 2]):
        own: set[Tile] = set()
        for event in events:
            told = project(event, viewer)
            match told:
                case None:
                    assert isinstance(event, BoneyardStacked)
                case RoundStarted():
                    own = set()
                case HandDealt(seat=seat, tiles=tiles):
                    assert (tiles is not None) == (seat == viewer)
                    own |= set(tiles or ())
                case TileDrawn(seat=seat, tile=tile) | EngineSearchDrawn(seat=seat, tile=tile):
                    assert (tile is not None) == (seat == viewer)
                    own |= {tile} if tile else set()
                case TilePlayed(seat=seat, tile=tile) | EngineLaid(seat=seat, tile=tile) if seat == viewer:
                    own.remove(tile)
                case _:
                    assert told == event


@given(RULE_SETS, SEEDS, st.data())
def test_swapping_unseen_tiles_changes_nothing_until_they_matter(
    rules: RuleSet, seed: int, data: st.DataObject
) -> None:
    """Two tiles of the boneyard change places: nobody can tell before the first of them is drawn, and then its drawer."""
    first: list[Event] = []
    moves = play(game_of(rules, seed, first.append), seed)
    stacked = next(event.tiles for event in first if isinstance(event, BoneyardStacked))
    if len(stacked) < 2:
        return
    one, other = sorted(data.draw(st.sets(st.sampled_from(stacked), min_size=2, max_size=2)))
    shuffled = decks(rules, seed)
    exchanged = {one.code: other.code, other.code: one.code}
    shuffled[0] = [exchanged.get(code, code) for code in shuffled[0]]
    second: list[Event] = []
    twin = Game(
        rules,
        rules.seats[seed % 2],
        lambda number: shuffled[number - 1],
        seed % rules.seats[seed % 2],
        second.append,
    )
    twin.start()
    for move in moves:
        if twin.over or (move not in twin.legal and move & ~1 not in twin.may_lift):
            break
        twin.play(move)

    def before_the_swapped(event: Event) -> bool:
        return not (isinstance(event, TileDrawn | EngineSearchDrawn) and event.tile in (one, other))

    def untouched(events: list[Event]) -> list[Event]:
        return [e for e in takewhile(before_the_swapped, events) if not isinstance(e, BoneyardStacked)]

    if any(isinstance(event, EngineSearchDrawn) for event in (*first, *second)):
        return  # moving the engine moves who finds it: public at once
    assert untouched(first) == untouched(second)


@given(RULE_SETS, SEEDS)
def test_the_same_moves_give_the_same_events(rules: RuleSet, seed: int) -> None:
    first: list[Event] = []
    second: list[Event] = []
    moves = play(game_of(rules, seed, first.append), seed)
    again = game_of(rules, seed, second.append)
    again.start()
    for move in moves:
        again.play(move)
    assert first == second


@given(RULE_SETS, SEEDS)
def test_listening_changes_nothing_and_a_copy_is_independent(rules: RuleSet, seed: int) -> None:
    def watch(game: Game) -> None:
        if not game.over:
            before = game.state.copy()
            play_on = game.state.copy()
            for name in ("hands", "ends", "sizes", "on_table"):
                assert getattr(before, name) == getattr(play_on, name)
                assert getattr(before, name) is not getattr(game.state, name)

    silent, heard = game_of(rules, seed), game_of(rules, seed, lambda _event: None)
    assert play(silent, seed, watch) == play(heard, seed)
    assert silent.round_scores == heard.round_scores


@given(RULE_SETS, SEEDS)
def test_every_round_tells_its_story_in_order(rules: RuleSet, seed: int) -> None:
    events: list[Event] = []
    play(game_of(rules, seed, events.append), seed)
    on_turn: int | None = None
    for event in events:
        match event:
            case RoundStarted() | RoundEnded():
                on_turn = None
            case TurnStarted(seat=seat):
                on_turn = seat
            case TilePlayed(seat=seat) | TileDrawn(seat=seat) | TurnPassed(seat=seat):
                assert seat == on_turn


@given(RULE_SETS, SEEDS)
def test_every_other_move_is_refused_with_a_reason(rules: RuleSet, seed: int) -> None:
    def watch(game: Game) -> None:
        if game.over:
            return
        allowed = {*game.legal, *(move | 1 for move in game.may_lift)}
        tiles = tiles_in(game.state.hands[game.turn])[:3]
        trains = [*range(game.seats), FIRST_MEXICAN, FIRST_MEXICAN + 1]
        for code in [
            STOP_CODE,
            *(move_code(tile.code, train) | lift for tile in tiles for train in trains for lift in (0, 1)),
        ]:
            if code in allowed:
                continue
            before = game.state.copy()
            with pytest.raises(IllegalMoveError) as refusal:
                game.play(code)
            assert refusal.value.rule.startswith("R-")
            assert refusal.value.seat == game.turn
            assert game.state.hands == before.hands

    play(game_of(rules, seed), seed, watch)

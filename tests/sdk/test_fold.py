"""Folding events: the table a seat sees agrees with the truth at every moment of any game."""

from __future__ import annotations

from hypothesis import given, settings

from mtref.rules.game import Game
from mtref.rules.projection import project
from mtref.rules.state import FIRST_MEXICAN
from mtref_sdk import events
from mtref_sdk.books import Books
from mtref_sdk.events import Event
from mtref_sdk.fold import FOLDS
from mtref_sdk.moves import TRAINS
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.table import Table
from mtref_sdk.tiles import Tile
from mtref_sdk.view import view_fields
from mtref_sdk.wire import EVENT_KINDS
from tests.rules.random_games import RULE_SETS, SEEDS, game_of, play

ENGINE = Tile(12, 12)


def bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def hand_codes(hand: list[int]) -> list[int]:
    return [low << 5 | high for low in range(19) for high in range(low, 19) if hand[low] >> high & 1]


class Spectators:
    """Follows a game with the books of every seat and of the public, fed as the rules project events."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.books = [Books(rules, seats, seat) for seat in range(seats)]
        self.public = Books(rules, seats)

    def listen(self, event: Event) -> None:
        self.public.enter(event)
        for seat, books in enumerate(self.books):
            told = project(event, seat)
            if told is not None:
                books.enter(told)

    def check(self, game: Game) -> None:
        state = game.state
        table = Table.of(self.public.copy())
        assert table.turn == (None if state.over else state.turn)
        assert table.round_number == game.round_number
        assert table.engine == state.engine
        assert table.totals == game.totals
        assert table.scores == tuple(game.round_scores)
        assert table.hand_sizes == tuple(state.sizes)
        assert table.boneyard == state.boneyard_size
        assert table.marked == bits(state.marked)
        assert table.forgotten == bits(state.forgotten)
        assert table.unsatisfied == tuple(TRAINS[train] for train in state.unsatisfied)
        assert bits(state.started) == tuple(
            TRAINS.index(name) for name, train in table.trains.items() if train.links
        )
        ends = {TRAINS[code]: end for code, end in enumerate(state.ends)}
        assert table.open_ends == {
            name: end
            for name, end in ends.items()
            if TRAINS.index(name) < table.seats or TRAINS.index(name) >= FIRST_MEXICAN
        }
        if not state.over:
            assert bits(state.begun) == tuple(seat for seat, turns in enumerate(table.turns_taken) if turns)
            assert len(table.laid) == state.laid
            assert table.drawn == state.drawn
            assert table.fresh == state.fresh
            if not state.laid:
                assert (table.passes, table.quiet_passes) == (state.passes, state.quiet_passes)
        for seat, books in enumerate(self.books):
            seen = Observation.of(books.copy())
            assert [tile.code for tile in seen.hand] == hand_codes(state.hands[seat])
            assert len(seen.hand) == seen.hand_sizes[seat]
            public = view_fields(Observation.of(self.public.copy()))
            private = view_fields(seen)
            for name in ("hand", "just_drawn", "turn"):
                del public[name], private[name]
            assert private == public


@settings(max_examples=60)
@given(rules=RULE_SETS, seed=SEEDS)
def test_what_a_seat_sees_agrees_with_the_truth_in_any_game(rules: RuleSet, seed: int) -> None:
    spectators = Spectators(rules, rules.seats[seed % 2])
    game = game_of(rules, seed, spectators.listen)
    play(game, seed, spectators.check)


def test_every_kind_of_event_is_folded() -> None:
    assert sorted(FOLDS) == list(range(1, len(EVENT_KINDS) + 1))


def test_after_gives_the_next_table_and_leaves_this_one_alone() -> None:
    table = Table(preset("playboard"), seats=2, engine=12, turn=0, hand_sizes=[3, 4])
    after = table.after(events.TilePlayed(0, Tile(3, 12), "0", 3))
    assert table.trains["0"].links == ()
    assert after.trains["0"].links == ((12, 3),)
    assert after.trains["0"].tiles == (Tile(3, 12),)
    assert after.open_ends == {"0": 3, "1": 12, "m1": 12}
    assert (table.hand_sizes, after.hand_sizes) == ((3, 4), (2, 4))
    assert after.history == (events.TilePlayed(0, Tile(3, 12), "0", 3),)
    assert table.history == ()


def test_two_futures_of_one_table_do_not_meet() -> None:
    table = Table(preset("playboard"), seats=2, engine=12, turn=0)
    one = table.after(events.TurnPassed(0))
    other = table.after(events.TurnStopped(0))
    further = one.after(events.MarkerRaised(0))
    assert one.history == (events.TurnPassed(0),)
    assert other.history == (events.TurnStopped(0),)
    assert further.history == (events.TurnPassed(0), events.MarkerRaised(0))
    assert (one.marked, further.marked) == ((), (0,))


def test_a_round_from_its_deal_to_its_end() -> None:
    seen = Observation(preset("cubano"), seats=2, seat=1)
    for event in (
        events.RoundStarted(1, 9, 1, (2, 2), 3),
        events.HandDealt(0, None),
        events.HandDealt(1, (Tile(4, 9), Tile(1, 2))),
        events.EngineLaid(Tile(9, 9), None),
        events.TurnStarted(1),
        events.TilePlayed(1, Tile(4, 9), "1", 4),
        events.LastTileCalled(1),
        events.TurnStarted(0),
        events.TileDrawn(0, None),
        events.TurnPassed(0),
        events.MarkerRaised(0),
        events.TurnStarted(1),
        events.TileDrawn(1, Tile(4, 4)),
    ):
        seen = seen.after(event)
    assert (seen.round_number, seen.engine, seen.starter, seen.turn) == (1, 9, 1, 1)
    assert [str(tile) for tile in seen.hand] == ["1-2", "4-4"]
    assert seen.just_drawn == Tile(4, 4)
    assert (seen.drawn, seen.fresh) == (True, True)
    assert (seen.hand_sizes, seen.boneyard) == ((3, 2), 1)
    assert (seen.marked, seen.passes, seen.turns_taken) == ((0,), 1, (1, 1))
    assert seen.last_tile_calls == (1,)
    seen = seen.after(events.TilePlayed(1, Tile(4, 4), "1", 4)).after(events.DoubleBound("1"))
    assert (seen.just_drawn, seen.fresh, seen.drawn) == (None, False, False)  # per_play: a draw of its own
    assert seen.unsatisfied == ("1",)
    assert seen.trains["1"].unsatisfied
    assert seen.passes == 0
    ended = seen.after(events.RoundEnded("went_out", 1, (12, 0), (12, 0)))
    assert (ended.turn, ended.totals, ended.scores) == (None, (12, 0), ((12, 0),))
    fresh = ended.after(events.RoundStarted(2, 8, 1, (2, 2), 3))
    assert (fresh.marked, fresh.unsatisfied, fresh.last_tile_calls, fresh.hand) == ((), (), (), ())
    assert len(fresh.history) == 17


def test_an_engine_from_a_hand_leaves_that_hand() -> None:
    seen = Observation(preset("traditional"), seats=2, seat=0, hand=[ENGINE, Tile(0, 1)], hand_sizes=[2, 2])
    assert seen.after(events.EngineLaid(ENGINE, 0)).hand == (Tile(0, 1),)
    assert seen.after(events.EngineLaid(ENGINE, 0)).hand_sizes == (1, 2)
    assert seen.after(events.EngineLaid(ENGINE, 1)).hand_sizes == (2, 1)


def test_a_lift_is_seen_on_the_tile_that_carried_it() -> None:
    table = Table(preset("cubano-forgetful"), seats=2, engine=9, turn=0, marked=[0], forgotten=[0])
    played = table.after(events.TilePlayed(0, Tile(4, 9), "m1", 4))
    lifted = played.after(events.MarkerLowered(0))
    assert [str(move) for move in played.laid] == ["4-9@m1"]
    assert [str(move) for move in lifted.laid] == ["4-9@m1 lift"]
    assert (lifted.marked, lifted.forgotten) == ((), ())


def test_a_marker_left_up_is_forgotten_until_a_pass_renews_it() -> None:
    table = Table(preset("cubano-forgetful"), seats=2, engine=9, turn=0, marked=[0])
    forgotten = table.after(events.MarkerForgotten(0))
    assert (forgotten.forgotten, forgotten.trains["0"].forgotten) == ((0,), True)
    renewed = forgotten.after(events.MarkerRenewed(0))
    assert (renewed.marked, renewed.forgotten) == ((0,), ())

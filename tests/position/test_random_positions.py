"""Every decision of random games, written down as a position, is accepted and goes on as the game does."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given, settings

from mtref.explain import Inquiry
from mtref.position import position_from_mapping, read_position
from mtref.rules.game import Game
from mtref_sdk.books import Books
from mtref_sdk.events import Event, LastTileCalled, MarkerRaised, TileDrawn, TurnStarted
from mtref_sdk.moves import Move
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.table import Table
from mtref_sdk.tiles import TILE_BY_CODE, Tile, tiles_of
from tests.rules.random_games import RULE_SETS, SEEDS, game_of


def written_down(game: Game, books: Books, drawn: Tile | None) -> dict[str, Any]:
    """The position of a game at a decision, with everything known."""
    state, table = game.state, Table.of(books.copy())
    hands = [
        [str(tile) for tile in tiles_of(game.rules.tile_set) if hand[tile.low] >> tile.high & 1]
        for hand in state.hands
    ]
    left = state.boneyard[len(state.boneyard) - state.boneyard_size :]
    return {
        "rule_set": game.rules.to_mapping(),
        "seats": game.seats,
        "engine": table.engine,
        "turn": table.turn,
        "hands": {str(seat): hand for seat, hand in enumerate(hands)},
        "boneyard": [str(TILE_BY_CODE[code]) for code in left],
        "trains": {
            name: [f"{inner}-{outer}" for inner, outer in train.links] for name, train in table.trains.items()
        },
        "marked": list(table.marked),
        "forgotten": list(table.forgotten),
        "unsatisfied": list(table.unsatisfied),
        "laid": [str(move) for move in table.laid],
        "drawn": table.drawn,
        **({} if drawn is None else {"just_drawn": str(drawn)}),
        "turns_taken": list(table.turns_taken),
        "passes": table.passes,
        "quiet_passes": table.quiet_passes,
        "round": table.round_number,
        "scores": list(table.totals),
        "starter": table.starter,
    }


def unclear(told: list[Event], rules: RuleSet, seat: int) -> bool:
    """Whether a position cannot tell that the marker went up after this turn laid at home: it counts as up from the first."""
    began = max(at for at, event in enumerate(told) if isinstance(event, TurnStarted))
    return rules.marker_removal != "auto" and MarkerRaised(seat) in told[began:]


@settings(max_examples=40)
@given(RULE_SETS, SEEDS)
def test_positions_of_games_are_accepted_and_go_on_as_the_game_does(rules: RuleSet, seed: int) -> None:
    told: list[Event] = []
    game = game_of(rules, seed, told.append)
    rng = Random(seed)
    books = Books(rules, game.seats)
    game.start()
    folded = 0
    while not game.over:
        drawn = None
        for event in told[folded:]:
            books.enter(event)
            if isinstance(event, TileDrawn):
                drawn = event.tile
            elif not isinstance(event, LastTileCalled):
                drawn = None
        folded = len(told)
        inquiry = Inquiry(read_position(json.dumps(written_down(game, books, drawn))))
        assert inquiry.legal == game.legal
        assert inquiry.may_lift == game.may_lift
        assert inquiry.just_drawn == drawn
        move = rng.choice(game.legal + [code | 1 for code in game.may_lift])
        game.play(move)
        if unclear(told[:folded], rules, books.turn):
            continue
        inquiry.make(str(Move(move)))
        since = told[folded:]
        ended = [number for number, event in enumerate(since, start=1) if event.name == "round_ended"]
        assert inquiry.events == (since[: ended[0]] if ended else since)
        if not ended:
            assert inquiry.legal == game.legal


def test_a_position_does_not_depend_on_what_nobody_needs() -> None:
    plain = {
        "rule_set": "playboard",
        "seats": 2,
        "engine": 12,
        "turn": 0,
        "trains": {"0": ["12-5"]},
        "hands": {"0": ["5-8", "0-1"], "1": 9},
    }
    some = Inquiry(position_from_mapping(plain))
    more = Inquiry(position_from_mapping({**plain, "round": 3, "scores": [40, 2], "starter": 1}))
    assert some.legal == more.legal

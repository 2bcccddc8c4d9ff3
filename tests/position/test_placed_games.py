"""A round that is played on from a position: bots are told events that lead there, and it goes on as the game does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from mtref.position import PlacedGame, position_from_mapping, table_of
from mtref.rules.projection import project
from mtref_sdk.books import Books
from mtref_sdk.errors import ConfigError
from mtref_sdk.events import Event, LastTileCalled, RoundEnded, TileDrawn
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet
from tests.position.test_random_positions import written_down
from tests.rules.random_games import RULE_SETS, SEEDS, game_of

PLAIN: dict[str, Any] = {
    "rule_set": "playboard",
    "seats": 2,
    "engine": 12,
    "turn": 0,
    "trains": {"0": ["12-5"]},
    "hands": {"0": ["5-8", "0-1"], "1": ["3-3", "9-12"]},
    "boneyard": ["1-1", "2-2"],
}


@settings(max_examples=12, deadline=None)
@given(RULE_SETS, SEEDS)
def test_any_decision_of_a_game_can_be_set_up_and_goes_on_as_the_game_does(rules: RuleSet, seed: int) -> None:
    told: list[Event] = []
    game = game_of(rules, seed, told.append)
    rng = Random(seed)
    books = Books(rules, game.seats)
    game.start()
    folded, number, placed, drawn = 0, 0, None, None
    since: list[Event] = []
    events: list[Event] = []
    chosen = {rng.randrange(60) for _ in range(6)}
    while not game.over:
        for event in told[folded:]:
            books.enter(event)
            if isinstance(event, TileDrawn):
                drawn = event.tile
            elif not isinstance(event, LastTileCalled):
                drawn = None
        new, folded = told[folded:], len(told)
        if placed is not None:
            ended = [place for place, event in enumerate(new, 1) if isinstance(event, RoundEnded)]
            assert (
                since[: len(new)] == (new[: ended[0]] if ended else new)
                or since[: ended[0]] == new[: ended[0]]
            )
            if not ended:
                assert placed.legal == game.legal and placed.may_lift == game.may_lift
            placed = None
        if number in chosen:
            position = position_from_mapping(written_down(game, books, drawn))
            events = []
            placed = PlacedGame(position, events.append)
            placed.start()
            assert placed.legal == game.legal
            for seat in range(game.seats):
                view = Books(rules, game.seats, seat)
                for event in events:
                    seen = project(event, seat)
                    if seen is not None:
                        view.enter(seen)
                observation = Observation.of(view)
                hand = position.hands[seat]
                assert not isinstance(hand, int) and observation.hand == tuple(sorted(hand))
                assert observation.trains == table_of(position).trains
                assert observation.totals == position.scores
        number += 1
        move = rng.choice(game.legal + [code | 1 for code in game.may_lift])
        if placed is not None:
            events.clear()
            placed.play(move)
            since = events
        game.play(move)


def test_a_placed_round_ends_with_the_points_of_the_position_added() -> None:
    game = PlacedGame(position_from_mapping({**PLAIN, "round": 3, "scores": [40, 2]}))
    game.start()
    while not game.over:
        game.play(game.legal[0])
    assert len(game.round_scores) == 1
    assert game.totals == tuple(a + b for a, b in zip((40, 2), game.round_scores[0], strict=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": {"0": ["5-8"], "1": 4}}, "hands: .* give the tiles of seat 1"),
        ({"boneyard": 4}, "boneyard: .* give the tiles in the order they will be drawn"),
        ({"passes": 2, "quiet_passes": 1}, "quiet_passes: no way leads to this position"),
        ({"drawn": True}, "drawn: no way leads to this position"),
    ],
)
def test_what_is_not_known_or_cannot_be_told_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        PlacedGame(position_from_mapping({**PLAIN, **change}))


def test_an_empty_boneyard_needs_no_tiles() -> None:
    game = PlacedGame(position_from_mapping({**PLAIN, "boneyard": 0}))
    game.start()
    assert game.legal

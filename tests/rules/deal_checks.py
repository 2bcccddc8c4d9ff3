"""What the rules say about deals, as checks that can also be run against a broken core. Each raises AssertionError."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mtref.rules.game import Game
from mtref.rules.projection import project
from mtref_sdk.events import BoneyardStacked, EngineLaid, EngineSearchDrawn, Event, HandDealt, RoundStarted
from mtref_sdk.moves import Move
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.tiles import Tile, parse_tile, tiles_of

__all__ = ["DEAL_CHECKS", "arranged", "play_out", "rounds_of", "started"]


def arranged(tile_set: int, *groups: str, last: str = "") -> list[int]:
    """A deck that begins with the tiles of `groups` and ends with those of `last`, the rest between in canonical order."""
    front = [parse_tile(text) for group in groups for text in group.split()]
    back = [parse_tile(text) for text in last.split()]
    middle = [tile for tile in tiles_of(tile_set) if tile not in front and tile not in back]
    return [tile.code for tile in front + middle + back]


def started(
    rules: RuleSet, seats: int, decks: Sequence[list[int]], first_starter: int = 0
) -> tuple[Game, list[Event]]:
    """A game that has begun, with a deck for each round (the last one again and again), and its events as they come."""
    told: list[Event] = []
    game = Game(rules, seats, lambda number: decks[min(number, len(decks)) - 1], first_starter, told.append)
    game.start()
    return game, told


def play_out(game: Game) -> None:
    """Play to the end, always the first legal move."""
    while not game.over:
        game.play(game.legal[0])


def rounds_of(told: Sequence[Event]) -> list[RoundStarted]:
    return [event for event in told if isinstance(event, RoundStarted)]


def dealt(told: Sequence[Event]) -> list[tuple[Tile, ...]]:
    """The hands of the first round, as dealt."""
    hands = [event.tiles for event in told if isinstance(event, HandDealt)]
    return [hand for hand in hands[: len(rounds_of(told)[0].hand_sizes)] if hand is not None]


def stacked(told: Sequence[Event]) -> tuple[Tile, ...]:
    """The boneyard of the first round, as dealt."""
    return next(event.tiles for event in told if isinstance(event, BoneyardStacked))


def texts(tiles: Sequence[Tile]) -> str:
    return " ".join(map(str, tiles))


def engine_set_aside_before_the_deal() -> None:
    """R-engine-aside: the double leaves the order, then hands are dealt from the front, seat by seat."""
    rules = preset("cubano").with_overrides({"tile_set": 6, "rounds": "all", "hand": 3})
    deck = arranged(6, "0-1 6-6 0-2 0-3", "1-1 1-2 1-3", last="2-2 5-5 4-4")
    game, told = started(rules, 2, [deck])
    assert [texts(hand) for hand in dealt(told)] == ["0-1 0-2 0-3", "1-1 1-2 1-3"]
    rest = stacked(told)
    assert (len(rest), texts(rest[-3:])) == (21, "2-2 5-5 4-4")
    assert parse_tile("6-6") not in rest
    assert EngineLaid(Tile(6, 6), None) in told
    assert game.state.engine == 6


def engines_go_down() -> None:
    """R-engine-aside: round r is played on N - r + 1 (edge cases 63 and 64)."""
    for name, engines in {"playboard": [12, 11, 10, 9], "dominos-cc": [12, 11, 10, 9, 8, 7]}.items():
        game, told = started(preset(name), 2, [arranged(12, "3-9 8-11 0-7")])
        play_out(game)
        assert [event.engine for event in rounds_of(told)] == engines
    game, told = started(preset("playboard-13"), 2, [arranged(12)])
    play_out(game)
    assert [event.engine for event in rounds_of(told)] == list(range(12, -1, -1))


def the_holder_lays_the_engine() -> None:
    """R-engine-holder: the holder lays it and then plays an ordinary first turn (R-opening)."""
    rules = preset("traditional").with_overrides({"hand": 3})
    deck = arranged(12, "12-1 12-2 0-1", "12-3 12-4 0-2", "12-5 12-12 12-6")
    game, told = started(rules, 3, [deck], first_starter=1)
    assert rounds_of(told)[0].starter == 2
    assert EngineLaid(Tile(12, 12), 2) in told
    assert game.turn == 2
    assert game.state.sizes == [3, 3, 2]
    assert [str(Move(code)) for code in game.legal] == ["5-12@2", "6-12@2"]
    assert not any(isinstance(event, EngineSearchDrawn) for event in told)


def seats_search_for_the_engine_one_after_another() -> None:
    """R-engine-holder: one tile each from the seeded seat on, kept and hidden; the finder lays it and starts (edge case 10)."""
    rules = preset("traditional").with_overrides({"hand": 2})
    deck = arranged(12, "0-1 0-2", "0-3 0-4", "0-5 5-12", "1-1 1-2 1-3 1-4 12-12 1-5")
    game, told = started(rules, 3, [deck], first_starter=1)
    found = [event for event in told if isinstance(event, EngineSearchDrawn)]
    assert [(event.seat, str(event.tile)) for event in found] == [
        (1, "1-1"),
        (2, "1-2"),
        (0, "1-3"),
        (1, "1-4"),
        (2, "12-12"),
    ]
    assert EngineLaid(Tile(12, 12), 2) in told
    assert rounds_of(told)[0].starter == 2
    assert [project(found[0], viewer) for viewer in range(3)] == [
        EngineSearchDrawn(1, None),
        found[0],
        EngineSearchDrawn(1, None),
    ]
    hands = [{tile for tile in tiles_of(12) if hand[tile.low] >> tile.high & 1} for hand in game.state.hands]
    assert texts(sorted(hands[1])) == "0-3 0-4 1-1 1-4"
    assert Tile(12, 12) not in hands[2]


def seats_search_for_the_engine_all_at_once() -> None:
    """R-engine-holder: with simultaneous the lap is finished, and all keep theirs."""
    rules = preset("traditional").with_overrides({"hand": 2, "engine_search": "simultaneous"})
    deck = arranged(12, "0-1 0-2", "0-3 0-4", "0-5 0-6", "1-1 1-2 1-3 12-12 1-4 1-5 1-6")
    _, told = started(rules, 3, [deck], first_starter=1)
    found = [event for event in told if isinstance(event, EngineSearchDrawn)]
    assert [event.seat for event in found] == [1, 2, 0, 1, 2, 0]
    assert EngineLaid(Tile(12, 12), 1) in told
    assert rounds_of(told)[0].starter == 1


def a_search_ends_with_the_boneyard() -> None:
    """R-engine-holder: the last lap is short when there are too few tiles."""
    rules = preset("traditional").with_overrides(
        {"tile_set": 6, "rounds": "all", "seats": [3, 3], "hand": 8, "engine_search": "simultaneous"}
    )
    game, told = started(rules, 3, [arranged(6, last="4-4 5-5 4-5 6-6")], first_starter=2)
    assert [event.seat for event in told if isinstance(event, EngineSearchDrawn)] == [2, 0, 1, 2]
    assert EngineLaid(Tile(6, 6), 2) in told
    assert game.state.boneyard_size == 0


def a_later_search_begins_after_the_previous_starter() -> None:
    """R-engine-holder: the second round's search begins with the seat after the one that started the first."""
    rules = preset("traditional").with_overrides({"hand": 1, "rounds": 2})
    first = arranged(12, "0-1", "12-12", "0-2")  # seat 1 lays its only tile: the round is over
    second = arranged(12, "0-1", "0-2", "0-3", "0-4 0-5 11-11")
    _, told = started(rules, 3, [first, second], first_starter=0)
    assert [event.seat for event in told if isinstance(event, EngineSearchDrawn)] == [2, 0, 1]
    assert rounds_of(told)[1].starter == 1


def the_engine_may_be_the_only_tile() -> None:
    """R-out: a hand emptied by laying the engine ends the round; possible with hands of one only (edge case 55)."""
    rules = preset("traditional").with_overrides({"hand": 1, "rounds": 1})
    game, _ = started(rules, 3, [arranged(12, "5-6", "12-12", "0-2")])
    assert game.over
    assert game.round_scores == [(11, 0, 2)]


def the_highest_double_that_is_held() -> None:
    """R-engine-highest: a skipped double is tried first in the next round (edge cases 11 and 12)."""
    rules = preset("cubano-holder").with_overrides({"tile_set": 6, "rounds": "all", "hand": 1})
    decks = [
        arranged(6, "4-4", "0-1", last="6-6"),  # nobody holds 6-6 or 5-5
        arranged(6, "6-6", "3-3", last="5-5"),
        arranged(6, "5-5", "2-2"),
        arranged(6, "0-1", "0-2"),  # no double in any hand
        arranged(6, "0-1", "2-2"),
        arranged(6, "1-1", "0-2"),
        arranged(6, "0-1", "0-2"),
    ]
    game, told = started(rules, 2, decks, first_starter=1)
    while not game.over:
        game.play(game.legal[0])
    started_rounds = rounds_of(told)
    assert [event.engine for event in started_rounds] == [4, 6, 5, 3, 2, 1, 0]
    laid = [event for event in told if isinstance(event, EngineLaid)]
    assert [event.seat for event in laid] == [0, 0, 0, None, 1, 0, None]
    assert [event.starter for event in started_rounds] == [0, 0, 0, 1, 1, 0, 1]


DEAL_CHECKS: Mapping[str, Callable[[], None]] = {
    check.__name__: check
    for check in (
        engine_set_aside_before_the_deal,
        engines_go_down,
        the_holder_lays_the_engine,
        seats_search_for_the_engine_one_after_another,
        seats_search_for_the_engine_all_at_once,
        a_search_ends_with_the_boneyard,
        a_later_search_begins_after_the_previous_starter,
        the_engine_may_be_the_only_tile,
        the_highest_double_that_is_held,
    )
}

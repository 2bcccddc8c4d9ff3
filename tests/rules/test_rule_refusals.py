"""Rule sets that are refused: unknown keys, wrong values, contradictions and impossible deals, and in which words."""

from __future__ import annotations

from typing import Any

import pytest

from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet, preset


def refusal(overrides: dict[str, Any], base: str = "playboard") -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        preset(base).with_overrides(overrides)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("overrides", "key", "words"),
    [
        ({"duble_blank": 1}, "duble_blank", "did you mean double_blank? allowed: tile_set, seats, hand"),
        ({"preset": "cubano"}, "preset", "no such option"),
        ({"tile_set": 7}, "tile_set", "7 is not allowed; allowed: 6, 9, 12, 15 or 18"),
        ({"tile_set": "twelve"}, "tile_set", "allowed: 6, 9, 12, 15 or 18"),
        ({"tile_set": True}, "tile_set", "true is not allowed"),
        ({"tile_set": 12.0}, "tile_set", "12.0 is not allowed"),
        ({"seats": 4}, "seats", "allowed: [min, max] with 2 <= min <= max <= 10"),
        ({"seats": [1, 4]}, "seats", "allowed: [min, max]"),
        ({"seats": [4, 2]}, "seats", "allowed: [min, max]"),
        ({"seats": [2, 11]}, "seats", "allowed: [min, max]"),
        ({"seats": [2, 3, 4]}, "seats", "allowed: [min, max]"),
        ({"seats": [True, 4]}, "seats", "allowed: [min, max]"),
        ({"hand": 0}, "hand", "allowed: a number of tiles from 1 up"),
        ({"hand": {}}, "hand", "allowed: a number of tiles"),
        ({"hand": {"leave_per_seat": -1}}, "hand", "with k from 0 up"),
        ({"hand": {"leave_per_seat": 1, 2: 3}}, "hand", "allowed: a number of tiles"),
        ({"hand": {2: 15, "2": 16, 3: 15, 4: 15}}, "hand", "allowed: a number of tiles"),
        ({"hand": {2: "15"}}, "hand", "allowed: a number of tiles"),
        ({"rounds": 0}, "rounds", "allowed: 1 to tile_set + 1, or all"),
        ({"rounds": "some"}, "rounds", "allowed: 1 to tile_set + 1, or all"),
        ({"engine": "aside"}, "engine", "allowed: set_aside, holder or highest_held"),
        ({"first_turn_run": 1}, "first_turn_run", "allowed: false or true"),
        ({"finish_on_double": "maybe"}, "finish_on_double", "allowed: true or false"),
        ({"mexican_trains": 2}, "mexican_trains", "allowed: 0, 1 or unlimited"),
        ({"mexican_trains": False}, "mexican_trains", "allowed: 0, 1 or unlimited"),
        ({"double_blank": 101}, "double_blank", "101 is not allowed; allowed: 0 to 100"),
        ({"double_blank": -1}, "double_blank", "allowed: 0 to 100"),
        ({"double_blank": True}, "double_blank", "allowed: 0 to 100"),
        ({"double_blank": None}, "double_blank", "allowed: 0 to 100"),
        ({"hand": "{2: 16"}, "hand", "should end in '}'"),
        ({"hand": "{2 16}"}, "hand", "name: value"),
        ({"hand": "{2: 16, 2: 15}"}, "hand", "given twice"),
        ({"seats": "[2, 4"}, "seats", "should end in ']'"),
    ],
)
def test_a_wrong_key_or_value_is_refused_with_what_is_allowed(
    overrides: dict[str, Any], key: str, words: str
) -> None:
    error = refusal(overrides)
    assert error.key == key
    assert words in str(error)


@pytest.mark.parametrize(
    ("base", "overrides", "key", "words"),
    [
        ("playboard", {"rounds": 14}, "rounds", "allowed: 1 to 13, or all"),
        ("online-table", {"tile_set": 9, "hand": 5}, "rounds", "allowed: 1 to 10, or all"),
        ("playboard", {"hand": {2: 16, 4: 15}}, "hand", "no entry for 3 seats"),
        ("playboard", {"seats": [2, 5]}, "hand", "one entry for each number of seats from 2 to 5"),
        (
            "playboard",
            {"engine": "set_aside", "starter": "engine_layer"},
            "starter",
            "rotate or round_winner",
        ),
        ("playboard", {"engine": "holder"}, "starter", "allowed: engine_layer, or engine set_aside"),
        ("traditional", {"starter": "round_winner"}, "starter", "allowed: engine_layer"),
        ("cubano-holder", {"starter": "rotate"}, "starter", "allowed: engine_layer"),
        ("traditional", {"boneyard": "aside"}, "boneyard", "allowed: draw, or engine set_aside"),
        ("cubano-holder", {"boneyard": "aside"}, "boneyard", "allowed: draw"),
        ("cubano-holder", {"rounds": 9}, "rounds", "allowed with tile_set 9: 10, or all"),
        ("cubano-holder", {"tile_set": 12}, "rounds", "allowed with tile_set 12: 13, or all"),
        ("dominos-cc", {"first_turn_run": True}, "first_turn_run", "allowed: false, or follow_up on_double"),
        ("cubano", {"follow_up": "optional"}, "follow_up", "does not go with lock table"),
        ("cubano-no-cover", {"lock": "table"}, "follow_up", "or lock none"),
        ("cubano-no-cover", {"finish_on_double": False}, "follow_up", "or finish_on_double true"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    base: str, overrides: dict[str, Any], key: str, words: str
) -> None:
    error = refusal(overrides, base)
    assert error.key == key
    assert words in str(error)


@pytest.mark.parametrize(
    ("base", "overrides", "most"),
    [
        ("dominos-cc", {"hand": 22, "seats": [4, 4]}, 22),  # 88 of the 90 beside the engine
        ("dominos-cc", {"hand": 30, "seats": [3, 3]}, 30),  # all 90
        ("traditional", {"hand": 13, "seats": [2, 7]}, 13),  # all 91: the engine is dealt too
        ("dominos-cc", {"tile_set": 6, "hand": 9, "seats": [3, 3]}, 9),
        ("dominos-cc", {"tile_set": 18, "hand": 94, "seats": [2, 2]}, 94),
    ],
)
def test_hands_may_use_up_the_set_and_no_more(base: str, overrides: dict[str, Any], most: int) -> None:
    """R-engine-aside: the engine is not dealt; R-engine-holder: it is."""
    preset(base).with_overrides({"rounds": 1, **overrides})
    error = refusal({"rounds": 1, **overrides, "hand": most + 1}, base)
    assert error.key == "hand"
    assert f"1 to {most}" in str(error)


def test_one_number_of_seats_that_cannot_be_dealt_is_enough_to_refuse() -> None:
    error = refusal({"hand": {2: 16, 3: 15, 4: 23}})
    assert "4 hands of 23 need 92 tiles" in str(error)
    error = refusal({"hand": {2: 16, 3: 15, 4: 23}, "seats": [2, 10]})
    assert error.key == "hand"


def test_an_entry_for_seats_that_are_not_allowed_is_not_looked_at() -> None:
    rules = preset("playboard").with_overrides({"hand": {2: 16, 3: 15, 4: 90}, "seats": [2, 3]})
    assert rules.hand_size(3) == 15


def test_leave_per_seat_must_deal_something_at_every_number_of_seats() -> None:
    assert preset("cubano").with_overrides({"hand": {"leave_per_seat": 12}}).hand_size(4) == 1
    error = refusal({"hand": {"leave_per_seat": 13}}, "cubano")
    assert error.key == "hand"
    assert "allowed for 4 seats: leave_per_seat 0 to 12" in str(error)


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"preset": "playbord"}, "f.yaml:3: preset: there is no preset 'playbord'; did you mean playboard?"),
        ({"preset": 5}, "f.yaml:3: preset: there is no preset 5; allowed: playboard, dominos-cc"),
        (
            {"preset": "playboard", "rouns": 4},
            "f.yaml:3: rouns: there is no such option; did you mean rounds?",
        ),
        ({"preset": "playboard", "double_blank": "50"}, "f.yaml:3: double_blank: '50' is not allowed"),
        ({"preset": "playboard", "rounds": 14}, "f.yaml:3: rounds: 14 rounds need as many doubles"),
        ({"preset": "playboard", "a\nb": 1}, "f.yaml:3: 'a\\nb': there is no such option"),
        ({"preset": "x" * 999}, "f.yaml:3: preset: there is no preset 'xxx"),
        (
            ["playboard"],
            "f.yaml:3: a rule set is a mapping, such as {preset: playboard, rounds: 8}, not ['playboard']",
        ),
        ({"preset": "playboard", 7: 1}, "f.yaml:3: 7: there is no such option"),
    ],
)
def test_errors_in_a_mapping_say_where_it_came_from(mapping: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        RuleSet.from_mapping(mapping, "f.yaml:3")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_an_unknown_preset_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean online-table\?"):
        preset("onlinetable")

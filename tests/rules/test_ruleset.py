"""Rule sets: what is read, what follows from what, and that a mapping gives the same rule set back."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleoptions import OPTIONS
from mtref_sdk.ruleset import PRESET_NAMES, LeavePerSeat, RuleSet, preset
from tests.strategies import rule_sets

WHOLE = {key: value for key, value in preset("playboard").to_mapping().items() if key != "preset"}


@given(rule_sets())
def test_a_mapping_gives_the_same_rule_set_back_through_json(rules: RuleSet) -> None:
    mapping = rules.to_mapping()
    assert list(mapping) == ["preset", *OPTIONS]
    again = json.loads(json.dumps(mapping))
    assert again == mapping
    assert RuleSet.from_mapping(again) == rules
    assert hash(RuleSet.from_mapping(again)) == hash(rules)


@given(rule_sets())
def test_every_allowed_number_of_seats_can_be_dealt(rules: RuleSet) -> None:
    to_deal = rules.tile_count - (rules.engine == "set_aside")
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        assert 1 <= rules.hand_size(seats) <= to_deal // seats


@given(rule_sets(), st.data())
def test_one_option_replaced_is_either_a_valid_rule_set_or_an_error_that_names_a_key(
    rules: RuleSet, data: st.DataObject
) -> None:
    other = data.draw(rule_sets())
    key = data.draw(st.sampled_from(list(OPTIONS)))
    refused: ConfigError | None = None
    try:
        changed = rules.with_overrides({key: getattr(other, key)})
    except ConfigError as error:
        refused, changed = error, rules
    if refused is None:
        assert getattr(changed, key) == getattr(other, key)
        assert RuleSet.from_mapping(changed.to_mapping()) == changed
    else:
        assert refused.key in OPTIONS
        assert "allowed" in refused.message


@given(rule_sets())
def test_values_as_typed_on_a_command_line_read_as_the_values(rules: RuleSet) -> None:
    texts = {key: json.dumps(value) for key, value in rules.to_mapping().items() if key != "preset"}
    assert preset("playboard").with_overrides(texts).to_mapping() == {
        **rules.to_mapping(),
        "preset": "playboard",
    }


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("double_blank", "50", 50),
        ("double_blank", " 7 ", 7),
        ("hand", "12", 12),
        ("hand", "{2: 16, 3: 15, 4: 14}", ((2, 16), (3, 15), (4, 14))),
        ("hand", "{4: 14, 3: 15, 2: 16}", ((2, 16), (3, 15), (4, 14))),
        ("hand", '{"2": 16, "3": 15, "4": 14, "9": 1}', ((2, 16), (3, 15), (4, 14), (9, 1))),
        ("hand", "{leave_per_seat: 0}", LeavePerSeat(0)),
        ("rounds", "all", 13),
        ("rounds", "13", 13),
        ("seats", "[2, 3]", (2, 3)),
        ("seats", "[3,3]", (3, 3)),
        ("first_turn_run", "true", True),
        ("first_turn_run", "Yes", True),
        ("finish_on_double", "off", False),
        ("mexican_trains", "0", 0),
        ("mexican_trains", "unlimited", "unlimited"),
        ("lock", "'table'", "table"),
        ("boneyard", "aside", "aside"),
    ],
)
def test_a_typed_value_is_read(key: str, text: str, value: object) -> None:
    read = getattr(preset("playboard").with_overrides({key: text}), key)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("base", "seats", "hand"),
    [
        ("cubano", 2, 25),
        ("cubano", 3, 16),
        ("cubano", 4, 11),
        ("cubano-12", 8, 9),
        ("cubano-holder", 4, 11),  # 55 tiles instead of 54, and still 11
        ("cubano-no-boneyard", 4, 13),
        ("playboard", 2, 16),
        ("traditional", 10, 8),
    ],
)
def test_hand_sizes(base: str, seats: int, hand: int) -> None:
    assert preset(base).hand_size(seats) == hand


def test_the_engine_counts_among_the_tiles_where_it_is_dealt() -> None:
    """55 tiles for 5 seats: with the engine 11 each, without it 10."""
    aside = preset("cubano").with_overrides({"seats": [5, 5], "hand": {"leave_per_seat": 0}})
    dealt = preset("cubano-holder").with_overrides({"seats": [5, 5], "hand": {"leave_per_seat": 0}})
    assert (aside.hand_size(5), dealt.hand_size(5)) == (10, 11)


def test_seats_that_are_not_allowed_have_no_hand_size() -> None:
    with pytest.raises(ConfigError, match=r"seats: 5 seats are not allowed; allowed: 2 to 4"):
        preset("playboard").hand_size(5)


def test_another_set_changes_neither_seats_nor_rounds() -> None:
    rules = preset("cubano").with_overrides({"tile_set": 12})
    assert (rules.rounds, rules.seats) == (10, (2, 4))
    assert preset("cubano").with_overrides({"tile_set": 12, "rounds": "all"}).rounds == 13
    with pytest.raises(ConfigError, match=r"^rounds: 10 rounds need"):
        preset("cubano").with_overrides({"tile_set": 6})


def test_an_option_without_effect_keeps_its_value() -> None:
    rules = preset("playboard").with_overrides({"engine_search": "simultaneous", "lock_order": "any"})
    assert (rules.engine_search, rules.lock_order) == ("simultaneous", "any")


def test_overrides_keep_the_name_and_the_mapping_says_preset() -> None:
    rules = preset("playboard").with_overrides({"rounds": 8})
    assert rules.name == "playboard"
    assert rules.to_mapping()["preset"] == "playboard"
    assert rules != preset("playboard-8")
    assert preset("playboard").rounds == 4


def test_a_mapping_may_start_from_a_preset() -> None:
    rules = RuleSet.from_mapping({"preset": "cubano", "double_blank": 50, "rounds": "all", "tile_set": 12})
    assert rules == preset("cubano").with_overrides({"double_blank": 50, "rounds": 13, "tile_set": 12})


def test_a_mapping_without_a_preset_is_called_custom_and_needs_what_has_no_default() -> None:
    rules = RuleSet.from_mapping(WHOLE)
    assert rules.name == "custom"
    assert RuleSet.from_mapping({**WHOLE, "preset": "custom"}) == rules
    needed = {key: WHOLE[key] for key in WHOLE if key not in {"double_blank", "engine_search"}}
    assert RuleSet.from_mapping(needed) == rules
    with pytest.raises(
        ConfigError, match=r"^tile_set: missing; allowed: 6, 9, 12, 15 or 18; .*needs tile_set"
    ):
        RuleSet.from_mapping({})
    with pytest.raises(ConfigError, match=r"^lock: missing; allowed: table or none"):
        RuleSet.from_mapping({key: value for key, value in WHOLE.items() if key != "lock"})


def test_a_rule_set_made_directly_is_checked_and_put_in_order() -> None:
    values: dict[str, Any] = {key: getattr(preset("playboard"), key) for key in OPTIONS}
    rules = RuleSet(**{**values, "seats": [2, 3], "hand": ((3, 15), (2, 16))})
    assert (rules.seats, rules.hand) == ((2, 3), ((2, 16), (3, 15)))
    with pytest.raises(ConfigError, match="lock"):
        RuleSet(**{**values, "lock": "nobody"})
    with pytest.raises(ConfigError, match="rounds"):
        RuleSet(**{**values, "rounds": "all"})
    with pytest.raises(ConfigError, match="preset"):
        RuleSet(**{**values, "name": "mine"})


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_rule_sets_are_plain_values(name: str) -> None:
    rules = preset(name)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) == rules
    assert len({rules, preset(name)}) == 1

"""Broken positions are refused with the key and the reason, in one line."""

from __future__ import annotations

import pytest

from mtref.position import position_from_mapping, read_position
from mtref_sdk.errors import ConfigError
from tests.position.broken import ALL_SIX, BROKEN, GOOD, HAND, LOCKED


def test_the_unbroken_position_is_accepted() -> None:
    position = position_from_mapping(GOOD)
    assert position.hands[1] != 0
    assert position_from_mapping({**GOOD, **LOCKED, "hands": HAND}).unsatisfied == ("0",)
    assert position_from_mapping({**GOOD, **ALL_SIX}).unsatisfied == ()


@pytest.mark.parametrize("what", BROKEN)
def test_broken(what: str) -> None:
    key, change, reason = BROKEN[what]
    with pytest.raises(ConfigError) as caught:
        position_from_mapping({**GOOD, **change}, "here.yaml")
    message = str(caught.value)
    assert caught.value.key == key
    assert message.startswith(f"here.yaml: {key}: ")
    assert reason in message
    assert "\n" not in message


@pytest.mark.parametrize("key", ["rule_set", "seats", "engine", "turn", "hands"])
def test_a_needed_key_is_missing(key: str) -> None:
    with pytest.raises(ConfigError, match="is missing") as caught:
        position_from_mapping({name: value for name, value in GOOD.items() if name != key})
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a position is a mapping"),
        ("- id: one", "a position is a mapping"),
        ("just words", "a position is a mapping"),
        ("{", "not YAML"),
        ("seats: [", "not YAML"),
        ("seats: 2\nturn: 0\nseats: 3", "here.yaml:3: seats: is given twice"),
        ("hands: {0: 3, 0: 4}", "here.yaml:1: 0: is given twice"),
        ('{"seats": 2, "seats": 3}', "here.yaml: seats: is given twice"),
        ("a: !!python/object:os.system {}", "not YAML"),
        ("[" * 3000, "here.yaml"),  # too deep or unfinished, by how deep the interpreter may go
        ('{"a":' * 100_000, "nested too deeply"),
        ("seats: 2001-99-99", "not a position"),
        ("\x00", "not YAML"),
    ],
)
def test_a_text_that_is_no_position(text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_position(text, "here.yaml")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("here.yaml")

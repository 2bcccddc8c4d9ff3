from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given

from mtref_sdk.eventdict import EVENT_NAMES, event_from_dict, event_to_dict
from mtref_sdk.events import Event, HandDealt, TilePlayed
from mtref_sdk.tiles import Tile
from tests.replay.any_event import events


@given(events())
def test_every_event_survives_json(event: Event) -> None:
    assert event_from_dict(json.loads(json.dumps(event_to_dict(event)))) == event


def test_tiles_are_texts_and_what_is_hidden_is_null() -> None:
    assert event_to_dict(TilePlayed(0, Tile(3, 9), "m1", 9)) == {
        "event": "tile_played",
        "seat": 0,
        "tile": "3-9",
        "train": "m1",
        "end": 9,
    }
    assert event_to_dict(HandDealt(1, None)) == {"event": "hand_dealt", "seat": 1, "tiles": None}


def test_every_kind_of_event_has_its_own_name() -> None:
    assert len(set(EVENT_NAMES)) == len(get_args(Event))


@pytest.mark.parametrize(
    ("plain", "reason"),
    [
        ({}, "unknown event 'None'"),
        ({"event": "tile_eaten"}, "unknown event 'tile_eaten'"),
        ({"event": ["turn_passed"]}, "unknown event"),
        ({"event": "turn_passed"}, "turn_passed lacks its field seat"),
        ({"event": "turn_passed", "seat": 0, "x": 1}, "turn_passed has no field 'x'"),
        ({"event": "turn_passed", "seat": -1}, "turn_passed: seat: expected a whole number"),
        ({"event": "turn_passed", "seat": True}, "turn_passed: seat: expected a whole number"),
        ({"event": "turn_passed", "seat": 1 << 40}, "turn_passed: seat: expected a whole number"),
        ({"event": "tile_drawn", "seat": 0, "tile": "9-3"}, "tile_drawn: tile: expected a tile"),
        ({"event": "tile_drawn", "seat": 0, "tile": "3-19"}, "tile_drawn: tile: no such tile"),
        ({"event": "tile_drawn", "seat": 0, "tile": 39}, "tile_drawn: tile: expected a tile"),
        ({"event": "double_bound", "train": "m19"}, "double_bound: train: not a train"),
        ({"event": "hand_dealt", "seat": 0, "tiles": "3-9"}, "hand_dealt: tiles: expected a list"),
        ({"event": "hand_dealt", "seat": 0, "tiles": ["0-0"] * 999}, "hand_dealt: tiles: expected a list"),
        (
            {"event": "round_ended", "how": "x", "seat": None, "scores": [], "totals": []},
            "round_ended: how: expected one of went_out, blocked",
        ),
    ],
)
def test_anything_else_is_refused_with_the_event_and_the_field(plain: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        event_from_dict(plain)

"""What a seat is told of an event that cannot be: logs are read before anybody has looked whether it fits."""

from __future__ import annotations

import pytest

from mtref.rules.projection import project
from mtref_sdk.events import EngineSearchDrawn, HandDealt, TileDrawn
from mtref_sdk.moves import MAX_SEATS
from mtref_sdk.tiles import TILE_BY_CODE

TILE = next(iter(TILE_BY_CODE.values()))


@pytest.mark.parametrize("seat", [0, MAX_SEATS - 1, MAX_SEATS, 2**31 - 1])
def test_tiles_of_a_seat_that_no_table_has_are_hidden_too(seat: int) -> None:
    assert project(HandDealt(seat, (TILE,)), 1) == HandDealt(seat, None)
    assert project(TileDrawn(seat, TILE), 1) == TileDrawn(seat, None)
    assert project(EngineSearchDrawn(seat, TILE), 1) == EngineSearchDrawn(seat, None)

"""Strategies for every kind of event, made from the fields of its class, for tests of the wire and of the fold."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from mtref_sdk.events import Event
from mtref_sdk.moves import TRAINS
from mtref_sdk.tiles import TILE_BY_CODE
from mtref_sdk.wire import EVENT_KINDS

TILES = st.sampled_from(list(TILE_BY_CODE.values()))
SEATS = st.integers(0, 9)
_BY_ANNOTATION: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(0, 1000),
    "int | None": st.none() | SEATS,
    "How": st.sampled_from(["went_out", "blocked"]),
    "Tile": TILES,
    "Tile | None": st.none() | TILES,
    "str": st.sampled_from(TRAINS),
    "tuple[int, ...]": st.lists(st.integers(0, 5000), max_size=10).map(tuple),
    "tuple[Tile, ...]": st.lists(TILES, max_size=30).map(tuple),
    "tuple[Tile, ...] | None": st.none() | st.lists(TILES, max_size=30).map(tuple),
}


def events_of(kind: type[Event]) -> st.SearchStrategy[Event]:
    """Any event of one kind."""
    return st.builds(kind, **{field.name: _BY_ANNOTATION[str(field.type)] for field in fields(kind)})


EVENTS: st.SearchStrategy[Event] = st.one_of(*map(events_of, EVENT_KINDS))

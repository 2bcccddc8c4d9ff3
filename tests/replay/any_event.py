"""Hypothesis strategies for events, of any form an event may have, whether it can happen or not."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

from hypothesis import strategies as st

from mtref_sdk.events import Event
from mtref_sdk.moves import TRAINS
from mtref_sdk.tiles import TILE_BY_CODE

__all__ = ["events"]

_SEATS = st.integers(0, 9)
_TILES = st.sampled_from(list(TILE_BY_CODE.values()))
_BY_ANNOTATION: dict[str, st.SearchStrategy[Any]] = {
    "int": _SEATS,
    "int | None": st.none() | _SEATS,
    "How": st.sampled_from(["went_out", "blocked"]),
    "Tile": _TILES,
    "Tile | None": st.none() | _TILES,
    "str": st.sampled_from(TRAINS),
    "tuple[int, ...]": st.lists(st.integers(0, 2000), max_size=10).map(tuple),
    "tuple[Tile, ...]": st.lists(_TILES, max_size=20).map(tuple),
    "tuple[Tile, ...] | None": st.none() | st.lists(_TILES, max_size=20).map(tuple),
}


def events() -> st.SearchStrategy[Event]:
    """Any event."""
    return st.one_of(
        [
            st.builds(kind, **{field.name: _BY_ANNOTATION[str(field.type)] for field in fields(kind)})
            for kind in get_args(Event)
        ]
    )

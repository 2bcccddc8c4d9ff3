"""Events as plain dictionaries for JSON, and back; the form events have in logs, in positions and in tests.

``{"event": "tile_played", "seat": 0, "tile": "3-9", "train": "m1", "end": 9}``: the event's name, then its fields in
the order of its class. Tiles are texts with the lower number first, tuples are lists, what is hidden is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final, get_args

from mtref_sdk.errors import InvalidMoveError
from mtref_sdk.events import Event, How
from mtref_sdk.moves import parse_train
from mtref_sdk.tiles import MAX_PIP, TILE_BY_CODE, Tile, parse_tile

__all__ = ["EVENT_NAMES", "event_from_dict", "event_to_dict"]

_Convert = Callable[[Any], Any]

_TILE_TEXT: Final = {tile: str(tile) for tile in TILE_BY_CODE.values()}
_LONGEST: Final = (MAX_PIP + 1) * (MAX_PIP + 2) // 2
_LARGEST: Final = 1 << 31


def _same(value: Any) -> Any:
    return value


def _texts_of_tiles(tiles: tuple[Tile, ...]) -> list[str]:
    return [_TILE_TEXT[tile] for tile in tiles]


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < _LARGEST:
        raise ValueError("expected a whole number from 0")
    return value


def _tile(value: Any) -> Tile:
    if not isinstance(value, str) or str(parse_tile(value)) != value:
        raise ValueError("expected a tile such as 3-9, the lower number first")
    return parse_tile(value)


def _train(value: Any) -> str:
    if not isinstance(value, str) or parse_train(value) != value:
        raise ValueError("expected a train such as 0 or m1")
    return value


def _how(value: Any) -> str:
    if value not in get_args(How):
        raise ValueError(f"expected one of {', '.join(get_args(How))}")
    return str(value)


def _tuple_of(convert: _Convert) -> _Convert:
    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > _LONGEST:
            raise ValueError("expected a list")
        return tuple([convert(item) for item in value])

    return read


def _or_none(convert: _Convert) -> _Convert:
    return lambda value: None if value is None else convert(value)


# How each annotation used in `mtref_sdk.events` is written and read; a new one must be added here.
_FORMS: Final[dict[str, tuple[_Convert, _Convert]]] = {
    "int": (_same, _number),
    "int | None": (_same, _or_none(_number)),
    "How": (_same, _how),
    "Tile": (_TILE_TEXT.__getitem__, _tile),
    "Tile | None": (_or_none(_TILE_TEXT.__getitem__), _or_none(_tile)),
    "str": (_same, _train),
    "tuple[int, ...]": (list, _tuple_of(_number)),
    "tuple[Tile, ...]": (_texts_of_tiles, _tuple_of(_tile)),
    "tuple[Tile, ...] | None": (_or_none(_texts_of_tiles), _or_none(_tuple_of(_tile))),
}

_CLASSES: Final = {kind.name: kind for kind in get_args(Event)}
_WRITERS: Final = {
    kind: tuple((field.name, _FORMS[str(field.type)][0]) for field in fields(kind))
    for kind in get_args(Event)
}
_READERS: Final = {
    kind.name: {field.name: _FORMS[str(field.type)][1] for field in fields(kind)} for kind in get_args(Event)
}

EVENT_NAMES: Final[tuple[str, ...]] = tuple(_CLASSES)
"""The names of all events, in the order of `mtref_sdk.events.Event`."""


def event_to_dict(event: Event) -> dict[str, Any]:
    """`event` as a dictionary that ``json`` can write: ``"event"`` (its name) first, then its fields."""
    plain: dict[str, Any] = {"event": event.name}
    for name, write in _WRITERS[type(event)]:
        plain[name] = write(getattr(event, name))
    return plain


def event_from_dict(plain: Mapping[str, Any]) -> Event:
    """The event of a dictionary made by `event_to_dict`.

    Raises ValueError, with the event and the field, for an unknown name, a field that is missing, unknown or of
    another form. Whether the event can happen at all is not looked at.
    """
    name = plain.get("event")
    if not isinstance(name, str) or name not in _CLASSES:
        raise ValueError(f"unknown event {str(name)[:40]!r}")
    readers = _READERS[name]
    for key in plain:
        if key not in readers and key != "event":
            raise ValueError(f"{name} has no field {str(key)[:40]!r}")
    values = {}
    for key, read in readers.items():
        if key not in plain:
            raise ValueError(f"{name} lacks its field {key}")
        try:
            values[key] = read(plain[key])
        except (InvalidMoveError, ValueError) as error:
            raise ValueError(f"{name}: {key}: {error}") from error
    event: Event = _CLASSES[name](**values)
    return event

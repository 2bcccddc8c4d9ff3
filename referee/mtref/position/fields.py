"""Single values of a position, from plain YAML or JSON to the vocabulary, each refused with its key. No key knows another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mtref.position.values import Link
from mtref_sdk.errors import ConfigError, InvalidMoveError
from mtref_sdk.moves import Move, parse_move, parse_train
from mtref_sdk.ruleoptions import shown
from mtref_sdk.tiles import Tile, parse_tile

__all__ = [
    "items",
    "link",
    "mapping",
    "move",
    "seat_key",
    "seat_numbers",
    "tile",
    "tiles_or_number",
    "train",
    "truth",
    "whole",
]


def whole(key: str, value: object, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise ConfigError(f"{shown(value)} is not a whole number from {least} to {most}", key=key)
    return value


def truth(key: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ConfigError(f"{shown(value)} is neither true nor false", key=key)
    return value


def items(key: str, value: object, what: str) -> Sequence[Any]:
    """A list."""
    if not isinstance(value, (list, tuple)):
        raise ConfigError(f"{shown(value)} is not a list of {what}", key=key)
    return value


def mapping(key: str, value: object, what: str) -> Mapping[Any, Any]:
    """A mapping."""
    if not isinstance(value, Mapping):
        raise ConfigError(f"{shown(value)} is not a mapping {what}", key=key)
    return value


def seat_key(key: str, value: object, seats: int) -> int:
    """A seat's number; as the key of a mapping it may also be text, which JSON needs."""
    if isinstance(value, str) and re.fullmatch(r"\d", value):
        value = int(value)
    if type(value) is not int or not 0 <= value < seats:
        raise ConfigError(f"{shown(value)} is no seat; seats are 0 to {seats - 1}", key=key)
    return value


def seat_numbers(key: str, value: object, seats: int) -> tuple[int, ...]:
    """A list of seats, none of them twice, ascending."""
    numbers = [seat_key(key, entry, seats) for entry in items(key, value, "seats")]
    _refuse_twice(key, numbers, "seat ")
    return tuple(sorted(numbers))


def tile(key: str, value: object, tile_set: int) -> Tile:
    """A tile of the set."""
    if not isinstance(value, str):
        raise ConfigError(f"not a tile: {shown(value)}; write two numbers with a dash, such as 3-11", key=key)
    try:
        found = parse_tile(value)
    except InvalidMoveError as error:
        raise ConfigError(str(error), key=key) from None
    if found.high > tile_set:
        raise ConfigError(f"{found} is not in the double-{tile_set} set", key=key)
    return found


def tiles_or_number(key: str, value: object, tile_set: int, most: int) -> tuple[Tile, ...] | int:
    """A list of tiles, or a number of unknown ones."""
    if isinstance(value, (list, tuple)):
        return tuple(tile(key, entry, tile_set) for entry in value)
    if type(value) is int and 0 <= value <= most:
        return value
    raise ConfigError(
        f"{shown(value)} is neither a list of tiles nor a number of tiles up to {most}", key=key
    )


def link(key: str, value: object, tile_set: int) -> Link:
    """A tile as it lies, inner number first."""
    tile(key, value, tile_set)
    inner, outer = str(value).strip().split("-")
    return int(inner), int(outer)


def train(key: str, value: object) -> str:
    """A train's id: a seat's number, or m1, m2, …"""
    text = str(value) if type(value) is int else value
    if not isinstance(text, str):
        raise ConfigError(f"not a train: {shown(value)}; trains are seats' numbers, and m1, m2, …", key=key)
    try:
        return parse_train(text)
    except InvalidMoveError as error:
        raise ConfigError(str(error), key=key) from None


def move(key: str, value: object) -> Move:
    """A move that lays a tile."""
    try:
        found = parse_move(value) if isinstance(value, str) else None
    except InvalidMoveError as error:
        raise ConfigError(str(error), key=key) from None
    if found is None or found.is_stop:
        raise ConfigError(f"{shown(value)} lays no tile; write tile@train, such as 3-9@2", key=key)
    return found


def _refuse_twice(key: str, values: Iterable[object], what: str) -> None:
    seen: set[object] = set()
    for value in values:
        if value in seen:
            raise ConfigError(f"{what}{value} is there twice", key=key)
        seen.add(value)

"""Events as packed integers, the form in which they cross the wire and wait to be folded, and back.

An event is its kind, n, and n numbers; events follow each other without a mark. The layout is generated from the
fields of the event classes; ``EventKind`` in mtref.proto and docs/protocol.md describe it for other languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Final, get_args

from mtref_sdk.errors import InvalidMoveError, ProtocolError
from mtref_sdk.events import Event, How
from mtref_sdk.moves import MAX_SEATS, TRAINS, train_code
from mtref_sdk.tiles import MAX_PIP, TILE_BY_CODE, Tile

__all__ = ["EVENT_KINDS", "HIDDEN", "KIND_BY_EVENT", "PROTOCOL_VERSION", "pack", "split", "unpack"]

PROTOCOL_VERSION: Final = 1
"""The version of mtref.proto and of the layouts here."""

HIDDEN: Final = 1023
"""What stands for a tile, or a list of tiles, that the receiver may not see: the same number whatever it hides."""

EVENT_KINDS: Final[tuple[type[Event], ...]] = get_args(Event)
"""The event classes in the order of their kinds, which begin with 1. Classes are only ever added at the end."""

KIND_BY_EVENT: Final = {kind: number for number, kind in enumerate(EVENT_KINDS, start=1)}
"""The number of each event class on the wire."""

_MAX_LIST: Final = (MAX_PIP + 1) * (MAX_PIP + 2) // 2

_Write = Callable[[Any], Sequence[int]]
_Read = Callable[[Iterator[int]], Any]


def _read_list(numbers: Iterator[int], length: int) -> list[int]:
    if length > _MAX_LIST:
        raise ValueError(f"a list of {length}")
    return [next(numbers) for _ in range(length)]


def _read_tile(numbers: Iterator[int]) -> Tile:
    return TILE_BY_CODE[next(numbers)]


def _read_tile_or_none(numbers: Iterator[int]) -> Tile | None:
    code = next(numbers)
    return None if code == HIDDEN else TILE_BY_CODE[code]


def _read_seat_or_none(numbers: Iterator[int]) -> int | None:
    seat = next(numbers) - 1
    if seat >= MAX_SEATS:
        raise ValueError(f"seat {seat}")
    return None if seat < 0 else seat


def _read_tiles(numbers: Iterator[int]) -> tuple[Tile, ...]:
    return tuple([TILE_BY_CODE[code] for code in _read_list(numbers, next(numbers))])


def _read_tiles_or_none(numbers: Iterator[int]) -> tuple[Tile, ...] | None:
    length = next(numbers)
    return None if length == HIDDEN else tuple([TILE_BY_CODE[code] for code in _read_list(numbers, length)])


def _write_tiles(tiles: tuple[Tile, ...]) -> list[int]:
    return [len(tiles), *[tile.low << 5 | tile.high for tile in tiles]]


# How each annotation used in `mtref_sdk.events` is packed and unpacked; a new one must be added here.
_FORMS: Final[dict[str, tuple[_Write, _Read]]] = {
    "int": (lambda value: (value,), next),
    "int | None": (lambda seat: (0 if seat is None else seat + 1,), _read_seat_or_none),
    "How": (lambda how: (get_args(How).index(how),), lambda numbers: get_args(How)[next(numbers)]),
    "Tile": (lambda tile: (tile.low << 5 | tile.high,), _read_tile),
    "Tile | None": (
        lambda tile: (HIDDEN if tile is None else tile.low << 5 | tile.high,),
        _read_tile_or_none,
    ),
    "str": (lambda train: (train_code(train),), lambda numbers: TRAINS[next(numbers)]),
    "tuple[int, ...]": (
        lambda values: (len(values), *values),
        lambda numbers: tuple(_read_list(numbers, next(numbers))),
    ),
    "tuple[Tile, ...]": (_write_tiles, _read_tiles),
    "tuple[Tile, ...] | None": (
        lambda tiles: (HIDDEN,) if tiles is None else _write_tiles(tiles),
        _read_tiles_or_none,
    ),
}

_WRITERS: Final = {
    kind: (number, tuple((field.name, _FORMS[str(field.type)][0]) for field in fields(kind)))
    for kind, number in KIND_BY_EVENT.items()
}
_READERS: Final = {
    number: (kind, tuple(_FORMS[str(field.type)][1] for field in fields(kind)))
    for kind, number in KIND_BY_EVENT.items()
}


def pack(event: Event) -> list[int]:
    """`event` as its kind, n, and n numbers. What is hidden (None) packs to the same numbers whatever it hides."""
    kind, writers = _WRITERS[type(event)]
    packed = [kind, 0]
    for name, write in writers:
        packed += write(getattr(event, name))
    packed[1] = len(packed) - 2
    return packed


def split(packed: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Each event of `packed` as (kind, numbers). Raises ProtocolError when the last one is cut short."""
    at, end = 0, len(packed)
    while at < end:
        if at + 2 > end or (after := at + 2 + packed[at + 1]) > end:
            raise ProtocolError(f"events are cut short at number {at} of {end}")
        yield packed[at], packed[at + 2 : after]
        at = after


def unpack(packed: Sequence[int]) -> list[Event]:
    """The events in `packed`, in order; kinds and trailing numbers of a later version are skipped.

    Raises ProtocolError for numbers that are no event.
    """
    events: list[Event] = []
    for kind, numbers in split(packed):
        if kind not in _READERS:
            continue
        event, readers = _READERS[kind]
        rest = iter(numbers)
        try:
            events.append(event(*[read(rest) for read in readers]))
        except (StopIteration, KeyError, IndexError, ValueError, InvalidMoveError) as error:
            raise ProtocolError(f"not a {event.name} event: {list(numbers)}") from error
    return events

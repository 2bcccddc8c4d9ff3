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
from mtref_sdk.moves import CODE_BY_TRAIN, MAX_SEATS, TRAINS
from mtref_sdk.tiles import MAX_PIP, TILE_BY_CODE, Tile
from mtref_sdk.varint import varints

__all__ = [
    "EVENT_KINDS",
    "HIDDEN",
    "KIND_BY_EVENT",
    "MARK",
    "METHOD",
    "PROTOCOL_VERSION",
    "pack",
    "packed",
    "split",
    "unpack",
]

PROTOCOL_VERSION: Final = 1
"""The version of mtref.proto and of the layouts here."""

METHOD: Final = "/mtref.v1.RefereeService/Play"
"""The one call of the protocol."""

MARK: Final = "mtref"
"""The metadata key with which a referee answers a call whose token it knows, before it is told anything."""

HIDDEN: Final = 1023
"""What stands for a tile, or a list of tiles, that the receiver may not see: the same number whatever it hides."""

EVENT_KINDS: Final[tuple[type[Event], ...]] = get_args(Event)
"""The event classes in the order of their kinds, which begin with 1. Classes are only ever added at the end."""

KIND_BY_EVENT: Final = {kind: number for number, kind in enumerate(EVENT_KINDS, start=1)}
"""The number of each event class on the wire."""

_HOWS: Final = get_args(How)
_MAX_LIST: Final = (MAX_PIP + 1) * (MAX_PIP + 2) // 2

_Pack = Callable[[Event], list[int]]
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


def _codes(tiles: tuple[Tile, ...]) -> list[int]:
    return [tile.low << 5 | tile.high for tile in tiles]


_TILE: Final = "{0}.low << 5 | {0}.high"
_TILES: Final = "len({0}), *_codes({0})"

# How each annotation used in `mtref_sdk.events` is packed (numbers, as an expression of the field) and unpacked; a new
# one must be added here.
_FORMS: Final[dict[str, tuple[str, _Read]]] = {
    "int": ("{0}", next),
    "int | None": ("0 if {0} is None else {0} + 1", _read_seat_or_none),
    "How": ("_HOWS.index({0})", lambda numbers: _HOWS[next(numbers)]),
    "Tile": (_TILE, _read_tile),
    "Tile | None": (f"HIDDEN if {{0}} is None else {_TILE}", _read_tile_or_none),
    "str": ("CODE_BY_TRAIN[{0}]", lambda numbers: TRAINS[next(numbers)]),
    "tuple[int, ...]": ("len({0}), *{0}", lambda numbers: tuple(_read_list(numbers, next(numbers)))),
    "tuple[Tile, ...]": (_TILES, _read_tiles),
    "tuple[Tile, ...] | None": (f"*((HIDDEN,) if {{0}} is None else ({_TILES}))", _read_tiles_or_none),
}


_NAMES: Final = {"HIDDEN": HIDDEN, "CODE_BY_TRAIN": CODE_BY_TRAIN, "_HOWS": _HOWS, "_codes": _codes}


def _packer(kind: type[Event], number: int) -> _Pack:
    """Makes the function that packs events of one kind, as `dataclasses` makes ``__init__``: it runs for every event."""
    numbers = ", ".join(_FORMS[str(field.type)][0].format(f"event.{field.name}") for field in fields(kind))
    made: _Pack = eval(f"lambda event: [{number}, 0, {numbers}]", _NAMES)  # noqa: S307 - our own field names
    return made


_PACKERS: Final = {kind: _packer(kind, number) for kind, number in KIND_BY_EVENT.items()}
_READERS: Final = {
    number: (kind, tuple(_FORMS[str(field.type)][1] for field in fields(kind)))
    for kind, number in KIND_BY_EVENT.items()
}


def pack(event: Event) -> list[int]:
    """`event` as its kind, n, and n numbers. What is hidden (None) packs to the same numbers whatever it hides."""
    numbers = _PACKERS[type(event)](event)
    numbers[1] = len(numbers) - 2
    return numbers


def packed(event: Event) -> bytes:
    """The same as a message holds it, which is kept with the event: for those who pack an event again and again."""
    try:
        return event.packed
    except AttributeError:
        data = varints(pack(event))
        object.__setattr__(event, "packed", data)  # frozen; but this says nothing that the event does not
        return data


def split(numbers: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Each packed event of `numbers` as (kind, numbers). Raises ProtocolError when the last one is cut short."""
    at, end = 0, len(numbers)
    while at < end:
        if at + 2 > end or (after := at + 2 + numbers[at + 1]) > end:
            raise ProtocolError(f"events are cut short at number {at} of {end}")
        yield numbers[at], numbers[at + 2 : after]
        at = after


def unpack(numbers: Sequence[int]) -> list[Event]:
    """The packed events of `numbers`, in order; kinds and trailing numbers of a later version are skipped.

    Raises ProtocolError for numbers that are no event.
    """
    events: list[Event] = []
    for kind, its_own in split(numbers):
        if kind not in _READERS:
            continue
        event, readers = _READERS[kind]
        rest = iter(its_own)
        try:
            events.append(event(*[read(rest) for read in readers]))
        except (StopIteration, KeyError, IndexError, ValueError, InvalidMoveError) as error:
            raise ProtocolError(f"not a {event.name} event: {list(its_own)}") from error
    return events

"""Records as the JSON text of a log's lines and of the game's digest.

Events and decisions, which are most of a log and of a referee's work, are written straight: character for character
what `mtref.replay.encode` gives by way of dictionaries. A test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, get_args

from mtref.replay.encode import compact, meaning, move_text, record_to_dict
from mtref.replay.records import LogDecision, Record
from mtref_sdk.events import Event
from mtref_sdk.tiles import Tile

__all__ = ["line_text", "meaning_text"]

_Text = Callable[[Any], str]

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)


def _numbers(values: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, values))}]"


def _tile(tile: Tile | None) -> str:
    return "null" if tile is None else f'"{tile.low}-{tile.high}"'


def _tiles(tiles: tuple[Tile, ...] | None) -> str:
    return "null" if tiles is None else f"[{','.join([_tile(tile) for tile in tiles])}]"


# How each annotation used in `mtref_sdk.events` is written, as a piece of an f-string; a new one must be added here.
_FORMS: Final[dict[str, str]] = {
    "int": "{%s}",
    "int | None": "{_number(%s)}",
    "How": '"{%s}"',
    "Tile": '"{%s.low}-{%s.high}"',
    "Tile | None": "{_tile(%s)}",
    "str": '"{%s}"',
    "tuple[int, ...]": "{_numbers(%s)}",
    "tuple[Tile, ...]": "{_tiles(%s)}",
    "tuple[Tile, ...] | None": "{_tiles(%s)}",
}


_NAMES: Final = {"_number": _number, "_numbers": _numbers, "_tile": _tile, "_tiles": _tiles}


def _writer(pieces: list[str]) -> _Text:
    """Makes a function that writes an event, as `dataclasses` makes ``__init__``: it runs for every event of every game."""
    written: _Text = eval(f"lambda event: f'{','.join(pieces)}'", _NAMES)  # noqa: S307 - made of our own field names
    return written


def _pieces(kind: type[Event]) -> list[str]:
    forms = [
        f'"{field.name}":{_FORMS[str(field.type)].replace("%s", f"event.{field.name}")}'
        for field in fields(kind)
    ]
    return [f'"event":"{kind.name}"', *forms]


_LINES: Final[dict[type[Any], _Text]] = {kind: _writer(_pieces(kind)) for kind in get_args(Event)}
_MEANINGS: Final[dict[type[Any], _Text]] = {
    kind: _writer(sorted([*_pieces(kind), '"t":"event"'])) for kind in get_args(Event)
}


def _moves(codes: tuple[int, ...]) -> str:
    return '["' + '","'.join(map(move_text, codes)) + '"]' if codes else "[]"


def _lifts(codes: tuple[int, ...]) -> str:
    return _moves(tuple([code & ~1 for code in codes])) if codes else "[]"


def _milliseconds(value: float | None) -> str:
    return "null" if value is None else repr(round(value, 3))


def _decision_line(choice: LogDecision) -> str:
    return (
        f'"seat":{choice.seat},"legal":{_moves(choice.legal)},"may_lift":{_lifts(choice.may_lift)},'
        f'"move":"{move_text(choice.move)}","by":"{choice.by}",'
        f'"ms":{_milliseconds(choice.ms)},"bank_ms":{_milliseconds(choice.bank_ms)}'
    )


def _decision_meaning(choice: LogDecision) -> str:
    return (
        f'"legal":{_moves(choice.legal)},"may_lift":{_lifts(choice.may_lift)},'
        f'"move":"{move_text(choice.move)}","seat":{choice.seat},"t":"decision"'
    )


_LINES[LogDecision] = _decision_line
_MEANINGS[LogDecision] = _decision_meaning


def line_text(record: Record, number: int) -> str:
    """`record` as line `number` of a log, without check sum and closing brace."""
    write = _LINES.get(type(record))
    if write is None:
        return compact(record_to_dict(record, number))[:-1]
    return f'{{"t":"{getattr(record, "line", "event")}","n":{number},{write(record)}'


def meaning_text(record: Record) -> str:
    """What of `record` the ``game_digest`` covers, as JSON with sorted keys and a line's end; empty for nothing."""
    write = _MEANINGS.get(type(record))
    if write is not None:
        return f"{{{write(record)}}}\n"
    plain = meaning(record)
    return "" if plain is None else _canonical(plain) + "\n"

"""Records as JSON text: of the lines of today's format, and of the game's digest.

Events and decisions, which are most of a log and of a referee's work, are written straight: character for character
what `mtref.replay.encode` gives by way of dictionaries. A test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, get_args

from mtref.replay.encode import meaning, move_text
from mtref.replay.records import LogDecision, Record
from mtref_sdk.events import Event
from mtref_sdk.tiles import TILE_BY_CODE, Tile

__all__ = ["EVENT_TEXTS", "decision_texts", "meaning_text"]

_Texts = Callable[[Any], tuple[str, str]]

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode

_HIDDEN = -1
_TILES: Final = {_HIDDEN: "null"} | {code: f'"{tile}"' for code, tile in TILE_BY_CODE.items()}


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)


def _numbers(values: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, values))}]"


def _tiles(tiles: tuple[Tile, ...] | None) -> str:
    return "null" if tiles is None else f"[{','.join([_TILES[tile.low << 5 | tile.high] for tile in tiles])}]"


_CODE: Final = "{0}.low << 5 | {0}.high"

# How each annotation used in `mtref_sdk.events` is written; a new one must be added here. First what the text follows from, as an
# expression of the field, then the text as an expression of that, in quotes or not.
_FORMS: Final[dict[str, tuple[str, str]]] = {
    "int": ("{0}", "{{{0}}}"),
    "int | None": ("{0}", "{{_number({0})}}"),
    "How": ("{0}", '"{{{0}}}"'),
    "Tile": (_CODE, "{{_TILES[{0}]}}"),
    "Tile | None": (f"_HIDDEN if {{0}} is None else {_CODE}", "{{_TILES[{0}]}}"),
    "str": ("{0}", '"{{{0}}}"'),
    "tuple[int, ...]": ("{0}", "{{_numbers({0})}}"),
    "tuple[Tile, ...]": ("{0}", "{{_tiles({0})}}"),
    "tuple[Tile, ...] | None": ("{0}", "{{_tiles({0})}}"),
}

_NAMES: Final = {
    "_HIDDEN": _HIDDEN,
    "_TILES": _TILES,
    "_number": _number,
    "_numbers": _numbers,
    "_tiles": _tiles,
}

_KEPT: Final = 1 << 13
"""Texts of each kind of event that are kept: at a table of four most of those that there are."""


def _writer(kind: type[Event]) -> _Texts:
    """Makes the function that writes an event, as `dataclasses` makes ``__init__``: it runs for every event of every game."""
    values, pieces = [], [f'"event":"{kind.name}"']
    for field in fields(kind):
        value, text = _FORMS[str(field.type)]
        values.append(value.format(f"event.{field.name}"))
        pieces.append(f'"{field.name}":{text.format(field.name)}')
    line, meant = (f"{{{{{','.join(found)}}}}}\n" for found in (pieces, sorted([*pieces, '"t":"event"'])))
    names = ", ".join([field.name for field in fields(kind)])
    texts = eval(f"lambda {names}: (f{line!r}, f{meant!r})", _NAMES)  # noqa: S307 - made of our own field names
    if not any(str(field.type).startswith("tuple") for field in fields(kind)):
        texts = lru_cache(_KEPT)(texts)
    written: _Texts = eval(f"lambda event: texts({', '.join(values)})", _NAMES | {"texts": texts})  # noqa: S307 - the same
    return written


EVENT_TEXTS: Final[dict[type[Any], _Texts]] = {kind: _writer(kind) for kind in get_args(Event)}
"""By kind of event what writes it as a line with all its fields, and as `meaning_text` does."""


def _moves(codes: tuple[int, ...]) -> str:
    return '["' + '","'.join(map(move_text, codes)) + '"]' if codes else "[]"


def _lifts(codes: tuple[int, ...]) -> str:
    return _moves(tuple([code & ~1 for code in codes])) if codes else "[]"


def decision_texts(choice: LogDecision, bank: str = "") -> tuple[str, str]:
    """A decision as a line, `bank` being its last field, and as `meaning_text` gives it."""
    seat, legal, lifts, move = (
        choice.seat,
        _moves(choice.legal),
        _lifts(choice.may_lift),
        move_text(choice.move),
    )
    may_lift = f',"may_lift":{lifts}' if choice.may_lift else ""
    by = "" if choice.by == "bot" else f',"by":"{choice.by}"'
    ms = "" if choice.ms is None else f',"ms":{choice.ms:.1f}'
    return (
        f'{{"t":"decision","seat":{seat},"legal":{legal}{may_lift},"move":"{move}"{by}{ms}{bank}}}\n',
        _decision_meaning(seat, legal, lifts, move),
    )


def _decision_meaning(seat: int, legal: str, lifts: str, move: str) -> str:
    return f'{{"legal":{legal},"may_lift":{lifts},"move":"{move}","seat":{seat},"t":"decision"}}\n'


def meaning_text(record: Record) -> str:
    """What of `record` the ``game_digest`` covers, as JSON with sorted keys and a line's end; empty for nothing."""
    texts = EVENT_TEXTS.get(type(record))
    if texts is not None:
        return texts(record)[1]
    if isinstance(record, LogDecision):
        legal, lifts = _moves(record.legal), _lifts(record.may_lift)
        return _decision_meaning(record.seat, legal, lifts, move_text(record.move))
    plain = meaning(record)
    return "" if plain is None else _canonical(plain) + "\n"

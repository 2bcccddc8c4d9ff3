"""Records as JSON text: of the lines of today's format, and of the game's digest.

Events and decisions, which are most of a log and of a referee's work, are written straight: character for character
what `mtref.replay.encode` gives by way of dictionaries. A test compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final, cast, get_args

from mtref.replay.encode import meaning, move_text
from mtref.replay.leftout import key_of, way_of
from mtref.replay.records import LogDecision, Record
from mtref_sdk.events import Event
from mtref_sdk.tiles import TILE_BY_CODE, Tile

__all__ = ["EventTexts", "decision_texts", "event_texts", "meaning_text"]

EventTexts = tuple[str, str, str, int, int]
"""See `event_texts`."""

_Texts = Callable[[Any], EventTexts]

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)


def _numbers(values: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, values))}]"


_TILES: Final = {code: f'"{tile}"' for code, tile in TILE_BY_CODE.items()}


def _tile(tile: Tile | None) -> str:
    return "null" if tile is None else _TILES[tile.low << 5 | tile.high]


def _tiles(tiles: tuple[Tile, ...] | None) -> str:
    if tiles is None:
        return "null"
    return f"[{','.join([_TILES[tile.low << 5 | tile.high] for tile in tiles])}]"


# How each annotation used in `mtref_sdk.events` is written, as a piece of an f-string; a new one must be added here.
_FORMS: Final[dict[str, str]] = {
    "int": "{%s}",
    "int | None": "{_number(%s)}",
    "How": '"{%s}"',
    "Tile": "{_tile(%s)}",
    "Tile | None": "{_tile(%s)}",
    "str": '"{%s}"',
    "tuple[int, ...]": "{_numbers(%s)}",
    "tuple[Tile, ...]": "{_tiles(%s)}",
    "tuple[Tile, ...] | None": "{_tiles(%s)}",
}

_NAMES: Final = {"key_of": key_of, "_number": _number, "_numbers": _numbers, "_tile": _tile, "_tiles": _tiles}


def _writer(kind: type[Event]) -> _Texts:
    """Makes the function that writes an event, as `dataclasses` makes ``__init__``."""
    line, meant = [f'"event":"{kind.name}"'], [f'"event":"{kind.name}"', '"t":"event"']
    for field in fields(kind):
        name = field.name
        before, value, after = re.split("[{}]", _FORMS[str(field.type)])
        line.append(f'"{name}":{before}{{({name} := {value % f"event.{name}"})}}{after}')
        meant.append(f'"{name}":{before}{{{name}}}{after}')  # worked out already
    forms = [f"{{{{{','.join(found)}}}}}\n" for found in (line, sorted(meant))]
    short = f'{{"event":"{kind.name}"}}\n'
    made = "lambda event: (f{!r}, f{!r}, {!r}, {!r}, key_of(event))".format(*forms, short, way_of(kind))
    written: _Texts = eval(made, _NAMES)  # noqa: S307 - made of our own field names
    return written


_WRITERS: Final[dict[type[Any], _Texts]] = {kind: _writer(kind) for kind in get_args(Event)}


def event_texts(event: Event) -> EventTexts:
    """An event as a line with all its fields, as `meaning_text` gives it, and as a line without any.

    After that what `way_of` and `key_of` give, which tell whether that line will do. All this is kept with the event.
    """
    try:
        return event.texts
    except AttributeError:
        texts = _WRITERS[type(event)](event)
        object.__setattr__(event, "texts", texts)  # frozen; but this says nothing that the event does not
        return texts


_NEXT: Final = '","'.join


def _moves(codes: tuple[int, ...]) -> str:
    return f'["{_NEXT(map(move_text, codes))}"]' if codes else "[]"


def _lifts(codes: tuple[int, ...]) -> str:
    return _moves(tuple([code & ~1 for code in codes])) if codes else "[]"


_TENTHS: Final = [f"{tenths / 10:.1f}" for tenths in range(1000)]


def _tenths(ms: float) -> str:
    """What ``f"{ms:.1f}"`` gives, which takes five times as long where this is compiled."""
    raised = ms * 10 + 0.5
    if 0.5 <= raised < len(_TENTHS):
        tenths = int(raised)
        if 0.001 < raised - tenths < 0.999:  # else the last bit decides how it is rounded
            return _TENTHS[tenths]
    return f"{ms:.1f}"


def decision_texts(choice: LogDecision, bank: str = "") -> tuple[str, str]:
    """A decision as a line, `bank` being its last field, and as `meaning_text` gives it."""
    seat, legal, move, ms = choice.seat, _moves(choice.legal), move_text(choice.move), choice.ms
    may_lift, lifts = "", "[]"
    if choice.may_lift:
        lifts = _lifts(choice.may_lift)
        may_lift = f',"may_lift":{lifts}'
    by = "" if choice.by == "bot" else f',"by":"{choice.by}"'
    time = "" if ms is None else f',"ms":{_tenths(ms)}'
    return (
        f'{{"t":"decision","seat":{seat},"legal":{legal}{may_lift},"move":"{move}"{by}{time}{bank}}}\n',
        _decision_meaning(seat, legal, lifts, move),
    )


def _decision_meaning(seat: int, legal: str, lifts: str, move: str) -> str:
    return f'{{"legal":{legal},"may_lift":{lifts},"move":"{move}","seat":{seat},"t":"decision"}}\n'


def meaning_text(record: Record) -> str:
    """What of `record` the ``game_digest`` covers, as JSON with sorted keys and a line's end; empty for nothing."""
    if type(record) in _WRITERS:
        return event_texts(cast("Event", record))[1]
    if isinstance(record, LogDecision):
        legal, lifts = _moves(record.legal), _lifts(record.may_lift)
        return _decision_meaning(record.seat, legal, lifts, move_text(record.move))
    plain = meaning(record)
    return "" if plain is None else _canonical(plain) + "\n"

"""What a page knows of its game: the lines its viewer may see, as small rows of JSON. No HTML here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mtref.replay.jsonview import objects
from mtref.replay.moment import fits
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.sight import seen_lines
from mtref.replay.story import origin_in_words
from mtref.text import escape
from mtref_sdk.events import Event

__all__ = ["page_data"]

_TEXT_LIMIT = 600
_SHOWN: Final = {
    "header": ("game", "deal", "rules", "bots", "seeded"),
    "fault": ("seat", "kind", "message", "done"),
    "end": ("totals", "places"),
}
"""Of lines with foreign texts, the fields a page shows. A digest, say, also covers what a seat never knew."""


def page_data(reader: LogReader, seat: int | None) -> dict[str, Any]:
    """The game of a log just opened as `seat` knew it; whole if `seat` is None. Nothing else is in it.

    ``lines`` are rows ``[k, n, ...values]``: ``kinds[k]`` is the name of the kind and then of its fields, as ``mtref replay
    --json`` prints them. ``cut`` says after which line a log without an end breaks off, ``origin`` where the game was played on from; else they are None. Foreign
    texts are escaped (``mtref.text``). Raises LogError.
    """
    kinds: dict[tuple[str, ...], int] = {}
    rows: list[list[Any]] = []
    complete, last = False, 1
    origin = reader.header.origin
    for plain in objects(seen_lines(_checked(reader), seat), reader.header.seats):
        kind, last = plain.pop("event"), plain.pop("n")
        complete = complete or kind == "end"
        shown = {name: _escaped(plain[name]) for name in _SHOWN[kind]} if kind in _SHOWN else plain
        shape = (kind, *shown)
        rows.append([kinds.setdefault(shape, len(kinds)), last, *shown.values()])
    return {
        "seats": reader.header.seats,
        "viewer": seat,
        "cut": None if complete else last,
        "origin": None if origin is None else origin_in_words(origin),
        "kinds": [list(shape) for shape in kinds],
        "lines": rows,
    }


def _checked(reader: LogReader) -> Iterator[LogLine]:
    """Every line, the header too; an event that no table of this size can have is an error."""
    yield reader.first
    for line in reader:
        if isinstance(line.record, Event) and not fits(line.record, reader.header.seats):
            raise reader.error(line.number, "this cannot happen at this table")
        yield line


def _escaped(plain: Any) -> Any:
    """`plain` with every text in it safe to show; names of fields and settings too."""
    match plain:
        case str():
            return escape(plain, _TEXT_LIMIT)
        case dict():
            return {escape(str(key), _TEXT_LIMIT): _escaped(value) for key, value in plain.items()}
        case list():
            return [_escaped(value) for value in plain]
        case _:
            return plain

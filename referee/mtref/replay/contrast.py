"""The first difference of two logs told to people, in the words of the text replay, or as an object for JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from mtref.replay.difference import Difference, Place, options_of
from mtref.replay.encode import compact, move_text, record_to_dict
from mtref.replay.picture import wrapped
from mtref.replay.reader import LogLine
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, SeedRevealed
from mtref.replay.story import between, phrase_of
from mtref.text import escape
from mtref_sdk.events import HandDealt, TurnStarted

__all__ = ["contrast", "contrast_to_dict", "headline"]

_Paths = tuple[str, str]


def contrast(found: Difference, paths: _Paths) -> Iterator[str]:
    """The lines that tell a difference: what it is, either side with its line number, and the commands to look there."""
    yield headline(found, paths)
    shown = tuple(escape(path, 4096) for path in paths)
    if found.kind in {"rules", "seats"}:
        yield from _settings(found, shown)
        return
    if found.kind == "legal":
        yield from _only(found, shown)
    for path, line, last in zip(shown, found.lines, found.last, strict=True):
        yield f"  {path}, line {line.number}: {words(line)}" if line else f"  {path}: ends after line {last}"
    yield "look there:"
    for path, line, last in zip(paths, found.lines, found.last, strict=True):
        yield f"  mtref replay {escape(shlex.quote(path), 4096)} --at {line.number if line else last}"


def headline(found: Difference, paths: _Paths) -> str:
    """What differs first, and where, in one line."""
    match found.kind:
        case "rules":
            return "the games are played by different rules"
        case "seats":
            return "the games have different numbers of seats"
        case "length":
            ended, other = (paths[0], paths[1]) if found.lines[0] is None else (paths[1], paths[0])
            return f"{escape(ended, 4096)} breaks off where {escape(other, 4096)} goes on; up to there they are the same"
        case "deal":
            return f"{_where(found.place)}dealt differently"
        case "legal":
            return f"{_where(found.place)}other moves are allowed"
        case "choice":
            return f"{_where(found.place)}another move is chosen"
        case "decider":
            return f"{_where(found.place)}not the same seat decides"
        case "result":
            return "the games are the same, and their results are not"
        case "event":
            return f"{_where(found.place)}something else happens"


def _where(place: Place) -> str:
    parts = [f"round {place.round_number}"] if place.round_number else []
    parts += [f"turn {place.turn}"] if place.seat is not None else []
    parts += [f"seat {place.seat}"] if place.seat is not None else []
    return f"{', '.join(parts)}: " if parts else ""


def words(line: LogLine) -> str:
    """What a line says, in one line."""
    record = line.record
    match record:
        case LogDecision():
            lifts = f", may lift with {_moves(record.may_lift)}" if record.may_lift else ""
            return f"seat {record.seat} chooses {move_text(record.move)} of {_moves(record.legal)}{lifts}"
        case LogEnd():
            scores = "; ".join(map(_row, record.scores))
            return (
                f"totals {_row(record.totals)}, places {_row(record.places)}, scores of the rounds {scores}"
            )
        case TurnStarted():
            return f"the turn of seat {record.seat} begins"
        case LogHeader() | LogFault() | SeedRevealed():
            return record.line
        case HandDealt():
            return f"hand of seat {record.seat}: {' '.join(map(str, record.tiles or ()))}"
        case _:
            phrase = phrase_of(record)
            if phrase is not None:
                seat = getattr(record, "seat", None)
                return phrase if seat is None else f"seat {seat}: {phrase}"
            told = " ".join(text.strip() for text in between(line.number, record) if text)
            return told.removeprefix(str(line.number)).strip()


def _moves(codes: tuple[int, ...]) -> str:
    return " ".join(map(move_text, codes))


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _settings(found: Difference, shown: tuple[str, ...]) -> Iterator[str]:
    """Every option that differs, with its two values."""
    for name, values in settings_that_differ(found).items():
        yield f"  {escape(name, 80)}"
        for path, value in zip(shown, values, strict=True):
            yield f"    {path}: {escape(compact(value), 300)}"


def settings_that_differ(found: Difference) -> dict[str, tuple[Any, Any]]:
    """The options of two rule sets, and the number of seats, that differ; an option one does not have is None there."""
    tables = [
        {**options_of(line.record), "seats of the table": line.record.seats}
        for line in found.lines
        if line is not None and isinstance(line.record, LogHeader)
    ]
    if len(tables) != 2:
        return {}
    one, two = tables
    return {name: (one.get(name), two.get(name)) for name in {**one, **two} if one.get(name) != two.get(name)}


def _only(found: Difference, shown: tuple[str, ...]) -> Iterator[str]:
    """The moves that only one log allows."""
    allowed = [_allowed(line) for line in found.lines]
    for path, mine, others in zip(shown, allowed, reversed(allowed), strict=True):
        extra = [text for text in mine if text not in others]
        if extra:
            yield from (f"  {text}" for text in wrapped(f"only in {path}:", extra))


def _allowed(line: LogLine | None) -> list[str]:
    if line is None or not isinstance(line.record, LogDecision):
        return []
    record = line.record
    return [move_text(code) for code in record.legal] + [
        f"{move_text(code)} lift" for code in record.may_lift
    ]


def contrast_to_dict(found: Difference, paths: _Paths) -> dict[str, Any]:
    """The same for programs; ``line`` is the line as it stands in the log, without its sum, None where a log has ended."""
    where = found.place
    return {
        "same": False,
        "kind": found.kind,
        "what": headline(found, paths),
        "round": where.round_number or None,
        "turn": where.turn or None,
        "seat": where.seat,
        "settings": settings_that_differ(found),
        "logs": [
            {
                "log": path,
                "n": None if line is None else line.number,
                "last_same": last,
                "line": None if line is None else record_to_dict(line.record, line.number),
            }
            for path, line, last in zip(paths, found.lines, found.last, strict=True)
        ],
    }

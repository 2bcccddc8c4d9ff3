"""Whose eyes a log is read with: the one place that decides what of a record a reader may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mtref.replay.reader import LogLine
from mtref.replay.records import (
    LogDecision,
    LogEnd,
    LogFault,
    LogHeader,
    PositionOrigin,
    Record,
    SeedRevealed,
)
from mtref.rules.projection import project

__all__ = ["seen", "seen_lines"]


def seen(record: Record, seat: int | None) -> Record | None:
    """What of `record` is shown to who looks with the eyes of `seat`, then; everything when `seat` is None.

    A seat sees its own decisions and faults and nobody else's, of each event what it was told, and never the seed. The
    header and the end stand outside the game and are shown to everybody, but for a position it began with: that has all hands.
    """
    if seat is None:
        return record
    match record:
        case LogHeader(origin=PositionOrigin()):
            return replace(record, origin=None)
        case LogHeader() | LogEnd():
            return record
        case LogDecision() | LogFault():
            return record if record.seat == seat else None
        case SeedRevealed():
            return None
        case _:
            return project(record, seat)


def seen_lines(lines: Iterable[LogLine], seat: int | None) -> Iterator[LogLine]:
    """`lines` as `seat` sees them; those it does not see at all are left out."""
    for line in lines:
        record = seen(line.record, seat)
        if record is not None:
            yield line if record is line.record else replace(line, data=b"", record=record)

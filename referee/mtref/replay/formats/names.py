"""Which versions of the format there are, and which one a log has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mtref.replay.decode import parse
from mtref.replay.formats import one, three, two
from mtref.replay.formats.sums import SumReading
from mtref.replay.records import FORMAT, Record
from mtref.text import escape
from mtref_sdk.errors import ReplayError

__all__ = ["CURRENT", "SUM_WITHIN", "Format", "Reading", "Writing", "format_of"]


class Writing(Protocol):
    """The lines of one log, and its two digests."""

    def add(self, records: Sequence[Record]) -> bytes:
        """The lines of records that follow those given before, each with its newline."""

    def game_digest(self) -> str:
        """The digest of the game so far, 64 hex digits."""

    def file_digest(self) -> str:
        """The SHA-256 over all lines so far, 64 hex digits."""


class Reading(Protocol):
    """The records of one log."""

    def record(self, data: bytes, number: int) -> Record:
        """The record of the next line, given with its newline. Raises ReplayError without naming the line."""

    def check(self, data: bytes, number: int) -> bool:
        """After an error: take the next line for its check sum only. Whether nothing is left to look for; raises ReplayError if it does not fit."""


@dataclass(frozen=True, slots=True)
class Format:
    """A version of the format.

    ``writing`` begins a log of which so many lines are there already. ``single`` reads a line that needs none of those before
    it: a fault, the end, the end of a round.
    """

    name: str
    writing: Callable[[int], Writing]
    reading: Callable[[], Reading]
    single: Callable[[bytes, int], Record]


def _summed(
    name: str, writing: Callable[[int], Writing], lines: Callable[[], two.Lines | three.Lines]
) -> Format:
    """A version that has check sums in some lines."""

    def single(data: bytes, number: int) -> Record:
        return lines().record(data, number)

    return Format(name, writing, lambda: SumReading(lines().record), single)


_FORMATS: Final = {
    known.name: known
    for known in (
        Format(one.NAME, one.Writing, one.Reading, one.record),
        _summed(two.NAME, two.Writing, two.Lines),
        _summed(three.NAME, three.Writing, three.Lines),
    )
}
CURRENT: Final = _FORMATS[FORMAT]
"""What is written today."""

SUM_WITHIN: Final = max(two.EVERY, three.EVERY)
"""At the latest so many lines after a check sum stands the next, in every version."""

_FAMILY: Final = FORMAT.partition("/")[0] + "/"


def format_of(first: bytes) -> Format:
    """The format of the log with this first line. Raises ReplayError if it is no log, or of a format that is not known."""
    plain = parse(first, 1)
    found = plain.get("format")
    if plain.get("t") != "header" or not isinstance(found, str) or not found.startswith(_FAMILY):
        raise ReplayError("not an mtref log")
    known = _FORMATS.get(found)
    if known is None:
        by = escape(str(plain.get("mtref", "?")), 40)
        raise ReplayError(
            f"the format is {escape(found, 40)}, written by mtref {by}; this version reads {', '.join(_FORMATS)}"
        )
    return known

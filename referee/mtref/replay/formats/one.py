"""``mtref-log/1``: each line has its number and a check sum. It is read for ever, and written no more but to check what was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from mtref.replay.decode import parse, record_from
from mtref.replay.digest import GameDigest
from mtref.replay.encode import compact, record_to_dict
from mtref.replay.records import Record, SeedRevealed
from mtref.text import escape
from mtref_sdk.errors import ReplayError

__all__ = ["NAME", "Reading", "Writing", "record"]

NAME: Final = "mtref-log/1"

_SUM_LENGTH = 8


class Writing:
    """See `mtref.replay.formats.names.Writing`."""

    def __init__(self, lines: int = 0) -> None:
        self._number = lines
        self._file, self._game = hashlib.sha256(), GameDigest()

    def add(self, records: Sequence[Record]) -> bytes:
        """Each line ends in ``"sum"``: the first eight hex digits of the SHA-256 over all bytes of the file before that field."""
        self._game.add_all(records)
        return b"".join([self._line(found) for found in records])

    def _line(self, found: Record) -> bytes:
        self._number += 1
        line = compact(record_to_dict(found, self._number))[:-1].encode("ascii")
        self._file.update(line)
        end = b"}\n"
        if not isinstance(found, SeedRevealed):
            end = f',"sum":"{self._file.hexdigest()[:_SUM_LENGTH]}"}}\n'.encode("ascii")
        self._file.update(end)
        return line + end

    def game_digest(self) -> str:
        """The digest of the game so far."""
        return self._game.hexdigest()

    def file_digest(self) -> str:
        """The SHA-256 over all lines so far."""
        return self._file.hexdigest()


def record(data: bytes, number: int) -> Record:
    """The record of line `number`. The check sum is not looked at. Raises ReplayError without naming the line."""
    plain = parse(data, number)
    plain.pop("sum", None)
    counted, kind = plain.pop("n", None), plain.pop("t", None)
    if counted != number or type(counted) is not int:
        raise ReplayError(f"is numbered {escape(str(counted), 20)}: a line is missing, added or changed")
    return record_from(kind, plain, number)


class Reading:
    """See `mtref.replay.formats.names.Reading`. No line needs another."""

    def record(self, data: bytes, number: int) -> Record:
        """The record of line `number`."""
        return record(data, number)

    def check(self, data: bytes, number: int) -> None:
        """A line that could not be read was changed itself, and the check sums of others tell no more."""

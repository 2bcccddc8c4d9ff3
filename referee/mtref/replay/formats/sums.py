"""The check sums of a log that has them in some of its lines: the beginning of the SHA-256 over all bytes of the file before.

See docs/log-format.md; the versions differ in which lines have one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from mtref.replay.records import Record
from mtref_sdk.errors import ReplayError

__all__ = ["SumReading", "sum_field"]

_LENGTH: Final = 8
_FIELD: Final = ',"sum":"'
_MARK: Final = _FIELD.encode("ascii")
_AT: Final = len(_MARK) + _LENGTH + len('"}\n')


def sum_field(digest: str) -> bytes:
    """The last field of a line, with the end of its object, if this is the digest (hex) of the file before the field."""
    return f'{_FIELD}{digest[:_LENGTH]}"}}\n'.encode("ascii")


class SumReading:
    """See `mtref.replay.formats.names.Reading`: the records that `parse` makes of the lines, and their check sums are compared."""

    def __init__(self, parse: Callable[[bytes, int], Record]) -> None:
        self._parse = parse
        self._file = hashlib.sha256()
        self._since = 1  # the first line that no check sum has covered yet
        self._broken = False  # one has not fitted, and so will none after it

    def record(self, data: bytes, number: int) -> Record:
        """The record of the next line."""
        try:
            found = self._parse(data, number)
        except ReplayError:
            self._file.update(data)  # whether a check sum in it fits does not matter any more
            raise
        self.check(data, number)
        return found

    def check(self, data: bytes, number: int) -> bool:
        """Take the next line for its check sum only; whether it has one, and fits. Raises ReplayError if it does not."""
        if self._broken or not data[-_AT:].startswith(_MARK):
            self._file.update(data)
            return False
        self._file.update(data[:-_AT])
        if sum_field(self._file.hexdigest()) != data[-_AT:]:
            self._broken = True
            raise ReplayError(self._damaged(number))
        self._since = number + 1
        self._file.update(data[-_AT:])
        return True

    def _damaged(self, number: int) -> str:
        if self._since == number:
            return "its check sum does not fit: the line was changed"
        lines = f"lines {self._since} to {number}"
        return f"the check sum of {lines} does not fit: one of them was changed, added or left out"

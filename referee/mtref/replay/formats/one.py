"""``mtref-log/1``: each line has its number and a check sum. It is read for ever, and written no more but to check what was."""

from __future__ import annotations

from typing import Any, Final

from mtref.replay.decode import parse, record_from
from mtref.replay.encode import record_to_dict
from mtref.replay.formats.former import FormerWriting
from mtref.replay.records import Record, SeedRevealed
from mtref.text import escape
from mtref_sdk.errors import ReplayError

__all__ = ["NAME", "Reading", "Writing", "record"]

NAME: Final = "mtref-log/1"


class Writing(FormerWriting):
    """See `mtref.replay.formats.names.Writing`."""

    def _plain(self, found: Record) -> dict[str, Any]:
        return record_to_dict(found, self._number)

    def _due(self, found: Record) -> bool:
        return not isinstance(found, SeedRevealed)


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

    def check(self, data: bytes, number: int) -> bool:
        """A line that could not be read was changed itself, and the check sums of others tell no more."""
        del data, number
        return True

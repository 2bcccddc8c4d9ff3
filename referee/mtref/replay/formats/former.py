"""Writing in the formats of former versions, which is done no more but to check what was: slowly and plainly."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from mtref.replay.digest import GameDigest
from mtref.replay.encode import compact
from mtref.replay.formats.sums import sum_field
from mtref.replay.records import Record

__all__ = ["FormerWriting"]


class FormerWriting(ABC):
    """See `mtref.replay.formats.names.Writing`. A format says what a line is, and which lines have a check sum."""

    def __init__(self, lines: int = 0) -> None:
        self._number = lines
        self._file, self._game = hashlib.sha256(), GameDigest()

    @abstractmethod
    def _plain(self, found: Record) -> dict[str, Any]:
        """The object of line ``_number``, without a check sum."""

    @abstractmethod
    def _due(self, found: Record) -> bool:
        """Whether line ``_number`` has a check sum."""

    def add(self, records: Sequence[Record]) -> bytes:
        """The lines of the next records."""
        self._game.add_all(records)
        return b"".join([self._line(found) for found in records])

    def _line(self, found: Record) -> bytes:
        self._number += 1
        line = compact(self._plain(found))[:-1].encode("ascii")
        self._file.update(line)
        end = sum_field(self._file.hexdigest()) if self._due(found) else b"}\n"
        self._file.update(end)
        return line + end

    def game_digest(self) -> str:
        """The digest of the game so far."""
        return self._game.hexdigest()

    def file_digest(self) -> str:
        """The SHA-256 over all lines so far."""
        return self._file.hexdigest()

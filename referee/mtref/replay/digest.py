"""The digest of a game, whatever its log looks like. Nothing here reads or writes files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from mtref.replay.records import Record
from mtref.replay.texts import meaning_text

__all__ = ["GameDigest"]

_ENOUGH: Final = 256
"""Records that are taken together: many at once cost less."""


class GameDigest:
    """SHA-256 over the meaning of a game: the same for the same play, however and by whom it was played.

    Equal across transports, concurrency, clocks and resumes as long as the same moves are chosen. Takes every record
    and picks what counts (see `mtref.replay.encode.meaning`); may serve as a log sink by itself.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()
        self._late: list[Record] = []

    def add(self, record: Record) -> None:
        """Count `record` in."""
        self.add_all((record,))

    def add_all(self, records: Iterable[Record]) -> None:
        """Count several records in, in order."""
        late = self._late
        late += records
        if len(late) > _ENOUGH:
            self.catch_up()

    def add_text(self, text: str) -> None:
        """Count in what `meaning_text` gave for the next records."""
        self.catch_up()
        self._sha.update(text.encode("ascii"))

    def __call__(self, record: Record) -> None:
        """The same, as a listener."""
        self.add_all((record,))

    def hexdigest(self) -> str:
        """The digest so far, 64 hex digits."""
        self.catch_up()
        return self._sha.hexdigest()

    def catch_up(self) -> None:
        """Count in what was put off."""
        if self._late:
            self._sha.update("".join(map(meaning_text, self._late)).encode("ascii"))
            self._late.clear()

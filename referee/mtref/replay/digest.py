"""The two digests of a game and the check sum of each line. Nothing here reads or writes files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from mtref.replay.records import Record, SeedRevealed
from mtref.replay.texts import line_text, meaning_text

__all__ = ["SUM_LENGTH", "FileDigest", "GameDigest", "format_line"]

FileDigest = hashlib.sha256
"""SHA-256 over the bytes of a log so far; the check sum of a line is its beginning."""


SUM_LENGTH = 8
"""Hex digits of a line's check sum."""


class GameDigest:
    """SHA-256 over the meaning of a game: the same for the same play, however and by whom it was played.

    Equal across transports, concurrency, clocks and resumes as long as the same moves are chosen. Takes every record
    and picks what counts (see `mtref.replay.encode.meaning`); may serve as a log sink by itself.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, record: Record) -> None:
        """Count `record` in."""
        self.add_all((record,))

    def add_all(self, records: Iterable[Record]) -> None:
        """Count several records in, in order."""
        self._sha.update("".join(map(meaning_text, records)).encode("ascii"))

    __call__ = add

    def hexdigest(self) -> str:
        """The digest so far, 64 hex digits."""
        return self._sha.hexdigest()


def format_line(record: Record, number: int, digest: hashlib._Hash) -> bytes:
    """The bytes of `record` as line `number`, with its newline; they are counted into `digest`.

    Every line but `SeedRevealed` ends in ``"sum"``: the first eight hex digits of the SHA-256 over all bytes of the
    file before that field, so that a changed byte shows in the line where it is.
    """
    body = line_text(record, number).encode("ascii")
    digest.update(body)
    tail = b"}\n"
    if type(record) is not SeedRevealed:
        tail = f',"sum":"{digest.hexdigest()[:SUM_LENGTH]}"}}\n'.encode("ascii")
    digest.update(tail)
    return body + tail

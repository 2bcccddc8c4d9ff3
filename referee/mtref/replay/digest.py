"""The two digests of a game and the check sum of each line. Nothing here reads or writes files."""

from __future__ import annotations

import hashlib
import json

from mtref.replay.encode import SUM_FIELD, compact, meaning, record_to_dict
from mtref.replay.records import Record, SeedRevealed

__all__ = ["SUM_LENGTH", "FileDigest", "GameDigest", "format_line"]

_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode

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
        plain = meaning(record)
        if plain is not None:
            self._sha.update(_canonical(plain).encode("ascii") + b"\n")

    __call__ = add

    def hexdigest(self) -> str:
        """The digest so far, 64 hex digits."""
        return self._sha.hexdigest()


class FileDigest:
    """SHA-256 over the bytes of a log so far; the check sum of a line is its beginning."""

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, data: bytes) -> None:
        """Count more bytes in."""
        self._sha.update(data)

    def hexdigest(self) -> str:
        """The digest so far, 64 hex digits."""
        return self._sha.hexdigest()


def format_line(record: Record, number: int, digest: FileDigest) -> bytes:
    """The bytes of `record` as line `number`, with its newline; they are counted into `digest`.

    Every line but `SeedRevealed` ends in ``"sum"``: the first eight hex digits of the SHA-256 over all bytes of the
    file before that field, so that a changed byte shows in the line where it is.
    """
    body = compact(record_to_dict(record, number)).encode("ascii")[:-1]
    digest.add(body)
    tail = b"}\n"
    if not isinstance(record, SeedRevealed):
        tail = SUM_FIELD + digest.hexdigest()[:SUM_LENGTH].encode("ascii") + b'"}\n'
    digest.add(tail)
    return body + tail

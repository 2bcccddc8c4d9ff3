"""How much a bot that is handed in may be, and the error that refuses one. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["MIB", "RefusedError", "SubmissionLimits"]

MIB = 1024 * 1024


class RefusedError(MtrefError):
    """A bot that is not taken. The message says why, in one line, with everything foreign in it escaped.

    ``steps`` are those that were done before, as plain values, where they are known.
    """

    steps: Sequence[Mapping[str, Any]] | None = None

    def __init__(self, why: str, name: str | None = None) -> None:
        super().__init__(f"refused: {escape(name, 120)}: {why}" if name is not None else f"refused: {why}")


@dataclass(frozen=True, slots=True)
class SubmissionLimits:
    """What is taken at most.

    ``archive_mb`` is the size of what is sent, ``unpacked_mb`` of all files together, both in MiB. ``files`` counts files and
    folders, ``depth`` the parts of a path, ``name_length`` the characters of a part. ``ratio`` is how many times larger than
    the archive its files may be, once they are more than one MiB.
    """

    archive_mb: int = 16
    unpacked_mb: int = 32
    files: int = 1000
    depth: int = 8
    name_length: int = 100
    ratio: int = 100

    @property
    def archive_bytes(self) -> int:
        """The most bytes that are sent."""
        return self.archive_mb * MIB

    @property
    def unpacked_bytes(self) -> int:
        """The most bytes in files."""
        return self.unpacked_mb * MIB

    def unpacked_from(self, archive: int) -> int:
        """The most bytes in the files of an archive of so many bytes."""
        return min(self.unpacked_bytes, max(MIB, self.ratio * archive))

"""The capped file that takes what a bot prints. For the launcher's processes: standard library only."""

from __future__ import annotations

import contextlib
import os

__all__ = ["Output"]


class Output:
    """A file that takes the beginning and, at the end, the last part of what a bot prints; the middle is counted.

    The beginning is written as it comes, so a file of a running bot can be read. Everything goes to the descriptor `live` too.
    """

    def __init__(self, path: str, cap: int, live: int | None) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._room, self._cap, self._live = cap, cap, live
        self._tail, self._beyond = b"", 0

    def add(self, data: bytes) -> None:
        """Take some more output."""
        if self._live is not None:
            with contextlib.suppress(OSError):
                os.write(self._live, data)
        head, rest = data[: self._room], data[self._room :]
        if head:
            self._write(head)
            self._room -= len(head)
        if rest:
            self._beyond += len(rest)
            self._tail = (self._tail + rest)[-self._cap :]

    def finish(self) -> None:
        """Write the last part and close."""
        if self._tail:
            dropped = self._beyond - len(self._tail)
            note = f"\n[... {dropped} bytes left out ...]\n".encode() if dropped else b""
            self._write(note + self._tail)
        os.close(self._file)

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # a full disk costs the bot nothing
            os.write(self._file, data)

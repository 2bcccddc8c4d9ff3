"""Writing a log while a game is played. What the lines mean is in `records`; how they look is in `encode`."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from mtref.replay.compress import PARTIAL, compress, compress_file, is_compressed_name
from mtref.replay.formats.names import CURRENT
from mtref.replay.records import LogEnd, Record, SeedRevealed
from mtref_sdk.errors import ConfigError, ReplayError

__all__ = ["LogWriter"]

_LAST = frozenset([LogEnd, SeedRevealed])

_TOGETHER: Final = 256
"""Records that are written in one go, where there is time: many at once cost less."""


class LogWriter:
    """A log sink that writes one file: whatever kills the game, the lines so far are on the file.

    The file is made new with mode 0600 and never overwrites one: ConfigError if it exists or cannot be made. A name
    that ends in ``.zst`` or ``.gz`` is written plain to NAME.partial; `close` compresses it to NAME if the game ended,
    and leaves the partial file otherwise. A failing disk raises ReplayError, and the log stays readable up to there.
    With a `delay` there is no file before the log has so many bytes or is closed, or `catch_up` is called: for games that are
    played again if they are cut short.
    """

    def __init__(self, path: str | os.PathLike[str], *, delay: int = 0) -> None:
        self.path = Path(path)
        self._delay = delay
        self._late: list[Record] = []
        self._kept: list[bytes] = []  # lines of which there is no file yet
        self._compressed = is_compressed_name(self.path)
        self._written_to = Path(f"{self.path}{PARTIAL}") if self._compressed else self.path
        for taken in (self.path, self._written_to):
            if os.path.lexists(taken):
                raise ConfigError("exists already, and a log is never overwritten", where=str(taken))
        self._lines = CURRENT.writing(0)
        self._ended = self._closed = False
        self._fd = -1
        if not delay:
            self._open()

    @property
    def game_digest(self) -> str:
        """The digest of the game so far, 64 hex digits."""
        self._write_late()
        return self._lines.game_digest()

    def write(self, record: Record) -> None:
        """Append `record`. The digests of a `LogEnd` are filled in here."""
        self.write_all((record,))

    def __call__(self, record: Record) -> None:
        """The same, as a listener."""
        self.write_all((record,))

    def write_all(self, records: Sequence[Record]) -> None:
        """Append records, and hand them to the operating system, at once if there is no `delay`.

        The digests of a `LogEnd` are filled in here; of several records only the seed may come after it.
        """
        if self._closed:
            raise ReplayError(f"{self.path}: the log is closed")
        if not self._delay:
            self._hand_over(self._written(records))
            return
        self._late += records
        if len(self._late) > _TOGETHER:
            self._write_late()
            if self._fd >= 0 or sum(map(len, self._kept)) > self._delay:
                self.catch_up()

    def catch_up(self) -> None:
        """Hand over what was kept back."""
        self._write_late()
        if self._fd < 0:
            self._open()
        kept, self._kept = b"".join(self._kept), []
        self._hand_over(kept)

    def _write_late(self) -> None:
        late, self._late = self._late, []
        self._kept.append(self._written(late))

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        try:
            self._fd = os.open(self._written_to, flags, 0o600)
        except OSError as error:
            raise ConfigError(f"cannot write a log here: {error.strerror}", where=str(self.path)) from error

    def _written(self, records: Sequence[Record]) -> bytes:
        """The lines of the next records."""
        if not records or type(records[-1]) not in _LAST:
            return self._lines.add(records)
        self._ended = True
        first = [type(record) in _LAST for record in records].index(True)
        data = self._lines.add(records[:first])
        for record in records[first:]:
            data += self._lines.add((self._with_digests(record) if isinstance(record, LogEnd) else record,))
        return data

    def _with_digests(self, end: LogEnd) -> LogEnd:
        return replace(end, game_digest=self._lines.game_digest(), file_digest=self._lines.file_digest())

    def _hand_over(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            self._drop()
            raise ReplayError(f"{self.path}: cannot write the log: {error.strerror}") from error

    def close(self) -> None:
        """Finish the file, and compress it if its name says so and the game has ended. May be called twice."""
        if self._closed:
            return
        self._write_late()
        if self._fd < 0 and self._compressed and self._ended:
            kept = io.BytesIO(b"".join(self._kept))
            self._drop()
            compress(kept, self.path)
            return
        self.catch_up()
        self._drop()
        if self._compressed and self._ended:
            compress_file(self._written_to, self.path)
            self._written_to.unlink()

    def discard(self) -> None:
        """Remove the file, as if it had never been begun. Instead of `close`."""
        begun = self._fd >= 0
        self._drop()
        if begun:
            self._written_to.unlink()

    def _drop(self) -> None:
        self._closed = True
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
        self._late = []
        self._kept = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

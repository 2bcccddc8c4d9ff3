"""Reading a log line by line, compressed or not, finished or broken off. Whether it is true is for `verify`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Self

from mtref.replay.compress import DAMAGE, open_log
from mtref.replay.formats.names import SUM_WITHIN, Format, Reading, format_of
from mtref.replay.records import LogHeader, Record
from mtref.text import escape
from mtref_sdk.errors import ReplayError

__all__ = ["MAX_LINE", "LogError", "LogLine", "LogReader"]

MAX_LINE = 1 << 20
"""The most bytes of a line."""

_CHUNK = 1 << 16


class LogError(ReplayError):
    """What is wrong with a log, and where. Attributes: ``path``, ``line`` (from 1), ``reason`` (one line, escaped)."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        self.path, self.line, self.reason = path, line, reason
        super().__init__(f"{escape(str(path))}: line {line}: {reason}")


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line: its number from 1, its bytes with the newline, and what it says."""

    number: int
    data: bytes
    record: Record


class LogReader:
    """The lines of a log after its header, as a stream; a context manager that closes the file.

    ``format``, ``first`` (the header's line) and ``header`` are there at once. After the last line ``cut_off`` tells whether the
    file breaks off in the middle of a line, which is left out. Raises LogError; ReplayError if it
    cannot be opened.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.cut_off = False
        self._damaged = False
        self._number = 0
        self.format: Format
        self._reading: Reading
        self._source = open_log(self.path)
        try:
            self._rest = self._read_blocks()
            self._start = next(self._rest, b"")
            self._lines = self._split(chain((self._start,), self._rest))
            self.first = self._first()
        except BaseException:
            self._source.close()
            raise

    @property
    def header(self) -> LogHeader:
        """What the first line says."""
        assert isinstance(self.first.record, LogHeader)
        return self.first.record

    def error(self, number: int, reason: str) -> LogError:
        """The error that names this file, line `number` and the reason."""
        return LogError(self.path, number, reason)

    def __iter__(self) -> Iterator[LogLine]:
        return self._records()

    def blocks(self) -> Iterator[bytes]:
        """What follows the header, in blocks of whole lines: for who looks only for some of them. Instead of iterating."""
        for block in chain((self._start[len(self.first.data) :],), self._rest):
            yield block
            self._number += block.count(b"\n")

    def damage(self) -> str | None:
        """When a line is wrong: which lines were changed, if the next check sum tells; None the second time."""
        if self._damaged or self._number == 1:
            return None
        self._damaged = True
        try:
            for data in islice(self._lines, SUM_WITHIN):
                self._number += 1
                if self._reading.check(data, self._number):
                    return None
        except LogError as error:
            return error.reason
        except ReplayError as error:
            return str(error)
        return None

    def _first(self) -> LogLine:
        first = next(self._records(), None)
        if first is None:
            empty = not self.cut_off and isinstance(self._source, BufferedReader)  # and not compressed
            reason = "the file is empty" if empty else "not an mtref log, or cut off in its first line"
            raise self.error(1, reason)
        return first

    def _records(self) -> Iterator[LogLine]:
        for data in self._lines:
            self._number += 1
            try:
                if self._number == 1:
                    self.format = format_of(data)
                    self._reading = self.format.reading()
                record = self._reading.record(data, self._number)
            except ReplayError as error:
                number, damage = self._number, self.damage()
                reason = f"{error}; {damage}" if damage else str(error)
                raise self.error(number, reason) from error
            yield LogLine(self._number, data, record)

    def _split(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            for line in block.split(b"\n")[:-1]:
                if len(line) >= MAX_LINE:
                    raise self._too_long()
                yield line + b"\n"

    def _read_blocks(self) -> Iterator[bytes]:
        """Blocks of whole lines with their newlines; a last one without is not given out but noted in ``cut_off``."""
        rest = b""
        while chunk := self._read():
            whole, newline, rest = (rest + chunk).rpartition(b"\n")
            if newline:
                yield whole + newline
            if len(rest) >= MAX_LINE:
                raise self._too_long()
        self.cut_off = self.cut_off or bool(rest)

    def _too_long(self) -> LogError:
        reason = "not an mtref log: " if self._number == 0 else ""
        return self.error(self._number + 1, f"{reason}the line is longer than {MAX_LINE} bytes")

    def _read(self) -> bytes:
        try:
            return self._source.read1(_CHUNK)
        except EOFError:  # compressed, and the end is missing: what came before is good
            self.cut_off = True
            return b""
        except DAMAGE as error:
            raise self.error(self._number + 1, "the compressed data is damaged") from error
        except OSError as error:
            raise self.error(self._number + 1, f"cannot be read: {error.strerror}") from error

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

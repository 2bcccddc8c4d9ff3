"""Compressed logs: by name when written, by their first bytes when read, and always as a stream."""

from __future__ import annotations

import gzip
import os
import shutil
import zlib
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Protocol

import zstandard

from mtref.text import escape
from mtref_sdk.errors import ReplayError

__all__ = ["DAMAGE", "PARTIAL", "compress", "compress_file", "is_compressed_name", "open_log"]

DAMAGE = (zstandard.ZstdError, gzip.BadGzipFile, zlib.error)
"""What reading an opened log may raise when its compressed bytes are damaged; EOFError if the end is missing."""

PARTIAL = ".partial"
"""What the name of a log ends in while it is played, if it will be compressed."""

_ZSTD_MAGIC, _GZIP_MAGIC = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
_ZSTD: Final = zstandard.ZstdCompressionParameters(
    strategy=zstandard.STRATEGY_DFAST,
    window_log=19,
    hash_log=15,
    chain_log=15,
    min_match=6,
    write_checksum=True,
)
"""Found by trying, see docs/performance.md: of what is no slower, this makes logs smallest."""


def is_compressed_name(path: Path) -> bool:
    """Whether a log of this name is to be compressed on completion: it ends in ``.zst`` or ``.gz``."""
    return path.suffix in (".zst", ".gz")


def compress_file(source: Path, target: Path) -> None:
    """Compress `source`, which stays; see `compress`."""
    try:
        with source.open("rb") as plain:
            compress(plain, target)
    except OSError as error:
        raise ReplayError(f"{source}: cannot be compressed to {target.name}: {error.strerror}") from error


def compress(plain: IO[bytes], target: Path) -> None:
    """Compress to a new file `target` (mode 0600) as its name says, check sums included.

    `target` appears whole or not at all and never replaces a file. Raises ReplayError.
    """
    unfinished = f"{target}.unfinished"
    try:
        with _new(unfinished) as sink:
            with _compressor(target, sink) as packed:
                shutil.copyfileobj(plain, packed)
            sink.flush()
            os.fsync(sink.fileno())
        os.link(unfinished, target)
    except OSError as error:
        raise ReplayError(f"{target}: cannot write the compressed log: {error.strerror}") from error
    finally:
        with suppress(OSError):  # there is none, or the reason has been told
            os.unlink(unfinished)  # noqa: PTH108 - a path of pathlib costs more than the system's call


def _new(path: str) -> IO[bytes]:
    """A new file instead of one that an earlier attempt may have left."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.fdopen(os.open(path, flags, 0o600), "wb")
    except FileExistsError:
        os.unlink(path)  # noqa: PTH108
        return os.fdopen(os.open(path, flags, 0o600), "wb")


def _compressor(target: Path, sink: IO[bytes]) -> gzip.GzipFile | zstandard.ZstdCompressionWriter:
    if target.suffix == ".gz":
        return gzip.GzipFile(filename="", mode="wb", fileobj=sink, mtime=0)
    packer = zstandard.ZstdCompressor(compression_params=_ZSTD)
    return packer.stream_writer(sink, closefd=False)


class ByteSource(Protocol):
    """What a log is read from."""

    def read1(self, size: int = -1, /) -> bytes:
        """At least one byte and at most `size`; none at the end."""

    def close(self) -> None:
        """Close it."""


class _Gzip(gzip.GzipFile):
    """A gzip stream that owns the file below it."""

    def __init__(self, raw: IO[bytes]) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._raw = raw

    def close(self) -> None:
        super().close()
        self._raw.close()


def open_log(path: Path) -> ByteSource:
    """`path` opened for reading its plain bytes as a stream, whatever it is called. Raises ReplayError."""
    try:
        raw = path.open("rb")
    except OSError as error:
        partial = path.parent / (path.name + PARTIAL)  # "." has no name
        hint = f"; the game has not ended: read {escape(partial.name)}" if partial.exists() else ""
        raise ReplayError(f"{escape(str(path))}: cannot be read: {error.strerror}{hint}") from error
    try:
        start = raw.peek(len(_ZSTD_MAGIC))
    except OSError as error:
        raw.close()
        raise ReplayError(f"{escape(str(path))}: cannot be read: {error.strerror}") from error
    if start.startswith(_GZIP_MAGIC):
        return _Gzip(raw)
    if start.startswith(_ZSTD_MAGIC):
        return zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    return raw

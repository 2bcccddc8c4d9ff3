"""Reads archives that strangers made: zip, and tar as it is or compressed. Nothing is written, and nothing read beyond its limits."""

from __future__ import annotations

import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Final

import zstandard

from mtref.ladder.submit.collect import PIECE, BotFiles, Collector
from mtref.ladder.submit.limits import MIB, RefusedError, SubmissionLimits

__all__ = ["is_archive", "read_archive"]

_GZIP, _XZ, _ZSTD, _ZIP = b"\x1f\x8b", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK"
_TAR_MAGIC: Final = (257, b"ustar")
_MEMORY: Final = 64 * MIB
"""What a decompressor may take."""

_BLOCK: Final = 512

_DAMAGED: Final = (
    *(tarfile.TarError, zipfile.BadZipFile, EOFError, struct.error),
    *(ValueError, RuntimeError, ArithmeticError, LookupError),  # what both modules let through for nonsense
)


def is_archive(data: bytes) -> bool:
    """Whether these are the first bytes of an archive that can be read."""
    at, magic = _TAR_MAGIC
    return data.startswith((_GZIP, _XZ, _ZSTD, _ZIP)) or data[at : at + len(magic)] == magic


def read_archive(data: bytes, limits: SubmissionLimits) -> BotFiles:
    """The files in an archive. Raises RefusedError for one that is damaged, too large, or holds more than files and folders."""
    collector = Collector(limits, limits.unpacked_from(len(data)))
    try:
        if data.startswith(_ZIP):
            _read_zip(data, collector)
        else:
            _read_tar(data, collector)
    except _DAMAGED as error:
        raise RefusedError(f"the archive is damaged: {str(error) or type(error).__name__}") from error
    except (zlib.error, lzma.LZMAError, zstandard.ZstdError) as error:
        raise RefusedError(f"the archive is damaged, or needs too much memory: {error}") from error
    return collector.done()


def _read_zip(data: bytes, collector: Collector) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            parts = collector.entry(info.orig_filename)
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
                raise RefusedError(_what(mode), info.orig_filename)
            if info.flag_bits & 1:
                raise RefusedError("is encrypted", info.orig_filename)
            if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise RefusedError(
                    "is compressed in an unusual way; deflate it, or store it", info.orig_filename
                )
            if parts is None or info.is_dir():
                continue
            with archive.open(info) as file:
                collector.file(parts, file.read, executable=bool(mode & stat.S_IXUSR))


def _read_tar(data: bytes, collector: Collector) -> None:
    limits = collector.limits
    # Headers and padding come on top of what is in the files, and none of it may be without end.
    most = collector.most + 4 * _BLOCK * limits.files + tarfile.RECORDSIZE
    source = _Bounded(_decompressor(data), most, collector.too_much())
    with tarfile.open(fileobj=source, mode="r|", bufsize=PIECE) as archive:
        for member in archive:
            parts = collector.entry(member.name)
            if member.isdir():
                continue
            if member.type not in {tarfile.REGTYPE, tarfile.AREGTYPE} or member.issparse():
                raise RefusedError(_kind(member), member.name)
            if parts is None:
                continue
            file = archive.extractfile(member)
            assert file is not None
            collector.file(parts, file.read, executable=bool(member.mode & stat.S_IXUSR))


def _decompressor(data: bytes) -> Callable[[int], bytes]:
    """Reads the tar inside; nothing is decompressed before it is asked for."""
    if data.startswith(_GZIP):
        return _gunzip(data)
    if data.startswith(_XZ):
        return _unxz(data)
    if data.startswith(_ZSTD):
        return zstandard.ZstdDecompressor(max_window_size=_MEMORY).stream_reader(data).read
    return io.BytesIO(data).read


def _gunzip(data: bytes) -> Callable[[int], bytes]:
    engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
    waiting = data

    def read(size: int) -> bytes:
        nonlocal waiting
        found = engine.decompress(waiting, size)
        waiting = engine.unconsumed_tail
        return _unless_cut(found, at_end=engine.eof)

    return read


def _unxz(data: bytes) -> Callable[[int], bytes]:
    engine = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
    waiting = data

    def read(size: int) -> bytes:
        nonlocal waiting
        if engine.eof:
            return b""
        found = engine.decompress(waiting, size)
        waiting = b""  # it keeps what it has not used
        return _unless_cut(found, at_end=engine.eof)

    return read


def _unless_cut(found: bytes, *, at_end: bool) -> bytes:
    if not found and not at_end:
        raise EOFError("it ends too soon")
    return found


class _Bounded(io.RawIOBase):
    """A stream for tarfile that ends the reading when there is too much."""

    def __init__(self, read: Callable[[int], bytes], most: int, too_much: RefusedError) -> None:
        self._source, self._left, self._too_much = read, most, too_much

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Some bytes more, none at the end."""
        piece = self._source(len(buffer))
        self._left -= len(piece)
        if self._left < 0:
            raise self._too_much
        buffer[: len(piece)] = piece
        return len(piece)


def _kind(member: tarfile.TarInfo) -> str:
    if member.issym():
        return "a symbolic link; a bot consists of files and folders only"
    if member.islnk():
        return "a hard link; a bot consists of files and folders only"
    return "neither a file nor a folder"


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link; a bot consists of files and folders only"
    return "neither a file nor a folder"

"""Keeps the logs of games, and adds the seed of a deal to them once its games are all over. Each is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import zstandard

from mtref.replay.compress import open_log
from mtref.replay.digest import FileDigest, format_line
from mtref.replay.records import SeedRevealed
from mtref_sdk.errors import MtrefError

__all__ = ["keep_log", "reveal_in_log", "sync_folder"]

_PIECE = 1 << 16


def keep_log(log: Path, target: Path) -> None:
    """Rename a complete log to where it stays, and make that last. Raises MtrefError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        log.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise MtrefError(f"{target}: the log cannot be kept: {error.strerror}") from error


def reveal_in_log(path: Path, seed: bytes) -> None:
    """Add the line with the seed to a compressed log that has none. Raises MtrefError when it cannot be written."""
    lines, last = _count_lines(path)
    if b'"t":"seed_revealed"' in last:
        return
    line = format_line(SeedRevealed(seed), lines + 1, FileDigest())
    temporary = path.with_name(path.name + ".revealed")
    try:
        temporary.write_bytes(
            path.read_bytes() + zstandard.ZstdCompressor(write_checksum=True).compress(line)
        )
        temporary.chmod(0o600)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise MtrefError(f"{path}: the seed cannot be added: {error.strerror}") from error


def sync_folder(folder: Path) -> None:
    """Make what was renamed in a folder last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _count_lines(path: Path) -> tuple[int, bytes]:
    """How many lines a log has, and the last of them."""
    source = open_log(path)
    lines, tail = 0, b""
    try:
        while piece := source.read1(_PIECE):
            lines += piece.count(b"\n")
            tail = (tail + piece)[-_PIECE:]
    finally:
        source.close()
    return lines, tail.rstrip(b"\n").rpartition(b"\n")[2]

"""Keeps the logs of games, and adds the seed of a deal to them once its games are all over. Each is there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import zstandard

from mtref.replay.reader import LogReader
from mtref.replay.records import SeedRevealed
from mtref_sdk.errors import MtrefError

__all__ = ["keep_logs", "reveal_in_logs", "sync_folder"]


def keep_logs(logs: Sequence[tuple[Path, Path]]) -> None:
    """Rename complete logs to where they stay, and make that last. Raises MtrefError."""
    target = Path()
    try:
        for log, target in logs:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            log.replace(target)
        for folder in {target.parent for _, target in logs}:
            sync_folder(folder)
    except OSError as error:
        raise MtrefError(f"{target}: the log cannot be kept: {error.strerror}") from error


def reveal_in_logs(logs: Sequence[tuple[Path, bytes]]) -> None:
    """Add the line with its seed to each compressed log that has none. Raises MtrefError when one cannot be written."""
    path, changed = Path(), []
    try:
        for path, seed in logs:
            if (temporary := _with_seed(path, seed)) is not None:
                changed.append((path, temporary))
        for path, temporary in changed:  # all are written by now, so that the first of these waits for many
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
        for folder in {path.parent for path, _ in changed}:
            sync_folder(folder)
    except OSError as error:
        raise MtrefError(f"{path}: the seed cannot be added: {error.strerror}") from error


def _with_seed(path: Path, seed: bytes) -> Path | None:
    """A copy of a log, with the line, beside it; None if the log has it."""
    lines, last = 1, b""
    with LogReader(path) as reader:
        writing = reader.format.writing
        for block in reader.blocks():
            lines += block.count(b"\n")
            last = block[block.rfind(b"\n", 0, -1) + 1 :]
    if b'"t":"seed_revealed"' in last:
        return None
    line = writing(lines).add([SeedRevealed(seed)])
    temporary = path.with_name(path.name + ".revealed")
    temporary.write_bytes(path.read_bytes() + zstandard.ZstdCompressor(write_checksum=True).compress(line))
    temporary.chmod(0o600)
    return temporary


def sync_folder(folder: Path) -> None:
    """Make what was renamed in a folder last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

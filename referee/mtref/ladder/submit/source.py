"""Reads a bot from where it lies: a Python file, a folder or an archive. The only place here that opens what is handed in."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

from mtref.ladder.submit.archives import is_archive, read_archive
from mtref.ladder.submit.collect import BotFile, BotFiles, Collector
from mtref.ladder.submit.limits import RefusedError, SubmissionLimits

__all__ = ["MAIN", "read_bot", "read_sent"]

MAIN = "bot.py"
"""What a bot of one Python file is called, whatever it was called before."""


def read_bot(path: Path, limits: SubmissionLimits) -> BotFiles:
    """The files of the bot at `path`. Raises RefusedError for what is no bot, or more than the limits allow."""
    try:
        if path.is_dir() and not path.is_symlink():
            return _read_folder(path, limits)
        data = _read_file(path, limits.archive_bytes)
    except OSError as error:
        raise RefusedError(f"cannot be read: {error.strerror}", str(path)) from error
    return read_sent(path.name, data, limits)


def read_sent(name: str, data: bytes, limits: SubmissionLimits) -> BotFiles:
    """The files of a bot that came as one file of this name. Raises RefusedError."""
    if len(data) > limits.archive_bytes:
        raise RefusedError(f"more than {limits.archive_mb} MiB", name)
    if name.endswith(".py"):
        return {MAIN: BotFile(data)}
    if not is_archive(data):
        raise RefusedError("neither a .py file, nor a folder, nor a .zip or .tar[.gz|.xz|.zst] archive", name)
    return read_archive(data, limits)


def _read_folder(folder: Path, limits: SubmissionLimits) -> BotFiles:
    """All files below a folder; links are refused, not followed."""
    collector = Collector(limits, limits.unpacked_bytes)
    waiting = [folder]
    while waiting:
        for found in sorted(waiting.pop().iterdir()):
            parts = collector.entry(found.relative_to(folder).as_posix())
            if parts is None:
                continue
            mode = found.lstat().st_mode
            if stat.S_ISDIR(mode):
                waiting.append(found)
            else:
                data = _read_file(found, limits.unpacked_bytes)
                collector.file(parts, io.BytesIO(data).read, executable=bool(mode & stat.S_IXUSR))
    return collector.done()


def _read_file(path: Path, most: int) -> bytes:
    """A regular file with one name, which cannot be exchanged for something else meanwhile."""
    if path.is_symlink():
        raise RefusedError("a symbolic link; a bot consists of files and folders only", str(path))
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise RefusedError("neither a file nor a folder", str(path))
        if facts.st_nlink > 1:
            raise RefusedError("a hard link; a bot consists of files and folders only", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise RefusedError(f"more than {most // (1 << 20)} MiB", str(path))
    return data

"""Going through many logs: the files below folders, each summed up, on as many processes as are worth it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mtref.replay.compress import PARTIAL
from mtref.replay.query import Query
from mtref.replay.summary import LogSummary, summarize
from mtref.text import escape
from mtref_sdk.errors import ReplayError

__all__ = ["Found", "Unread", "find", "log_files"]

_ENDINGS: Final = tuple(
    name + part for name in (".jsonl", ".jsonl.zst", ".jsonl.gz") for part in ("", PARTIAL)
)
_FEW: Final = 64
"""So many logs are read sooner than processes are started for them."""
_CHUNK: Final = 16


@dataclass(frozen=True, slots=True)
class Found:
    """A log that was looked for, and the seats that meet the conditions."""

    summary: LogSummary
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or a folder, that cannot be read, and why: one line with its path, escaped."""

    reason: str


def log_files(places: Iterable[Path]) -> Iterator[Path | Unread]:
    """The files among `places` as they are, and of each folder, at any depth, those whose names are names of logs, sorted."""
    for place in places:
        if not place.is_dir():
            yield place
            continue
        failures: list[OSError] = []
        for folder, below, names in os.walk(place, onerror=failures.append):
            below.sort()
            yield from (_entry(Path(folder, name)) for name in sorted(names) if name.endswith(_ENDINGS))
        yield from (Unread(f"{escape(str(error.filename))}: {error.strerror}") for error in failures)


def _entry(path: Path) -> Path | Unread:
    """What stands in a folder under the name of a log: reading a pipe there would wait for whoever writes into it."""
    if path.exists() and not path.is_file():
        return Unread(f"{escape(str(path))}: is not a regular file")
    return path


def find(
    files: Sequence[Path | Unread], query: Query, prepare: Callable[[], object] = lambda: None
) -> Iterator[Found | Unread]:
    """The logs among `files` that `query` looks for, in their order, and what could not be read.

    Never more of a log than a few blocks is in memory. Many are read by as many processes as there are processors; each
    calls `prepare` first, and they end with the iteration.
    """
    look = partial(_look, query)
    processors = len(os.sched_getaffinity(0))
    if len(files) <= _FEW or processors == 1:
        yield from filter(None, map(look, files))
        return
    with multiprocessing.get_context("fork").Pool(processors, _begin, (prepare,)) as pool:
        yield from filter(None, pool.imap(look, files, _CHUNK))


def _begin(prepare: Callable[[], object]) -> None:
    """In a process of the pool: Ctrl-C is for the one that began it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare()


def _look(query: Query, file: Path | Unread) -> Found | Unread | None:
    """What there is to say about a file; None if it is not looked for."""
    if isinstance(file, Unread):
        return file
    try:
        if not query.fits_time(file.stat().st_mtime):
            return None
        summary = summarize(file, query.fits_header)
    except OSError as error:
        return Unread(f"{escape(str(file))}: cannot be read: {error.strerror}")
    except ReplayError as error:
        return Unread(str(error))
    if summary is None:
        return None
    seats = query.matching(summary)
    return Found(summary, seats) if seats else None

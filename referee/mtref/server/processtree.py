"""Families of processes: who is below whom, and ending all of a family. For processes that fork: standard library only."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Iterable, Sequence

__all__ = ["adopt_orphans", "below", "die_with_parent", "kill_below", "parents", "write_texts"]

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent() -> None:
    """From now on the kernel kills this process when its parent dies."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """From now on whatever loses its parent below this process becomes its child."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def parents() -> dict[int, int]:
    """The parent of every process there is, by pid."""
    table: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with (
                contextlib.suppress(OSError, ValueError, IndexError),
                open(f"/proc/{name}/stat", "rb") as stat,
            ):
                table[int(name)] = int(stat.read().rpartition(b")")[2].split()[1])
    return table


def below(root: int) -> set[int]:
    """Every process below `root`, at any depth; not `root` itself."""
    found: set[int] = set()
    table = parents()
    fresh = {root}
    while fresh:
        fresh = {pid for pid, parent in table.items() if parent in fresh} - found
        found |= fresh
    return found


def write_texts(texts: Iterable[Sequence[str]]) -> None:
    """Write each text to its file, as far as that works."""
    for path, text in texts:
        with contextlib.suppress(OSError), open(path, "w", encoding="ascii") as file:
            file.write(text)


def kill_below(root: int) -> None:
    """Kill every process below `root`, and those that appear meanwhile, and reap what becomes a child of the caller."""
    while True:
        doomed = below(root)
        for pid in doomed:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, 0 if doomed else os.WNOHANG)[0]:
                doomed = set()
        except ChildProcessError:
            return
        if not below(root):
            return

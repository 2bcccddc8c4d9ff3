"""Which of the cores that the system counts a process may use. What is pinned hands it down to all that it starts, so nothing else knows of it."""

from __future__ import annotations

import os

from mtref_sdk.errors import MtrefError

__all__ = ["Cores", "current_core", "only_core", "pin"]

_PROCESSOR = 36
"""The place of `processor` in ``/proc/PID/stat``, counted from what follows the program's name."""


def pin(core: int, pid: int = 0) -> None:
    """Let a process, this one if `pid` is 0, run on this core alone. It must have one thread yet. Raises MtrefError."""
    try:
        os.sched_setaffinity(pid, {core})
    except OSError as error:  # such as in a container that forbids it
        raise MtrefError(f"cannot pin to core {core}: {error.strerror}") from error


def current_core() -> int:
    """The core on which this process runs now, one of those it may run on. Raises MtrefError."""
    try:
        with open("/proc/self/stat", encoding="utf-8") as stat:
            return int(stat.read().rpartition(")")[2].split()[_PROCESSOR])
    except OSError as error:
        raise MtrefError(f"cannot find out on which core this runs: {error}") from error


def only_core() -> int | None:
    """The one core on which this process may run, whoever saw to that; None if there are more."""
    cores = os.sched_getaffinity(0)
    return next(iter(cores)) if len(cores) == 1 else None


class Cores:
    """Gives out the cores that this process may use: the first of those that the fewest have."""

    def __init__(self) -> None:
        self._users = dict.fromkeys(sorted(os.sched_getaffinity(0)), 0)

    def take(self) -> int:
        """A core; to be given back."""
        core = min(self._users, key=lambda core: self._users[core])
        self._users[core] += 1
        return core

    def give_back(self, core: int) -> None:
        """Somebody needs it no more."""
        self._users[core] -= 1

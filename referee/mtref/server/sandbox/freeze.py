"""Pausing a bot that is not on move: by its cgroup's freezer, or by stopping its processes one by one."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Protocol

from mtref.server.processtree import below
from mtref.server.sandbox.cgroup import Group

__all__ = ["CgroupFreezer", "Freezer", "NoFreezer", "SignalFreezer"]


class Freezer(Protocol):
    """Pauses one bot. Both calls return at once, may be repeated, and do nothing when the bot has ended."""

    def freeze(self) -> None:
        """From now on (some milliseconds at most) the bot gets no processor time."""

    def thaw(self) -> None:
        """The bot runs again. Call it before the bot's clock starts."""


class NoFreezer:
    """Lets a bot run all the time."""

    def freeze(self) -> None:
        """Do nothing."""

    def thaw(self) -> None:
        """Do nothing."""


class CgroupFreezer:
    """Pauses all processes of a cgroup, and those they could start, together."""

    def __init__(self, group: Group) -> None:
        assert group.frozen and group.thawed
        self._frozen, self._thawed = group.frozen, group.thawed

    def freeze(self) -> None:
        """See `Freezer`."""
        self._write(*self._frozen)

    def thaw(self) -> None:
        """See `Freezer`."""
        self._write(*self._thawed)

    @staticmethod
    def _write(path: str, text: str) -> None:
        with contextlib.suppress(OSError), open(path, "w", encoding="ascii") as file:
            file.write(text)


def born(pid: int) -> int:
    """When a process was started, in ticks since the machine was; 0 when there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[19])
    except OSError:
        return 0


class SignalFreezer:
    """Stops every process below one that stays awake: the bot's keeper, to which whatever the bot started comes back.

    A process that forks while the list is made would be missed, so the list is made again until it holds no news.
    """

    def __init__(self, keeper: int) -> None:
        self._keeper = keeper
        self._born = born(keeper)
        self._stopped: set[int] = set()

    def freeze(self) -> None:
        """See `Freezer`."""
        if not self._born or born(self._keeper) != self._born:
            return  # the keeper has ended, and with it the bot; its number may be somebody else's now
        while fresh := below(self._keeper) - self._stopped:
            self._signal(fresh, signal.SIGSTOP)
            self._stopped |= fresh

    def thaw(self) -> None:
        """See `Freezer`."""
        self._signal(self._stopped, signal.SIGCONT)
        self._stopped = set()

    @staticmethod
    def _signal(pids: set[int], number: signal.Signals) -> None:
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, number)

"""The vocabulary of isolation: levels, limits, the bot to be started, and what is in force. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

__all__ = ["AUTO", "CHOICES", "MIB", "Bot", "InForce", "Level", "Limits"]

MIB = 1 << 20


class Level(StrEnum):
    """How bots are kept apart, from weak to strong; `strength` orders them."""

    NONE = "none"
    RLIMITS = "rlimits"
    LANDLOCK = "landlock"
    BWRAP = "bwrap"

    @property
    def strength(self) -> int:
        """0 for the weakest; a stronger level stops all that a weaker one stops."""
        return list(Level).index(self)


AUTO: Final = "auto"
CHOICES: Final = (AUTO, *map(str, reversed(Level)))
"""What can be asked for: the strongest level that works, or one level and no other."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot may use. Sizes in bytes.

    ``memory`` and ``processes`` (threads count) hold for the bot as a whole where there are cgroups; without them
    memory holds for each process, and processes as docs/isolation.md tells. ``scratch`` is the size of /tmp and of
    /dev/shm inside bwrap, ``file`` of one file.
    """

    memory: int = 512 * MIB
    processes: int = 64
    scratch: int = 32 * MIB
    file: int = 16 * MIB
    open_files: int = 256


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot to be started, before anything is decided about its sandbox.

    ``command`` is resolved like a command typed in ``cwd``. Everything below ``folder`` can be read by the bot, but
    nothing that is in ``hidden``. ``socket`` is the referee's end, already bound, in a folder of its own. ``scratch``
    is a folder that `prepare` makes and `release` removes; a bot may write there where it has no private /tmp.
    """

    command: tuple[str, ...]
    folder: Path
    socket: Path
    token: str = field(repr=False)
    scratch: Path
    hidden: tuple[Path, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path = field(default_factory=Path.cwd)


@dataclass(frozen=True, slots=True)
class InForce:
    """What holds for the bots of a match, as found by running a canary, and why not more.

    ``users`` tells whose rights the bots run with; ``memory`` and ``processes`` how those limits are enforced;
    ``open`` what a bot of this level was seen to be able to do to others; ``freezer`` how bots can be paused.
    """

    level: Level
    users: str
    memory: str
    processes: str
    freezer: str
    open: tuple[str, ...] = ()
    why_not_more: str | None = None

    @property
    def line(self) -> str:
        """One line for people: the level, and honestly what it does and does not do."""
        if self.level is Level.NONE:
            return (
                f"sandbox: none - bots run as {self.users}, without limits; they can read each other's hands and "
                "your files, and use the network"
            )
        parts = [
            _CLOSED[self.level],
            f"memory {self.memory}",
            f"processes {self.processes}",
            f"as {self.users}",
        ]
        if self.open:
            parts.append(f"bots can {', '.join(self.open)}")
        return f"sandbox: {self.level} ({'; '.join(parts)})"

    @property
    def seccomp(self) -> bool:
        """Whether bots run under the system-call filter: part of the two strongest levels."""
        return self.level.strength >= Level.LANDLOCK.strength

    def to_mapping(self) -> dict[str, object]:
        """The same as JSON-able facts, with the line."""
        return {
            "level": str(self.level),
            "seccomp": self.seccomp,
            "users": self.users,
            "memory": self.memory,
            "processes": self.processes,
            "freezer": self.freezer,
            "open": list(self.open),
            "why_not_more": self.why_not_more,
            "line": self.line,
        }


_CLOSED = {
    Level.BWRAP: "files, processes and network isolated; seccomp",
    Level.LANDLOCK: "files and network closed, without namespaces; seccomp",
    Level.RLIMITS: "limits only, nothing isolated",
}

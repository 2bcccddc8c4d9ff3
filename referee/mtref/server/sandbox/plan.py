"""From a bot and a level to a command with its orders: a pure function of its arguments, so that every level can be read in tests.

Orders are what `enter.py` follows; there they are explained.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mtref.server.sandbox import enter
from mtref.server.sandbox.bwrap import SOCKET, bwrap_command
from mtref.server.sandbox.levels import Bot, Level, Limits
from mtref.server.sandbox.visible import Covers

__all__ = ["BARE_ENVIRONMENT", "Means", "Plan", "make_plan"]

BARE_ENVIRONMENT: Final = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",  # what a bot prints before it is killed is not lost
}
"""All of the referee's environment a sandboxed bot gets to see, apart from what `Bot.env` and the runtime add."""

DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True, slots=True)
class Means:
    """All a level works with on this machine for this bot, found out before: `make_plan` asks the machine nothing.

    ``system`` and ``readable`` are the paths the bot may read; ``listable`` are folders in which it has to find some of
    them, where it can be kept from reading the others but not from seeing their names. ``env`` is what its runtime needs to be told, ``program``
    the absolute path of its program. ``user`` is its user id or None, ``powerless`` that it stays root without
    capabilities, ``members`` the files of its cgroup, ``filter``
    the seccomp filter or None, ``bwrap`` the program's path, ``landlock`` the version of the kernel.
    """

    program: str
    system: tuple[Path, ...]
    readable: tuple[Path, ...]
    env: Mapping[str, str]
    listable: tuple[Path, ...] = ()
    user: int | None = None
    powerless: bool = False
    members: tuple[str, ...] = ()
    covers: Covers = field(default_factory=list)
    filter: bytes | None = None
    bwrap: str = "/usr/bin/bwrap"
    landlock: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to execute: the arguments, and what to add to the environment. The token is in ``env`` and only there."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)


def make_plan(level: Level, bot: Bot, limits: Limits, means: Means) -> Plan:
    """How to start `bot` at this level."""
    command = [means.program, *bot.command[1:]]
    if level is Level.NONE:
        return Plan(tuple(command), {**bot.env, **_address(bot, str(bot.socket))})
    orders: dict[str, Any] = {"cwd": str(bot.cwd), "argv": command, "limits": _limits(level, limits, means)}
    home = "/tmp" if level is Level.BWRAP else str(bot.scratch)
    orders["env"] = {
        **BARE_ENVIRONMENT,
        "HOME": home,
        "TMPDIR": home,
        **means.env,
        **bot.env,
        **_address(bot, SOCKET if level is Level.BWRAP else str(bot.socket)),
    }
    if means.members:
        orders["join"] = means.members
    if means.covers:
        orders["covers"] = means.covers
        orders["folders"] = [str(bot.cwd)]
    if means.user is not None:
        orders["user"] = means.user
    orders["powerless"] = means.powerless
    if level is Level.BWRAP:
        _bwrap(orders, bot, limits, means)
    elif level is Level.LANDLOCK:
        _landlock(orders, bot, means)
    script = os.path.abspath(enter.__file__)
    return Plan((sys.executable, "-I", "-S", script), enter.written(orders))


def _address(bot: Bot, socket: str) -> dict[str, str]:
    return {"MTREF_ADDRESS": f"unix:{socket}", "MTREF_TOKEN": bot.token}


def _limits(level: Level, limits: Limits, means: Means) -> dict[str, int]:
    """The resource limits. Those on memory and processes stand behind a cgroup's where there is one."""
    found = {
        "DATA": limits.memory * 3 // 2 if means.members else limits.memory,
        "FSIZE": limits.file,
        "NOFILE": limits.open_files,
        "CORE": 0,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
    }
    if level is Level.BWRAP:
        return found  # the limit on processes is set inside, see bwrap.py
    if means.user is not None:
        found["NPROC"] = limits.processes
    else:  # it counts all processes of the user, so that the bots of a match need room together
        found["TASKS_LEFT"] = 4 * limits.processes
    return found


def _bwrap(orders: dict[str, Any], bot: Bot, limits: Limits, means: Means) -> None:
    argv, files = bwrap_command(
        means.bwrap,
        limits,
        system=means.system,
        readable=means.readable,
        socket=bot.socket,
        cwd=bot.cwd,
        filtered=means.filter is not None,
        command=orders["argv"],
    )
    contents = {name: text.encode() for name, text in files.items()}
    variables = "".join(f"--setenv\0{name}\0{value}\0" for name, value in orders["env"].items())
    contents["environment"] = os.fsencode(variables)
    if means.filter is not None:
        contents["filter"] = means.filter
    orders["argv"] = argv
    orders["files"] = contents
    orders["env"] = {}


def _landlock(orders: dict[str, Any], bot: Bot, means: Means) -> None:
    paths = [*means.system, *means.readable, *map(Path, DEVICES), Path("/proc/self")]
    orders["landlock"] = {
        "read": [str(path) for path in paths],
        "list": [str(path) for path in means.listable],
        "write": [str(bot.scratch), "/dev/null"],
        "version": means.landlock,
    }
    if means.filter is not None:
        orders["filter"] = means.filter

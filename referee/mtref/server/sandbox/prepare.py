"""Making everything ready for one bot and clearing it away after: cgroup, user, permissions, scratch folder.

`plan.py` decides what is to be executed; here is what must exist before and go after. Nothing is started here.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mtref.server.processtree import parents
from mtref.server.sandbox import cgroup, kernel
from mtref.server.sandbox.cgroup import Group, NoCgroupError, Place
from mtref.server.sandbox.freeze import CgroupFreezer, Freezer, NoFreezer, SignalFreezer
from mtref.server.sandbox.levels import Bot, Level, Limits
from mtref.server.sandbox.plan import Means, make_plan
from mtref.server.sandbox.runtime import (
    bot_files,
    outermost,
    program,
    program_folders,
    python_environment,
    python_folders,
    python_roots,
    system_paths,
)
from mtref.server.sandbox.seccomp import FilterUnavailableError, build_filter
from mtref.server.sandbox.users import SeatUsers
from mtref.server.sandbox.visible import covers_for
from mtref_sdk.errors import MtrefError

__all__ = ["Prepared", "Workshop"]


@dataclass(slots=True)
class Prepared:
    """A bot that can be started: run `argv` with `env` added to the environment, without any descriptors of ours.

    ``thaw`` lists (file, text) pairs to be written before the bot is killed: a paused process does not die. ``cgroups``
    are folders that `release` removes; whoever outlives this process may remove them, empty as they are, in its place.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    thaw: tuple[tuple[str, str], ...]
    cgroups: tuple[str, ...]
    _level: Level
    _group: Group | None
    _scratch: Path | None
    _user: int | None
    _users: SeatUsers

    def freezer(self, pid: int) -> Freezer:
        """How to pause the bot whose process is `pid`, a child of its keeper in the launcher."""
        if self._group is not None and self._group.frozen is not None:
            return CgroupFreezer(self._group)
        keeper = parents().get(pid, 0)
        return SignalFreezer(keeper) if keeper > 1 else NoFreezer()

    def status(self, status: int | None) -> int | None:
        """The exit status of the bot itself, minus the signal that ended it: bubblewrap reports 128 plus the signal."""
        if self._level is Level.BWRAP and status is not None and 128 < status < 128 + signal.NSIG:
            return 128 - status
        return status

    def ended_by_memory(self) -> bool:
        """Whether the kernel ended a process of the bot for using too much memory. Ask before `release`."""
        return self._group is not None and self._group.out_of_memory()

    def release(self) -> None:
        """The bot has ended: remove what was made for it."""
        if self._group is not None:
            self._group.remove()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
        if self._user is not None:
            self._users.give_back(self._user)
            self._user = None


class Workshop:
    """Prepares bots at one level. Raises MtrefError when the level's means are missing on this machine.

    A root referee gives bots users of their own; without `own_users` they stay root, without capabilities. `announce` is told of folders
    of cgroups before they are made.
    """

    def __init__(
        self,
        level: Level,
        limits: Limits,
        readable: tuple[Path, ...] = (),
        *,
        own_users: bool = True,
        announce: Callable[[Iterable[str]], object] = lambda _: None,
    ) -> None:
        if level is not Level.NONE and sys.platform != "linux":
            raise MtrefError("it needs Linux")
        self.level, self.limits, self.announce = level, limits, announce
        self.no_cgroup: str | None = None
        """Why bots have no cgroup; None when they have one."""
        self._readable = readable
        self._users = SeatUsers()
        sandboxed_root = level is not Level.NONE and SeatUsers.needed()
        self.own_user = sandboxed_root and own_users
        """Whether each bot runs as a user of its own."""
        self.powerless = sandboxed_root and not own_users
        """Whether bots run as root without capabilities."""
        self._scratches = level in {Level.RLIMITS, Level.LANDLOCK}
        self._filter = _filter(level)
        self._bwrap = _bwrap(level)
        self._landlock = _landlock(level)
        self.place = self._find_place()

    @property
    def landlock(self) -> int:
        """The version of Landlock in use; 0 at other levels."""
        return self._landlock

    def _find_place(self) -> Place | None:
        if self.level is Level.NONE:
            return None
        try:
            place = cgroup.here()
            self._make_group(place).remove()
        except NoCgroupError as error:
            self.no_cgroup = str(error)
            return None
        return place

    def prepare(self, bot: Bot) -> Prepared:
        """Everything `bot` needs. Raises MtrefError; nothing is left behind then."""
        user = self._users.take() if self.own_user else None
        group = scratch = None
        try:
            scratch = self._make_scratch(bot, user)
            if user is not None:
                _open_socket(bot, user)
            if self.place is not None:
                group = self._make_group(self.place)
            plan = make_plan(self.level, bot, self.limits, self._means(bot, user, group))
        except (OSError, NoCgroupError) as error:
            if group is not None:
                group.remove()
            if scratch is not None:
                shutil.rmtree(scratch, ignore_errors=True)
            if user is not None:
                self._users.give_back(user)
            raise MtrefError(f"the sandbox of a bot cannot be prepared: {error}") from error
        thawed = group.thawed if group else None
        folders = group.folders.values() if group else ()
        return Prepared(
            argv=plan.argv,
            env=plan.env,
            thaw=(thawed,) if thawed else (),
            cgroups=tuple(map(str, folders)),
            _level=self.level,
            _group=group,
            _scratch=scratch,
            _user=user,
            _users=self._users,
        )

    def _make_group(self, place: Place) -> Group:
        name = _group_name()
        self.announce(str(folder / name) for folder in place.folders.values())
        return cgroup.make_group(place, name, self.limits)

    def close(self) -> None:
        """No bot is running any more."""
        self._users.close()

    def _make_scratch(self, bot: Bot, user: int | None) -> Path | None:
        if not self._scratches:
            return None
        bot.scratch.mkdir(mode=0o700)
        if user is not None:
            os.chown(bot.scratch, user, user)
        return bot.scratch

    def _means(self, bot: Bot, user: int | None, group: Group | None) -> Means:
        path = program(bot.command, bot.cwd)
        own, listable = bot_files(bot)
        readable = outermost([*python_folders(), *program_folders(Path(path)), *own, *self._readable])
        writable = [bot.scratch] if self._scratches else []
        return Means(
            program=path,
            system=tuple(system_paths()),
            readable=tuple(readable),
            listable=(*python_roots(), *listable),
            env=python_environment(),
            user=user,
            powerless=self.powerless,
            members=group.members if group else (),
            covers=covers_for([*readable, bot.socket], writable) if user is not None else [],
            filter=self._filter,
            bwrap=self._bwrap,
            landlock=self._landlock,
        )


def _group_name() -> str:
    return f"mtref-{secrets.token_hex(6)}"


def _open_socket(bot: Bot, user: int) -> None:
    """Let the bot's user, and no other, connect: the folders can be passed through, the socket is the user's."""
    bot.socket.parent.parent.chmod(0o711)
    bot.socket.parent.chmod(0o711)
    os.chown(bot.socket, user, user)
    bot.socket.chmod(0o600)


def _filter(level: Level) -> bytes | None:
    if level.strength < Level.LANDLOCK.strength:
        return None
    try:
        return build_filter(namespaces=level is Level.BWRAP)
    except FilterUnavailableError as error:
        raise MtrefError(str(error)) from error


def _bwrap(level: Level) -> str:
    found = shutil.which("bwrap") if level is Level.BWRAP else ""
    if found is None:
        raise MtrefError("bubblewrap is not installed (Debian: bubblewrap)")
    return found


def _landlock(level: Level) -> int:
    version = kernel.landlock_version() if level is Level.LANDLOCK else 0
    if level is Level.LANDLOCK and not version:
        raise MtrefError("this kernel has no Landlock, or it is switched off")
    return version

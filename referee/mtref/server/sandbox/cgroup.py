"""Control groups, version 1 and 2: finding where groups can be made, and one group for each bot.

Version 2 with its controllers is not met on every machine; its half is tested against a made-up tree of files.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mtref.server.sandbox.levels import Limits

__all__ = ["Group", "NoCgroupError", "Place", "find_place", "here", "make_group"]

CONTROLLERS: Final = ("memory", "pids", "freezer")
UNIFIED: Final = "unified"
"""The name under which the one hierarchy of version 2 is kept here."""


class NoCgroupError(Exception):
    """No group can be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where groups can be made: the folder to make them in, for each controller (version 1) or for all (`UNIFIED`)."""

    version: int
    folders: Mapping[str, Path]

    @property
    def freezes(self) -> bool:
        """Whether groups made here can be paused."""
        return self.version == 2 or "freezer" in self.folders


@dataclass(frozen=True, slots=True)
class Group:
    """The group of one bot: its folder for each controller, as in `Place`."""

    version: int
    folders: Mapping[str, Path]

    @property
    def members(self) -> tuple[str, ...]:
        """The files a process writes 0 to in order to join."""
        return tuple(str(folder / "cgroup.procs") for folder in self.folders.values())

    @property
    def frozen(self) -> tuple[str, str] | None:
        """The file and the text that pause the group; None when there is no freezer."""
        return self._freezer("FROZEN", "1")

    @property
    def thawed(self) -> tuple[str, str] | None:
        """The file and the text that let the group run."""
        return self._freezer("THAWED", "0")

    def _freezer(self, word: str, digit: str) -> tuple[str, str] | None:
        if self.version == 2:
            return str(self.folders[UNIFIED] / "cgroup.freeze"), digit
        if "freezer" in self.folders:
            return str(self.folders["freezer"] / "freezer.state"), word
        return None

    def out_of_memory(self) -> bool:
        """Whether the kernel has ended a process of the group because the group's memory was used up."""
        name = "memory.events" if self.version == 2 else "memory.oom_control"
        folder = self.folders[UNIFIED if self.version == 2 else "memory"]
        try:
            lines = (folder / name).read_text("ascii").splitlines()
        except OSError:
            return False
        return any(line.split()[0] == "oom_kill" and int(line.split()[1]) > 0 for line in lines if line)

    def kill(self) -> None:
        """Kill every process of the group, paused ones too, and wait until they are gone (a second at most)."""
        if self.thawed:
            with contextlib.suppress(OSError):
                _write(*self.thawed)
        if self.version == 2:
            with contextlib.suppress(OSError):  # Linux 5.14
                _write(str(self.folders[UNIFIED] / "cgroup.kill"), "1")
        deadline = time.monotonic() + 1
        while (pids := self._pids()) and time.monotonic() < deadline:
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, 9)
            time.sleep(0.001)

    def _pids(self) -> list[int]:
        for folder in self.folders.values():
            with contextlib.suppress(OSError):
                return [int(line) for line in (folder / "cgroup.procs").read_text("ascii").split()]
        return []

    def remove(self) -> None:
        """Kill what is left in it and remove it."""
        self.kill()
        deadline = time.monotonic() + 1
        for folder in self.folders.values():
            while True:
                try:
                    folder.rmdir()
                except OSError as error:  # the last process is still on its way out
                    if error.errno == errno.EBUSY and time.monotonic() < deadline:
                        time.sleep(0.001)
                        continue
                break


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def find_place(membership: str, mounts: str, root: Path = Path("/")) -> Place:
    """Where this process can make groups, from the texts of /proc/self/cgroup and /proc/self/mountinfo.

    `root` is put before every path, for tests. Raises NoCgroupError.
    """
    own: dict[str, str] = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(",") if controllers else [UNIFIED], path)
    places: dict[str, Path] = {}
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        mount_root, mount_point = left.split()[3:5]
        kind, _, options = right.split()[:3]
        names = {"cgroup2": [UNIFIED], "cgroup": options.split(",")}.get(kind, [])
        for name in set(names) & own.keys():
            places[name] = root / mount_point.lstrip("/") / os.path.relpath(own[name], mount_root)
    if "memory" in places and "pids" in places:
        return _version_1(places)
    if UNIFIED in places:
        return _version_2(Path(os.path.normpath(places[UNIFIED])), root)
    raise NoCgroupError("no cgroups are mounted")


def here() -> Place:
    """Where this process can make groups. Raises NoCgroupError."""
    try:
        membership, mounts = (
            Path(f"/proc/self/{name}").read_text("utf-8") for name in ("cgroup", "mountinfo")
        )
    except OSError as error:
        raise NoCgroupError(f"cgroups cannot be found: {error.strerror}") from error
    return find_place(membership, mounts)


def _version_1(places: Mapping[str, Path]) -> Place:
    folders = {name: Path(os.path.normpath(places[name])) for name in CONTROLLERS if name in places}
    for name in ("memory", "pids"):
        if not os.access(folders[name], os.W_OK):
            raise NoCgroupError(f"cgroup v1: {folders[name]} is not writable")
    return Place(1, {name: folder for name, folder in folders.items() if os.access(folder, os.W_OK)})


def _version_2(own: Path, root: Path) -> Place:
    """A folder whose children get the controllers: our own group's, else the one around it (our siblings)."""
    reason = ""
    for folder in [own] if own == root / "sys/fs/cgroup" else [own, own.parent]:
        enabled = folder / "cgroup.subtree_control"
        if not os.access(folder, os.W_OK) or not os.access(folder / "cgroup.procs", os.W_OK):
            reason = f"{folder} is not writable (try: systemd-run --user --scope -p Delegate=yes mtref ...)"
            continue
        if folder == own and not _limits_children(enabled):
            with contextlib.suppress(OSError):  # EBUSY where a group has processes of its own
                _write(str(enabled), "+memory +pids")
        if _limits_children(enabled):
            return Place(2, {UNIFIED: folder})
        reason = f"{folder} has no memory and pids controllers for groups in it"
    raise NoCgroupError(f"cgroup v2: {reason}")


def _limits_children(enabled: Path) -> bool:
    with contextlib.suppress(OSError):
        return {"memory", "pids"} <= set(enabled.read_text("ascii").split())
    return False


def make_group(place: Place, name: str, limits: Limits) -> Group:
    """A new group with these limits on memory and processes. Raises NoCgroupError, and leaves nothing behind then."""
    group = Group(place.version, {controller: folder / name for controller, folder in place.folders.items()})
    settings = _settings_1(group, limits) if place.version == 1 else _settings_2(group, limits)
    try:
        for folder in group.folders.values():
            folder.mkdir()
        for path, value, optional in settings:
            if path.exists() or not optional:
                _write(str(path), str(value))
    except OSError as error:
        group.remove()
        raise NoCgroupError(f"cgroup v{place.version}: {error.filename}: {error.strerror}") from error
    return group


def _settings_1(group: Group, limits: Limits) -> list[tuple[Path, int, bool]]:
    memory, pids = group.folders["memory"], group.folders["pids"]
    return [
        (memory / "memory.limit_in_bytes", limits.memory, False),
        (
            memory / "memory.memsw.limit_in_bytes",
            limits.memory,
            True,
        ),  # memory and swap; not every kernel counts swap
        (pids / "pids.max", limits.processes, False),
    ]


def _settings_2(group: Group, limits: Limits) -> list[tuple[Path, int, bool]]:
    folder = group.folders[UNIFIED]
    return [
        (folder / "memory.max", limits.memory, False),
        (folder / "memory.swap.max", 0, True),
        (
            folder / "memory.oom.group",
            1,
            True,
        ),  # a bot that lost one process to the limit is not left half alive
        (folder / "pids.max", limits.processes, False),
    ]

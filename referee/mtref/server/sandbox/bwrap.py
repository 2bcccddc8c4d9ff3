"""The command line of bubblewrap for one bot: which namespaces and mounts there are. Builds arguments, starts nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from mtref.server.sandbox.levels import Limits

__all__ = ["NOBODY", "SOCKET", "bwrap_command"]

SOCKET: Final = "/run/mtref/referee"
"""Where a bot finds the referee's socket."""

NOBODY: Final = 65534
"""The user and group id a bot sees as its own."""

ACCOUNTS: Final = {
    "/etc/passwd": f"bot:x:{NOBODY}:{NOBODY}:bot:/tmp:/bin/sh\n",
    "/etc/group": f"bot:x:{NOBODY}:\n",
}
"""What programs that ask who they are get to read."""

NAMESPACES: Final = (
    *(
        "--unshare-user",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-net",
        "--unshare-cgroup-try",
    ),
    *("--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "bot"),
    *("--uid", str(NOBODY), "--gid", str(NOBODY)),
)


def bwrap_command(
    bwrap: str,
    limits: Limits,
    *,
    system: Iterable[Path],
    readable: Iterable[Path],
    socket: Path,
    cwd: Path,
    filtered: bool,
    command: Sequence[str],
) -> tuple[list[str], Mapping[str, str]]:
    """The argument list, and the contents of the files it refers to as {name} (see `enter.py`).

    `system` and `readable` appear at their own paths. The order of the arguments matters: mounts are made one on the
    other, and nothing can be made after the root has become read-only. The bot's environment is the caller's to
    write, as more arguments, into the file {environment}: on a command line everybody could read it, and in bubblewrap's own
    a bot could name a library for bubblewrap to load.
    """
    files = {f"account{number}": text for number, text in enumerate(ACCOUNTS.values())}
    arguments = [bwrap, "--args", "{environment}", *NAMESPACES]
    for path in system:
        if path.is_symlink() and path.parent == Path("/"):
            arguments += ["--symlink", os.readlink(path), str(path)]
        else:
            arguments += _shown(path)
    for name, target in zip(files, ACCOUNTS, strict=True):
        arguments += ["--perms", "0444", "--ro-bind-data", "{" + name + "}", target]
    arguments += ["--proc", "/proc", "--dev", "/dev", *_memory("/dev/shm", "1777", limits.scratch)]
    arguments += ["--remount-ro", "/dev", *_memory("/tmp", "0700", limits.scratch)]
    for path in readable:
        arguments += _shown(path)
    arguments += [
        "--ro-bind",
        str(socket),
        SOCKET,
        "--dir",
        str(cwd),
        "--remount-ro",
        "/",
        "--chdir",
        str(cwd),
    ]
    if filtered:
        arguments += ["--seccomp", "{filter}"]
    # Only inside, the limit counts this bot alone and not all processes of the user.
    inner = ["/usr/bin/prlimit", f"--nproc={limits.processes}", "--", *command]
    return [*arguments, "--", *inner], files


def _memory(target: str, mode: str, size: int) -> list[str]:
    return ["--size", str(size), "--perms", mode, "--tmpfs", target]


def _shown(path: Path) -> list[str]:
    return ["--ro-bind", str(path), str(path)]

"""Starts the launcher. Imports little: it is to be under way, importing what bots need, while the referee still imports its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mtref_sdk.errors import MtrefError

__all__ = ["PACKET", "PATIENCE_S", "LauncherProcess", "make_run_directory", "start_launcher"]

PACKET: Final = 1 << 20
"""The longest packet that either side sends."""

PATIENCE_S: Final = 30.0
"""How long the launcher may take to end a bot, or itself. A bot of the same user can stop it again and again."""

SOCKET_PATH_MAX: Final = 107
"""The longest path a unix socket can have."""

_FILE: Final = Path(__file__).with_name("launcher.py")
_PLAIN: Final = (sys.executable, "-I", "-S", str(_FILE))
_CODE: Final = (
    "import sys; path = sys.path if sys.flags.safe_path else sys.path[1:]; "
    f"sys.path = [*path, {str(_FILE.parents[2])!r}]; from mtref.server.launcher import main; main(path)"
)
_PRELOADED: Final = (sys.executable, "-c", _CODE)
"""Without options, as a bot would see them in `sys.flags`, and so that nothing is imported from the current folder."""

_MODULES: Final = ("mtref_sdk.client", "mtref_sdk.load", "mtref_sdk.process")
"""All of the SDK that a bot imports by calling `run`, and what that imports."""


@dataclass(frozen=True, slots=True)
class LauncherProcess:
    """A launcher that was started: our child, our end of its socket, and the run directory. ``live`` as it was told."""

    directory: Path
    child: subprocess.Popen[bytes]
    channel: socket.socket
    live: bool

    def wake(self) -> None:
        """Let it go on, should a bot have stopped it."""
        self.child.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """End it and every bot, and wait until the run directory is gone. May be called again."""
        self.channel.close()
        self.wake()
        try:
            self.child.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def make_run_directory() -> Path:
    """A fresh directory only we can read, with a path short enough for sockets in it. The launcher deletes it."""
    for parent in (None, "/tmp"):  # noqa: S108 - a fresh directory of mode 0700 below it
        path = Path(tempfile.mkdtemp(prefix="mtref-", dir=parent))
        if len(os.fsencode(path)) <= SOCKET_PATH_MAX - len("/99999999/s"):
            return path
        path.rmdir()
    raise MtrefError("no directory for sockets: the path of the temporary directory is too long; set TMPDIR")


def start_launcher(
    directory: Path, *, live: bool = False, preload: Mapping[str, str] | None = None
) -> LauncherProcess:
    """Start a launcher with this run directory.

    With `live` what bots print appears on our stderr as well, as it comes. `preload` is the environment of a Python that imports all of the
    SDK, so that bots written in Python can be forks of it; with None every bot is a program of its own.
    """
    command = _PLAIN if preload is None else _PRELOADED
    modules = () if preload is None else _MODULES
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reading, writing = os.pipe()
    # Nobody reads it; but a bot's streams are pipes, and so are those that its fork inherits.
    with theirs, open(reading, "rb"), open(writing, "wb") as pipe:
        child = subprocess.Popen(
            [*command, str(theirs.fileno()), str(directory), *modules],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=None if live else pipe,
            env=os.environ if preload is None else preload,
            start_new_session=True,
        )
    ours.setblocking(False)
    return LauncherProcess(directory, child, ours, live)

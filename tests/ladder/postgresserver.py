"""A PostgreSQL server for tests: from initdb to the end, in a folder of its own, reachable by a socket there alone."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Server", "running_server"]


class Server:
    """A server that can be killed and started again. ``url`` reaches its database."""

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        self.folder, self._programs, self._user = folder, programs, user
        self.url = f"postgresql://mtref@/postgres?host={folder}"
        self._process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", folder / "data", "-U", "mtref", "-A", "trust", "--no-sync")

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = ("listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=40")
        arguments = [part for setting in settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.folder / "data", *arguments],
                stdout=log,
                stderr=log,
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
            )
        until = time.monotonic() + 60
        while self._run("pg_isready", "-q", "-h", self.folder, check=False):
            assert self._process.poll() is None and time.monotonic() < until, (
                self.folder / "log"
            ).read_text()
            time.sleep(0.05)

    def stop(self, number: int = signal.SIGINT) -> None:
        """End it: SIGINT in good order, SIGKILL as a crash would."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(60)
            self._process = None

    def _run(self, program: str, *arguments: str | Path, check: bool = True) -> int:
        return subprocess.run(
            [self._programs / program, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=check,
            user=self._user,
            group=self._user,
            extra_groups=None if self._user is None else [],
        ).returncode


@contextmanager
def running_server() -> Iterator[Server]:
    """A running server. PostgreSQL refuses to run as root; then it runs as the user postgres."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3])
    )
    assert installed, "PostgreSQL is not installed; README.md has the packages that the tests need"
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="mtref-pg-", dir="/tmp"))
    if user is not None:
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    try:
        server = Server(folder, installed[-1].parent, user)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)

"""How a bot comes to call: its program is started here, in a sandbox. What `Member` needs to know of a running bot is
`Running`; other ways to have a bot implement the same.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from mtref.match.entry import Entry
from mtref.match.fault import FaultKind
from mtref.match.incident import last_lines
from mtref.server.ahead import can_be_forked
from mtref.server.endpoint import Endpoint, UnixEndpoint
from mtref.server.isolation import Isolation
from mtref.server.processes import Launcher, Process, ended_text
from mtref.server.sandbox.levels import Level
from mtref.server.sandbox.prepare import Prepared
from mtref.server.stream import BotServer

__all__ = ["LocalStarter", "Running", "Starter"]

_OUT_OF_MEMORY = re.compile(
    r"(?:\w+\.)*\w*MemoryError\b"
    r"|memory allocation of \d+ bytes failed"
    r"|\s*what\(\):\s+std::bad_alloc"
    r"|fatal error: .*out of memory"
    r"|FATAL ERROR: .*out of memory"
    r"|Exception in thread .*\bOutOfMemoryError\b"
)
"""The line with which a Python, Rust, C++, Go, Node or Java program ends that was given no more memory."""


class Running(Protocol):
    """A bot that was started, whoever started it. ``pid`` is 0 when it is no process of ours."""

    pid: int
    limit_s: float | None
    """How long it may take to be ready; None for as long as it takes."""

    @property
    def exited(self) -> asyncio.Future[int | None]:
        """Done as soon as it has ended."""

    def kill(self) -> None:
        """End it and everything it started."""

    async def ended(self) -> None:
        """Returns when it has ended; may be cancelled."""

    def output(self) -> bytes:
        """The beginning and the end of what it has printed."""

    def verdict(self) -> tuple[FaultKind, str]:
        """Once it has ended: which fault that is in the middle of a game, and how it ended, in words after "the process"."""

    def release(self) -> None:
        """It has ended: clear away what was made for it. After this there is no `verdict`."""


class Starter(Protocol):
    """Starts one bot, perhaps several times in a match."""

    def endpoint(self, folder: Path) -> Endpoint:
        """Where it will be expected; `folder` is fresh and its own."""

    async def start(self, server: BotServer) -> Running:
        """Start it, told to call at `server`. Raises SpawnError."""


class LocalStarter:
    """Starts the program of an entry in a sandbox; what belongs to `rivals` is hidden from it."""

    def __init__(
        self,
        entry: Entry,
        rivals: Sequence[Entry],
        launcher: Launcher,
        isolation: Isolation,
        limit_s: float,
    ) -> None:
        self._entry, self._rivals, self._limit_s = entry, rivals, limit_s
        self._launcher, self._isolation = launcher, isolation

    def endpoint(self, folder: Path) -> UnixEndpoint:
        """See `Starter`."""
        return UnixEndpoint(folder / "s")

    async def start(self, server: BotServer) -> Running:
        """See `Starter`. The bot's folder is that of its socket."""
        assert isinstance(server.endpoint, UnixEndpoint)
        socket = server.endpoint.path
        folder = socket.parent
        prepared = self._isolation.prepare(
            self._entry, self._rivals, socket, server.endpoint.token, folder / "scratch"
        )
        try:
            process = await self._launcher.spawn(
                prepared.argv,
                prepared.env,
                folder / "out",
                thaw=prepared.thaw,
                remove=prepared.cgroups,
                forked=can_be_forked(self._entry),
            )
        except BaseException:
            prepared.release()
            raise
        if not self._isolation.pondering:
            server.freezer = prepared.freezer(process.pid)
        return _LocalBot(process, prepared, self._isolation, self._limit_s)


class _LocalBot:
    """A bot in a process of ours."""

    def __init__(self, process: Process, prepared: Prepared, isolation: Isolation, limit_s: float) -> None:
        self.pid = process.pid
        self.limit_s: float | None = limit_s
        self.exited = process.exited
        self._process, self._prepared, self._in_force = process, prepared, isolation.in_force

    def kill(self) -> None:
        """See `Running`."""
        self._process.kill()

    async def ended(self) -> None:
        """See `Running`."""
        await self._process.ended()

    def output(self) -> bytes:
        """See `Running`."""
        return self._process.output()

    def verdict(self) -> tuple[FaultKind, str]:
        """See `Running`. Where a limit makes allocations fail, only the bot itself can say that it ended for that."""
        memory = self._in_force.memory
        if self._prepared.ended_by_memory():
            return FaultKind.MEMORY, f"was ended for using more memory than {memory}"
        how = ended_text(self._prepared.status(self.exited.result()))
        if self._in_force.level is not Level.NONE and _last_words(self.output()):
            return FaultKind.MEMORY, f"{how}, and said that its memory was used up; the limit is {memory}"
        return FaultKind.CRASH, how

    def release(self) -> None:
        """See `Running`."""
        self._prepared.release()


def _last_words(output: bytes) -> bool:
    """Whether the last lines a program printed say that it got no more memory."""
    return any(_OUT_OF_MEMORY.match(line) for line in last_lines(output))

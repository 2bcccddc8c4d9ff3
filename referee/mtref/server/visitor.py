"""Bots that somebody else starts: by hand on this machine, under a debugger, or anywhere on the net."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path

from mtref.match.entry import Entry
from mtref.match.fault import FaultKind
from mtref.server.endpoint import TcpEndpoint, UnixEndpoint
from mtref.server.starters import Running
from mtref.server.stream import BotServer
from mtref.text import escape

__all__ = ["HandStarter", "RemoteStarter", "TcpEndpoint"]


class HandStarter:
    """Says on the terminal how to start a bot here, and waits for it as long as it takes."""

    def __init__(self, number: int, entry: Entry, say: Callable[[str], None]) -> None:
        self._number, self._entry, self._say = number, entry, say

    def endpoint(self, folder: Path) -> UnixEndpoint:
        """See `Starter`."""
        return UnixEndpoint(folder / "s")

    async def start(self, server: BotServer) -> Running:
        """See `Starter`."""
        where = server.endpoint
        name = escape(self._entry.name, 40)
        self._say(f"bot {self._number}, {name}, is yours to start, in another terminal:")
        self._say(
            f"  MTREF_ADDRESS={where.address} MTREF_TOKEN={where.token} {escape(shlex.join(self._entry.argv), 2000)}"
        )
        return _Visitor(None)


class RemoteStarter:
    """Waits for a bot at a port. `told` is called when it may call, to tell its owner the token."""

    def __init__(self, endpoint: TcpEndpoint, limit_s: float, told: Callable[[], None]) -> None:
        self._endpoint, self._limit_s, self._told = endpoint, limit_s, told

    def endpoint(self, folder: Path) -> TcpEndpoint:
        """See `Starter`. The same for the whole match."""
        del folder
        return self._endpoint

    async def start(self, server: BotServer) -> Running:
        """See `Starter`."""
        del server
        self._told()
        return _Visitor(self._limit_s)


class _Visitor:
    """A bot that is no process of ours: it ends for us when we give it up."""

    def __init__(self, limit_s: float | None) -> None:
        self.pid = 0
        self.limit_s = limit_s
        self.exited: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    def kill(self) -> None:
        """See `Running`. All we can do is to wait no longer."""
        if not self.exited.done():
            self.exited.set_result(None)

    async def ended(self) -> None:
        """See `Running`."""
        await asyncio.shield(self.exited)

    def output(self) -> bytes:
        """See `Running`. It prints elsewhere."""
        return b""

    def verdict(self) -> tuple[FaultKind, str]:
        """See `Running`."""
        return FaultKind.CRASH, "has left and did not come back"

    def release(self) -> None:
        """See `Running`."""

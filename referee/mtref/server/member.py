"""One bot of a match while it plays: its process, its socket and its link, from the start to the end of the process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mtref.match.entry import Entry
from mtref.match.options import MatchOptions
from mtref.server.link import Link
from mtref.server.processes import Launcher, Process, SpawnError, ended_text
from mtref.server.stream import BotServer
from mtref.server.watchdog import Watchdog
from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["Member", "StartError"]


class StartError(MtrefError):
    """A bot was not ready before the deal. ``output`` is the last of what it printed."""

    def __init__(self, reason: str, output: bytes) -> None:
        super().__init__(reason)
        self.output = output


class Member:
    """A bot's process and its link to the tables. `start` it, seat it by ``link``, `stop` it."""

    def __init__(
        self,
        entry: Entry,
        launcher: Launcher,
        watchdog: Watchdog,
        options: MatchOptions,
        folder: Callable[[], Path],
        note: Callable[..., object],
    ) -> None:
        self.entry, self.options = entry, options
        self.link = Link(self._wake, self._hung, options)
        self._launcher, self._watchdog, self._folder, self._note = launcher, watchdog, folder, note
        self._server: BotServer | None = None
        self._process: Process | None = None
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process and wait until it said hello. Raises StartError."""
        server, process = await self._launch()
        self._watchdog.watch(self.link)
        self._watch = asyncio.create_task(self._keep_watch(server, process))

    async def told(self) -> None:
        """Everything for the bot has been written, or it is not there any more."""
        if self._server is not None and self._process is not None:
            await _first(self._server.flushed(), self._server.lost.wait(), self._process.ended())

    async def stop(self) -> None:
        """End the stream and the process: in good order if the bot does so in time, by force otherwise."""
        limit = self.options.limits.leave_ms / 1000
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        self._watchdog.forget(self.link)
        if self._server is not None and self._process is not None:
            await _first(self.told(), timeout=limit)
            self._server.close()
            await _first(self._process.ended(), timeout=limit)
            await self._end(self._server, self._process)

    def _wake(self) -> None:
        """There is something to write, and perhaps a new decision to watch."""
        self._watchdog.look(self.link)
        if self._server is not None:
            self._server.wake()

    def _hung(self) -> None:
        if self._process is not None:
            self._process.kill()

    async def _launch(self) -> tuple[BotServer, Process]:
        folder = self._folder()
        server = BotServer(folder / "s", self.link, self._watchdog.look, self.options.limits.returns)
        await server.start()
        environment = {"MTREF_ADDRESS": server.address, "MTREF_TOKEN": server.token}
        try:
            process = await self._launcher.spawn(self.entry.argv, environment, folder / "out")
        except BaseException as error:
            await server.stop()
            if isinstance(error, SpawnError):
                raise StartError(str(error), b"") from error
            raise
        self._server, self._process = server, process
        self._note("process started", bot=escape(self.entry.name), pid=process.pid)
        limit = self.options.clock.startup_ms / 1000
        either: set[asyncio.Future[Any]] = {server.ready, process.exited}
        await asyncio.wait(either, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        reason = _why_not_ready(server, process, limit)
        if reason:
            await self._end(server, process)
            raise StartError(reason, process.output())
        return server, process

    async def _end(self, server: BotServer, process: Process) -> None:
        """Whatever is left of the process and of its stream goes now."""
        self._server = self._process = None
        process.kill()
        await process.ended()
        self._note(
            "process ended", bot=escape(self.entry.name), pid=process.pid, status=process.exited.result()
        )
        await server.stop()

    async def _keep_watch(self, server: BotServer, process: Process) -> None:
        """Notice the end of the process or of its stream at once; give tables it still has a fresh process."""
        while True:
            await _first(process.ended(), server.lost.wait())
            await _first(
                asyncio.gather(process.ended(), server.lost.wait()),
                timeout=self.options.limits.news_ms / 1000,
            )
            if not process.exited.done():
                self.link.disconnected()
                back = await self._wait_for_return(server, process)
                if back:
                    continue
            self.link.crashed(f"the process {ended_text(process.exited.result())}")
            await self._end(server, process)
            if not self.link.places:
                return
            self.link.suspend()
            try:
                server, process = await self._launch()
            except StartError as error:
                for place in list(self.link.places.values()):
                    self.link.crashed(f"the bot could not be started again: it {error}", only=place)
                return

    async def _wait_for_return(self, server: BotServer, process: Process) -> bool:
        """The stream is lost and the process lives. True when it calls again, False when it has ended.

        Its clocks run on. Where no clock is, nothing else would ever end the game: then it has as long as for a start.
        """
        limit = None if self.options.clock.enabled else self.options.clock.startup_ms / 1000
        await _first(process.ended(), server.back.wait(), timeout=limit)
        if server.back.is_set() and not process.exited.done():
            return True
        process.kill()
        await process.ended()
        return False


def _why_not_ready(server: BotServer, process: Process, limit: float) -> str:
    """Empty when the bot is ready."""
    if process.exited.done():
        return f"{ended_text(process.exited.result())} before it was ready"
    if not server.ready.done():
        return f"{'said no hello' if server.called else 'did not connect'} within {limit:g} s"
    error = server.ready.exception()
    return "" if error is None else f"broke the protocol: {error}"


async def _first(*jobs: Awaitable[object], timeout: float | None = None) -> None:
    """Wait for the first of these, or so many seconds, and drop the rest."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

"""One bot of a match while it plays: its process, its socket and its link, from the start to the end of the process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mtref.match.entry import Entry
from mtref.match.fault import FaultKind
from mtref.match.options import MatchOptions
from mtref.server.link import Link
from mtref.server.notready import StartError
from mtref.server.processes import SpawnError
from mtref.server.starters import Running, Starter
from mtref.server.stream import BotServer
from mtref.server.waiting import first, to_the_end
from mtref.server.watchdog import Watchdog
from mtref.text import escape

__all__ = ["Member"]


class Member:
    """A bot's process and its link to the tables. `start` it, seat it by ``link``, `stop` it.

    `printed` is given what it has printed whenever a process of it has ended; ``last`` is that of the last one.
    """

    def __init__(
        self,
        entry: Entry,
        starter: Starter,
        watchdog: Watchdog,
        options: MatchOptions,
        folder: Callable[[], Path],
        note: Callable[..., object],
        printed: Callable[[bytes], object] = lambda _: None,
        *,
        link: type[Link] = Link,
    ) -> None:
        self.entry, self.options = entry, options
        self.link = link(self._wake, self._hung, options)
        self._starter, self._watchdog, self._folder, self._note = starter, watchdog, folder, note
        self._printed = printed
        self.last = b""
        self._how = "ended"  # how the last process did
        self._server: BotServer | None = None
        self._process: Running | None = None
        self._misdeed = ""  # at its door, in words after "the process"
        self._watch: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()  # no process is ending or being started in place of another
        self._wanted = False
        self._absent: StartError | None = None
        self._readying = asyncio.Lock()

    async def start(self) -> None:
        """Start the process and wait until it said hello. Raises StartError."""
        server, process = await self._launch()
        self._watchdog.watch(self.link)
        self._settled.set()
        self._watch = asyncio.create_task(self._keep_watch(server, process))

    async def ready_again(self) -> None:
        """It is there for one more game: started again if it has ended, back if it was away. Raises StartError.

        Who was not is not waited for a second time, but may come back by itself.
        """
        async with self._readying:
            self._wanted = True
            try:
                await self._stand_by()
            except StartError as error:
                self._absent = error
                raise
            finally:
                self._wanted = False

    async def told(self) -> str:
        """Everything for the bot has been written, or it is away for now. Else what was the matter with it; empty if nothing.

        A process that has ended while it sat at other tables, too, may have done so for one of these: then the next one counts.
        """
        limit = self.options.clock.startup_ms / 1000
        for last in False, True:
            await self._settle()
            server, process = self._server, self._process
            if server is None or process is None:
                return self._how
            if not await first(server.flushed(), server.lost.wait(), process.ended(), timeout=limit):
                return f"read nothing for {limit:g} s"
            if not process.exited.done():
                return ""
            if last or len(self.link.places) < 2:
                return self._ended_how(process)
            if self._process is process:
                self._settled.clear()  # whoever watches it starts another one for these tables
        raise AssertionError("the second time is the last")

    async def stop(self) -> None:
        """End the stream and the process: in good order if the bot does so in time, by force otherwise."""
        limit = self.options.limits.leave_ms / 1000
        try:
            await self._look_away()
            server, process = self._server, self._process
            if self._watch is not None and server is not None and process is not None:
                await first(self.told(), timeout=limit)
                server.close()
                await first(process.ended(), timeout=limit)
        finally:  # by force, too, when somebody cannot wait
            await to_the_end(self._force())

    async def _look_away(self) -> None:
        """Nobody watches the process any more, and nobody is ending it or starting another one."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)

    async def _force(self) -> None:
        await self._look_away()
        self._watchdog.forget(self.link)
        if self._server is not None and self._process is not None:
            await self._end(self._server, self._process)

    async def _stand_by(self) -> None:
        server, process = self._server, self._process
        if server is not None and process is not None and not server.lost.is_set() and self.link.stuck:
            await first(self._unstuck(), process.ended(), timeout=self.options.limits.leave_ms / 1000)
            if self.link.stuck:
                process.kill()
                await process.ended()
        for last in False, True:  # not for ever: each look may find another process that does not stay
            if self._process is not None and self._process.exited.done():
                self._settled.clear()  # whoever watches it starts another one, as it is wanted
            await self._settle()
            server, process = self._server, self._process
            if server is None or process is None:
                if self._absent is not None:
                    raise self._absent
                await self.start()
                return
            server.allow_returns()
            if not server.lost.is_set():
                return
            limit = 0 if self._absent else process.limit_s
            await first(server.back.wait(), process.ended(), timeout=limit)
            if server.back.is_set():
                return
            if not process.exited.done():
                raise self._absent or StartError(f"did not come back within {limit or 0:g} s", b"")
            if last:
                raise StartError(
                    f"{self._ended_how(process)} before the deal, again and again", process.output()
                )

    async def _settle(self) -> None:
        """Wait until no process is ending or being started, and none has ended since that was so."""
        while not self._settled.is_set():
            await self._settled.wait()

    async def _unstuck(self) -> None:
        """It has answered what it was asked at tables that are over."""
        while self.link.stuck:  # noqa: ASYNC110 - rare, and a link, which knows no loop, tells nobody
            await asyncio.sleep(0.01)

    def _wake(self) -> None:
        """There is something to write, and perhaps a new decision to watch."""
        self._watchdog.look(self.link)
        if self._server is not None:
            self._server.wake()

    def _hung(self) -> None:
        if self._process is not None:
            self._process.kill()

    async def _launch(self) -> tuple[BotServer, Running]:
        endpoint = self._starter.endpoint(self._folder())
        server = BotServer(endpoint, self.link, self._watchdog.look, self.options.limits.returns)
        try:
            server.start()
            process = await self._starter.start(server)
        except BaseException as error:
            await to_the_end(server.stop())
            if isinstance(error, SpawnError):
                raise StartError(str(error), b"") from error
            raise
        self._server, self._process = server, process
        self._guard(server, process)
        self._note("process started", bot=escape(self.entry.name), pid=process.pid)
        limit, began = process.limit_s, time.monotonic()
        either: set[asyncio.Future[Any]] = {server.ready, process.exited}
        await asyncio.wait(either, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        reason = self._why_not_ready(server, process, limit)
        if reason:
            await self._end(server, process)
            raise StartError(reason, process.output())
        self._note("bot ready", bot=escape(self.entry.name), seconds=round(time.monotonic() - began, 3))
        return server, process

    def _guard(self, server: BotServer, process: Running) -> None:
        """From now on its door is looked after, and it is ended if it crowds or floods that."""

        def stop(misdeed: str) -> None:
            if not process.exited.done():
                self._misdeed = misdeed
                process.kill()

        self._misdeed = ""
        server.door.misdeed = stop

    def _verdict(self, process: Running) -> tuple[FaultKind, str]:
        """Once it has ended: see `Running`."""
        return (FaultKind.FLOOD, self._misdeed) if self._misdeed else process.verdict()

    async def _end(self, server: BotServer, process: Running) -> None:
        """Whatever is left of the process and of its stream goes now, also when the caller is cancelled meanwhile."""
        self._server = self._process = None
        await to_the_end(self._clear_away(server, process))

    async def _clear_away(self, server: BotServer, process: Running) -> None:
        process.kill()
        await process.ended()
        kind, self._how = self._verdict(process)
        more = (
            {"memory": "used up"} if kind is FaultKind.MEMORY else {}
        )  # perhaps by a child, which costs nothing
        status = process.exited.result()
        self._note("process ended", bot=escape(self.entry.name), pid=process.pid, status=status, **more)
        self.last = process.output()
        self._printed(self.last)
        process.release()
        await server.stop()

    def _ended_how(self, process: Running) -> str:
        """How a process that has ended did, in words, whether it is cleared away already or not."""
        return self._verdict(process)[1] if process is self._process else self._how

    async def _keep_watch(self, server: BotServer, process: Running) -> None:
        """Notice the end of the process or of its stream at once; give tables it still has a fresh process."""
        try:
            while await self._watch_one(server, process):
                self.link.suspend()
                try:
                    server, process = await self._launch()
                except StartError as error:
                    self._absent = error
                    for place in list(self.link.places.values()):
                        text = f"the bot could not be started again: it {error}"
                        self.link.crashed(text, only=place)
                    return
                self._settled.set()
        finally:
            self._settled.set()

    async def _watch_one(self, server: BotServer, process: Running) -> bool:
        """Watch one process to its end. Whether another one is needed."""
        how = ""
        while not process.exited.done():
            await first(process.ended(), server.lost.wait())
            await first(
                asyncio.gather(process.ended(), server.lost.wait()),
                timeout=self.options.limits.news_ms / 1000,
            )
            if not process.exited.done():
                server.tell_loss()
                if not await self._wait_for_return(server, process) and server.spent:
                    how = f"lost its stream more than {self.options.limits.returns} times"
        kind, ended = self._verdict(process)
        self.link.crashed(f"the process {how or ended}", kind=kind)
        self._settled.clear()
        await self._end(server, process)
        return bool(self.link.places) or self._wanted

    async def _wait_for_return(self, server: BotServer, process: Running) -> bool:
        """The stream is lost and the process lives. True when it calls again, False when it has ended.

        Its clocks run on. Where no clock is, nothing else would end the game: then it has as long as for a start. Who may not call
        again is not waited for.
        """
        limit = None if self.options.clock.enabled else process.limit_s
        if server.spent:
            limit = 0
        await first(process.ended(), server.back.wait(), timeout=limit)
        if server.back.is_set() and not process.exited.done():
            return True
        process.kill()
        await process.ended()
        return False

    def _why_not_ready(self, server: BotServer, process: Running, limit: float | None) -> str:
        """Empty when the bot is ready, or was: who watches it hears of its end."""
        error = server.ready.exception() if server.ready.done() else None
        if server.ready.done() and error is None:
            return ""
        if process.exited.done():
            return f"{self._verdict(process)[1]} before it was ready"
        late = f"{'said no hello' if server.called_once else 'did not connect'} within {limit or 0:g} s"
        return late if error is None else f"broke the protocol: {error}"

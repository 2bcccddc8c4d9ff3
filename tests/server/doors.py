"""A door in a test: what it hears, and callers with bare sockets that say what no library would."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Self

from mtref.server.door.call import Call
from mtref.server.door.door import Door
from mtref.server.endpoint import Endpoint, TcpEndpoint, UnixEndpoint
from mtref_sdk.grpcwire import packed
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from tests.sdk.http2ends import HELLO, parsed

__all__ = [
    "MESSAGE",
    "METHOD",
    "PING",
    "REQUEST",
    "Caller",
    "Echo",
    "answers",
    "at",
    "opened",
    "running",
    "until",
]

METHOD = "/a/b"

REQUEST = frame(frames.HEADERS, frames.END_HEADERS, 1, b"\x83\x86\x04\x04/a/b\x5f\x10application/grpc")
"""A call of METHOD as the first stream, in bytes."""

MESSAGE = frame(frames.DATA, 0, 1, packed(b"abc"))
PING = frame(frames.PING, 0, 0, b"12345678")


async def until(so: Callable[[], object]) -> None:
    """Wait for something that nobody tells of."""
    async with asyncio.timeout(30):
        while not so():
            await asyncio.sleep(0.001)


class Echo:
    """Hears calls and says everything back. ``heard`` is what happened, ``calls`` the calls in their order; `keeps` takes no message."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.calls: list[Call] = []
        self.keeps = False
        self.running: Call | None = None
        self.misdeeds: list[str] = []

    def called(self, call: Call) -> None:
        self.heard.append("called")
        self.calls.append(call)
        call.greet()

    def said(self, call: Call, message: bytes) -> None:
        self.heard.append(f"said {len(message)}")
        if not self.keeps:
            call.taken(message)
            call.write(message)

    def finished(self, call: Call) -> None:
        self.heard.append("finished")
        call.end(0)

    def gone(self, call: Call) -> None:
        del call
        self.heard.append("gone")

    def roomy(self, call: Call) -> None:
        del call
        self.heard.append("roomy")

    def lengths(self) -> list[int]:
        """Of the messages that came."""
        return [int(each.removeprefix("said ")) for each in self.heard if each.startswith("said ")]


@asynccontextmanager
async def opened(endpoint: Endpoint, echo: Echo) -> AsyncIterator[Door]:
    """A door at which `echo` hears the calls. Whatever goes wrong in the event loop meanwhile is raised, and nothing is left."""
    wrong: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: wrong.append(context))
    tasks = asyncio.all_tasks()
    door = Door(endpoint, METHOD, echo, lambda call: call is echo.running)
    door.misdeed = echo.misdeeds.append
    door.listen()
    try:
        yield door
    finally:
        await door.close()
    await asyncio.sleep(0)  # what transports still had to do
    await asyncio.sleep(0)
    assert wrong == []
    await until(lambda: asyncio.all_tasks() <= tasks)
    if isinstance(endpoint, UnixEndpoint):
        assert not endpoint.path.exists()


class Caller:
    """A bare socket that has called at a door. ``frames`` is what came, parsed."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.socket = socket.socket(socket.AF_UNIX if isinstance(endpoint, UnixEndpoint) else socket.AF_INET)
        self.socket.setblocking(False)
        self.data = b""
        self.over = False

    async def connect(self) -> Self:
        """Get in. Raises OSError."""
        if isinstance(self._endpoint, TcpEndpoint):
            address = self._endpoint.host, self._endpoint.port
            await asyncio.get_running_loop().sock_connect(self.socket, address)
            return self
        while True:
            try:
                self.socket.connect(str(self._endpoint.path))
            except BlockingIOError:  # others want to get in too
                await asyncio.sleep(0.001)
            except OSError:
                self.socket.close()
                raise
            else:
                return self

    async def say(self, data: bytes = HELLO) -> None:
        """Send everything, or as much as is taken before the end."""
        with suppress(ConnectionError):
            await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def hear(self, so: Callable[[], object] | None = None) -> None:
        """Read until something is so, or until the end."""
        async with asyncio.timeout(30):
            while not self.over and not (so and so()):
                try:
                    data = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
                except ConnectionError:
                    data = b""
                self.data += data
                self.over = not data

    async def hear_more(self, kind: int, known: int, count: int = 1) -> None:
        """Read until so many more frames of a kind have come than were `known`. An end is a failure."""
        await self.hear(lambda: len(self.told(kind)) >= known + count)
        assert not self.over

    def told(self, kind: int) -> list[tuple[int, int, bytes]]:
        """What came in frames of one kind: flags, stream, payload."""
        return [(flags, number, payload) for each, flags, number, payload in self.parsed() if each == kind]

    def parsed(self) -> list[tuple[int, int, int, bytes]]:
        """All whole frames."""
        data, whole = self.data, 0
        while len(data) - whole >= 9:
            size = int.from_bytes(data[whole : whole + 3], "big")
            if whole + 9 + size > len(data):
                break
            whole += 9 + size
        return parsed(data[:whole])

    def close(self) -> None:
        self.socket.close()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(self, *_: object) -> None:
        self.close()


def at(endpoint: Endpoint, story: Callable[[Door, Echo, AsyncExitStack], Awaitable[None]]) -> Echo:
    """Have something happen at a door; sockets on the stack are closed before the door is."""
    echo = Echo()

    async def run() -> None:
        async with opened(endpoint, echo) as door, AsyncExitStack() as stack:
            await story(door, echo, stack)

    asyncio.run(run())
    return echo


async def running(endpoint: Endpoint, echo: Echo, stack: AsyncExitStack) -> Caller:
    """Somebody whose call is the running stream."""
    caller = await stack.enter_async_context(Caller(endpoint))
    await caller.say(HELLO + REQUEST)
    await until(lambda: echo.calls)
    echo.running = echo.calls[-1]
    return caller


async def answers(caller: Caller) -> None:
    """Whether a call goes on."""
    before = len(caller.told(frames.DATA))
    await caller.say(MESSAGE)
    await caller.hear_more(frames.DATA, before)

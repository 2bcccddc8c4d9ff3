"""How much a door puts up with: connections, arrivals, frames and silence. A bot of this machine is told of once; strangers are hung up on."""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from contextlib import AsyncExitStack, closing, suppress
from pathlib import Path

import pytest

from mtref.server.door import connection as door_connection
from mtref.server.door import door as door_door
from mtref.server.door.door import ARRIVALS, CONNECTIONS, Door
from mtref.server.endpoint import TcpEndpoint, UnixEndpoint
from mtref_sdk.errors import MtrefError
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from mtref_sdk.wire import METHOD
from tests.sdk.http2ends import HELLO, settings, word
from tests.server.doors import MESSAGE, PING, Caller, Echo, answers, at, running, until


def test_as_many_connections_as_are_allowed_are_no_crowd(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        callers = [await stack.enter_async_context(Caller(own)) for _ in range(CONNECTIONS)]
        await until(lambda: len(door._connections) == CONNECTIONS)
        for _ in range(30):  # whoever leaves makes room
            callers.pop().close()
            await until(lambda: len(door._connections) == CONNECTIONS - 1)
            callers.append(await stack.enter_async_context(Caller(own)))
            await until(lambda: len(door._connections) == CONNECTIONS)
        assert echo.misdeeds == []

    at(own, story)


def test_too_many_at_a_bots_own_socket_are_told_of_once_and_all_are_hung_up_on(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        callers = [await stack.enter_async_context(Caller(own)) for _ in range(CONNECTIONS + 3)]
        for caller in callers:
            await caller.say()
            await caller.hear()
        nobody = stack.enter_context(closing(Caller(own)))
        with pytest.raises(FileNotFoundError):
            await nobody.connect()

    assert at(own, story).misdeeds == ["was ended for having more than 8 connections at once"]


def test_who_connects_too_often_at_its_own_socket_is_told_of_once(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        while not echo.misdeeds:
            with suppress(OSError):
                async with Caller(own):
                    pass
            await until(lambda: not door._connections or echo.misdeeds)

    assert at(own, story).misdeeds == [f"was ended for connecting more than {ARRIVALS} times within seconds"]


def test_at_a_port_who_has_most_connections_gives_up_the_oldest_but_not_the_running_stream(
    port: TcpEndpoint,
) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(port, echo, stack)
        strangers = []
        for number in range(CONNECTIONS + 2):
            strangers.append(await stack.enter_async_context(Caller(port)))
            if number < CONNECTIONS:
                await until(lambda: len(door._connections) == len(strangers) + 1)
        for stranger in strangers[:2]:
            await stranger.hear()
        await answers(caller)
        for stranger in strangers[2:]:
            await stranger.say(HELLO + PING)
            await stranger.hear_more(frames.PING, 0)
        assert echo.misdeeds == []

    at(port, story)


def test_at_a_port_many_may_connect_and_are_let_in_one_by_one(port: TcpEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(port, echo, stack)
        for _ in range(ARRIVALS + 10):
            async with Caller(port):
                pass
        await answers(caller)
        late = await stack.enter_async_context(Caller(port))
        await late.say(HELLO + PING)
        await late.hear_more(frames.PING, 0)
        assert echo.misdeeds == []

    at(port, story)


def test_the_kernel_finds_out_who_is_gone_at_a_port(port: TcpEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        await running(port, echo, stack)
        (connection,) = door._connections
        assert connection._transport is not None
        ours = connection._transport.get_extra_info("socket")
        assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == door_door.GONE_S * 1000
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1

    at(port, story)


@pytest.mark.parametrize(
    "said", [b"", frames.PREFACE[:3], frames.PREFACE, HELLO], ids=["0", "3", "24", "all"]
)
def test_who_says_nothing_is_hung_up_on(
    said: bytes, own: UnixEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_connection, "HANDSHAKE_S", 0.01)
    monkeypatch.setattr(door_connection, "IDLE_S", 0.03)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(own))
        await caller.say(said)
        await caller.hear()
        assert [struct.unpack(">II", each) for _, _, each in caller.told(frames.GOAWAY)] == [(0, 0)]
        assert echo.misdeeds == []

    at(own, story)


def test_who_has_a_call_may_be_silent(own: UnixEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_connection, "IDLE_S", 1e-6)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(own, echo, stack)
        (connection,) = door._connections
        connection._look()
        await answers(caller)
        await caller.say(frame(frames.DATA, frames.END_STREAM, 1, b""))
        await until(lambda: "finished" in echo.heard)
        connection._look()
        await caller.hear()
        assert caller.told(frames.GOAWAY)

    at(own, story)


def test_who_reads_nothing_is_hung_up_on_too(own: UnixEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(own, echo, stack)
        monkeypatch.setattr(door_connection, "HANDSHAKE_S", 0.01)
        room = settings((frames.INITIAL_WINDOW, 1 << 30)) + word(frames.WINDOW_UPDATE, 0, 1 << 30)
        await caller.say(room + MESSAGE)
        await until(echo.lengths)
        while not echo.calls[0].waiting:
            echo.calls[0].write(bytes(60_000))
        await caller.say(b"\xff" * 9)
        await until(lambda: not door._connections)
        assert echo.heard[-1] == "gone"

    at(own, story)


def test_an_address_that_cannot_be_listened_at_is_one_line(port: TcpEndpoint, folder: Path) -> None:
    async def run() -> None:
        for endpoint in (
            UnixEndpoint(folder / ("x" * 200)),
            UnixEndpoint(folder / "none" / "s"),
            TcpEndpoint("192.0.2.1", port.port, None),
            TcpEndpoint("nobody.invalid", port.port, None),
        ):
            with pytest.raises(MtrefError, match="cannot listen at ") as caught:
                Door(endpoint, METHOD, Echo(), lambda _: False).listen()
            assert "\n" not in str(caught.value)

    asyncio.run(run())


def test_callers_for_whom_there_is_no_descriptor_left_get_in_once_there_is(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        first = await stack.enter_async_context(Caller(own))
        await until(lambda: door._connections)
        caller = Caller(own)
        stack.callback(caller.close)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (caller.socket.fileno() + 1, hard))
        try:
            await caller.connect()
            await caller.say()
            for _ in range(100):
                await asyncio.sleep(0)
            assert len(door._connections) == 1
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        await caller.hear_more(frames.SETTINGS, 0, 2)
        assert not first.over and echo.misdeeds == []

    at(own, story)

"""How much may come on one connection that is no answer. A bot of this machine is told of once; strangers are hung up on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from mtref.match.options import MatchOptions
from mtref.server.door.allowance import Allowance
from mtref.server.door.connection import FRAMES
from mtref.server.door.door import Door
from mtref.server.endpoint import TcpEndpoint, UnixEndpoint
from mtref.server.link import Link
from mtref.server.stream import BotServer
from mtref_sdk.grpcwire import packed
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from mtref_sdk.ruleset import preset
from mtref_sdk.wire import METHOD
from tests.sdk.http2ends import HELLO, settings, word
from tests.server.doors import MESSAGE, PING, Caller, Echo, answers, at, running, until

FLOODED = f"was ended for flooding its socket: more than {FRAMES} frames on a connection were no answers"


def test_an_allowance_is_spent_and_grows_again() -> None:
    now = 100.0
    allowance = Allowance(10, 2, lambda: now)
    assert [allowance.spend(4) for _ in range(3)] == [True, True, False]
    now += 0.5
    assert not allowance.spend(0)  # what was overspent comes first
    now += 0.5
    assert allowance.spend(0) and not allowance.spend(1)
    now += 1000
    assert [allowance.spend(5) for _ in range(3)] == [True, True, False]


def test_what_is_added_to_an_allowance_never_exceeds_the_most() -> None:
    allowance = Allowance(10, 0, lambda: 0.0)
    allowance.add(100)
    assert allowance.spend(10) and not allowance.spend(1)
    allowance.add(3)
    assert allowance.spend(2)


USELESS = {
    "ping": PING,
    "settings": settings(),
    "window": word(frames.WINDOW_UPDATE, 0, 1),
    "priority": frame(frames.PRIORITY, 0, 1, bytes(5)),
    "unknown": frame(99, 255, 7, b""),
    "empty data": frame(frames.DATA, 0, 1, b""),
    "data of a call that is over": frame(frames.DATA, 0, 3, b"x"),
    "reset": word(frames.RST_STREAM, 3, 8),
    "trailers": frame(frames.HEADERS, frames.END_HEADERS, 1, b"\x83"),
    "goaway": frame(frames.GOAWAY, 0, 0, bytes(8)),
    "windows to and fro": settings((frames.INITIAL_WINDOW, 0), (frames.INITIAL_WINDOW, 65535)),
}


@pytest.mark.parametrize("useless", USELESS.values(), ids=USELESS.keys())
def test_a_flood_at_a_bots_own_socket_is_told_of_once(useless: bytes, own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller, other = await running(own, echo, stack), await stack.enter_async_context(Caller(own))
        await caller.say(
            frame(frames.HEADERS, frames.END_HEADERS, 3, b"\x83") + word(frames.RST_STREAM, 3, 8)
        )
        await answers(caller)
        await caller.say(useless * (FRAMES + 400))
        await until(lambda: echo.misdeeds)
        await caller.hear()
        await other.hear()

    assert at(own, story).misdeeds == [FLOODED]


def test_bytes_that_come_one_by_one_are_a_flood_too(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(own, echo, stack)
        (connection,) = door._connections
        for byte in frame(frames.DATA, 0, 1, packed(bytes(5000))):
            before = connection._allowance._left
            await caller.say(bytes([byte]))
            while connection._allowance._left == before and not echo.misdeeds:
                await asyncio.sleep(0)
            if echo.misdeeds:
                break

    assert at(own, story).misdeeds == [FLOODED]


def test_at_a_port_only_the_connection_that_floods_is_hung_up_on(port: TcpEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(port, echo, stack)
        flood = await stack.enter_async_context(Caller(port))
        await flood.say(HELLO + PING * (FRAMES + 400))
        await flood.hear()
        await answers(caller)
        assert echo.misdeeds == []

    at(port, story)


def test_answers_are_no_flood(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(own, echo, stack)
        for _ in range(3 * FRAMES // 100):
            before = len(caller.told(frames.DATA))
            await caller.say(MESSAGE * 100 + PING * 100 + word(frames.WINDOW_UPDATE, 0, 1) * 90)
            await caller.hear_more(frames.DATA, before, 100)

    at(own, story)


def test_hellos_that_are_none_earn_nothing(own: UnixEndpoint) -> None:
    """Each begins a call, so that they might go on for ever."""
    misdeeds: list[str] = []

    async def run() -> None:
        link = Link(lambda: None, lambda: None, MatchOptions(preset("playboard")))
        server = BotServer(own, link, lambda _: None, 5)
        server.door.misdeed = misdeeds.append
        server.start()
        token = f"Bearer {own.token}".encode()
        path = b"\x04" + bytes([len(METHOD)]) + METHOD.encode()
        block = b"\x83\x86" + path + b"\x5f\x10application/grpc\x0f\x08" + bytes([len(token)]) + token
        async with Caller(own) as caller:
            await caller.say()
            for number in range(1, 4 * FRAMES, 2):
                await caller.say(
                    frame(frames.HEADERS, frames.END_HEADERS, number, block)
                    + frame(frames.DATA, frames.END_STREAM, number, packed(b"\xff"))
                )
            await until(lambda: misdeeds)
        await server.stop()

    asyncio.run(run())
    assert misdeeds == [FLOODED]

"""A door closes in whatever state it is: everybody is told, and neither a socket nor a task nor a timer is left."""

from __future__ import annotations

import asyncio
import gc
import struct
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from mtref.server.door import door as door_door
from mtref.server.door.connection import Connection
from mtref.server.door.door import Door
from mtref.server.endpoint import UnixEndpoint
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from tests.sdk.http2ends import HELLO, settings, word
from tests.server.doors import MESSAGE, REQUEST, Caller, Echo, at, opened, until

ROOM = settings((frames.INITIAL_WINDOW, 1 << 30)) + word(frames.WINDOW_UPDATE, 0, 1 << 30)
STATES = {
    "connected": b"",
    "half a preface": frames.PREFACE[:5],
    "silent": HELLO,
    "half a frame": HELLO + REQUEST[:7],
    "half of the headers": HELLO + frame(frames.HEADERS, 0, 1, b"\x83"),
    "called": HELLO + REQUEST,
    "half a message": HELLO + REQUEST + MESSAGE[:-1],
    "said": HELLO + REQUEST + MESSAGE,
    "no room": HELLO + settings((frames.INITIAL_WINDOW, 0)) + REQUEST + MESSAGE,
    "ended without room": HELLO
    + settings((frames.INITIAL_WINDOW, 0))
    + REQUEST
    + MESSAGE
    + frame(frames.DATA, frames.END_STREAM, 1, b""),
    "over": HELLO + REQUEST + frame(frames.DATA, frames.END_STREAM, 1, b""),
}


def connections() -> list[Connection]:
    gc.collect()
    return [each for each in gc.get_objects() if isinstance(each, Connection)]


@pytest.mark.parametrize("said", STATES.values(), ids=STATES.keys())
def test_whatever_has_been_said_everybody_is_told_and_nothing_is_left(said: bytes, own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(own))
        await caller.say(said)
        await until(lambda: bool(echo.calls) == (REQUEST in said) and len(door._connections) == 1)
        await until(lambda: bool(echo.lengths()) == (MESSAGE in said))
        await door.close()
        await caller.hear()
        ((_, _, goodbye),) = caller.told(frames.GOAWAY)
        assert struct.unpack_from(">I", goodbye, 4) == (frames.NO_ERROR,)
        await door.close()

    before = len(connections())
    at(own, story)
    assert len(connections()) <= before


def test_a_caller_whose_connection_is_not_accepted_yet_is_hung_up_on(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(own))
        await door.close()
        await caller.hear()

    at(own, story)


def test_who_does_not_read_is_waited_for_only_so_long(
    own: UnixEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_door, "LAST_WORDS_S", 0.01)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(own))
        await caller.say(HELLO + ROOM + REQUEST)
        await until(lambda: echo.calls)
        while not echo.calls[0].waiting:
            echo.calls[0].write(bytes(60_000))
        await door.close()
        assert door._connections == []

    at(own, story)


def test_nothing_is_printed_when_a_caller_is_gone_and_is_written_to(
    own: UnixEndpoint, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(own))
        await caller.say(HELLO + ROOM + REQUEST)
        await until(lambda: echo.calls)
        caller.close()
        for _ in range(20):
            echo.calls[0].write(bytes(1000))
        await until(lambda: not door._connections)
        for _ in range(20):
            echo.calls[0].write(bytes(1000))

    at(own, story)
    assert caplog.records == []


def test_a_door_may_be_opened_where_one_was(folder: Path) -> None:
    async def run() -> None:
        for _ in range(3):
            endpoint = UnixEndpoint(folder / "s")
            async with opened(endpoint, Echo()), Caller(endpoint) as caller:
                await caller.say()
                await caller.hear_more(frames.SETTINGS, 0, 2)

    asyncio.run(run())

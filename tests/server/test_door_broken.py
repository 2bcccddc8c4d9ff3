"""Whoever breaks HTTP/2 at a door is told how, and is hung up on; nobody else notices."""

from __future__ import annotations

import asyncio
import struct
from pathlib import Path

import pytest

from mtref.server.endpoint import UnixEndpoint
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from tests.sdk.http2ends import HELLO, settings
from tests.server.doors import REQUEST, Caller, Echo, opened, until

MESSAGE = frame(frames.DATA, 0, 1, b"\0\0\0\0\3abc")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", frames.PROTOCOL_ERROR),
        (HELLO + frame(frames.DATA, 0, 1, b""), frames.PROTOCOL_ERROR),
        (HELLO + b"\xff" * 9, frames.FRAME_SIZE_ERROR),
        (HELLO + REQUEST + frame(frames.HEADERS, 4, 3, b"\xff\xff\xff"), frames.COMPRESSION_ERROR),
        (HELLO + frame(frames.HEADERS, 4, 1, b"\x83" * 500), frames.ENHANCE_YOUR_CALM),
    ],
    ids=["http1", "no stream", "size", "hpack", "long"],
)
def test_who_breaks_the_rules_is_told_which_and_hung_up_on(said: bytes, code: int, folder: Path) -> None:
    async def run() -> None:
        endpoint, echo = UnixEndpoint(folder / "s"), Echo()
        async with opened(endpoint, echo), Caller(endpoint) as caller, Caller(endpoint) as other:
            await other.say(HELLO + REQUEST)
            await caller.say(said)
            await caller.hear()
            ((_, _, goodbye),) = caller.told(frames.GOAWAY)
            assert struct.unpack(">I", goodbye[4:8]) == (code,)
            await until(lambda: echo.heard.count("gone") == echo.heard.count("called") - 1)
            await other.say(MESSAGE)
            await other.hear(lambda: other.told(frames.DATA))
        assert echo.misdeeds == []

    asyncio.run(run())


def test_who_is_hung_up_on_may_finish_what_it_is_saying_but_not_go_on_for_ever(folder: Path) -> None:
    """A socket that is closed while the other end writes may take from it what it has not read: why it was hung up on."""

    async def run() -> None:
        endpoint, echo = UnixEndpoint(folder / "s"), Echo()
        async with opened(endpoint, echo), Caller(endpoint) as caller:
            await caller.say(HELLO + b"\xff" * 9)
            await caller.hear()
            caller.socket.setblocking(True)
            for _ in range(8):
                await asyncio.to_thread(caller.socket.sendall, bytes(1000))
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                await asyncio.to_thread(caller.socket.sendall, bytes(8 << 20))

    asyncio.run(run())


def test_a_stream_whose_end_is_told_before_is_no_error(folder: Path) -> None:
    async def run() -> None:
        endpoint, echo = UnixEndpoint(folder / "s"), Echo()
        async with opened(endpoint, echo), Caller(endpoint) as caller:
            await caller.say(HELLO + REQUEST + frame(frames.DATA, frames.END_STREAM, 1, b"") + settings())
            await caller.hear(lambda: len(caller.told(frames.HEADERS)) == 2)
            assert echo.heard == ["called", "finished"]

    asyncio.run(run())

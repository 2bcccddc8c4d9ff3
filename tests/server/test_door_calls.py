"""Calls at a door, by bare sockets: what they may send, what they are told, and what becomes of what waits."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from mtref.server.door.call import LONGEST
from mtref.server.door.door import Door
from mtref.server.endpoint import UnixEndpoint
from mtref_sdk.grpcwire import packed
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from mtref_sdk.http2.headers import HeaderReader
from tests.sdk.http2ends import HELLO, settings, word
from tests.server.doors import REQUEST, Caller, Echo, opened, until


def at_a_door(folder: Path, story: Callable[[Door, Echo, Caller], Awaitable[None]]) -> Echo:
    """Have a caller, who has said hello, do something at a door."""
    echo = Echo()

    async def run() -> None:
        endpoint = UnixEndpoint(folder / "s")
        async with opened(endpoint, echo) as door, Caller(endpoint) as caller:
            await caller.say(HELLO)
            await story(door, echo, caller)

    asyncio.run(run())
    return echo


def data(message: bytes, flags: int = 0) -> bytes:
    """Frames of data of the first stream."""
    pieces = [message[start : start + frames.FRAME] for start in range(0, len(message), frames.FRAME)]
    last = frame(frames.DATA, flags, 1, pieces.pop())
    return b"".join(frame(frames.DATA, 0, 1, piece) for piece in pieces) + last


def headers(caller: Caller) -> list[dict[bytes, bytes]]:
    reader = HeaderReader(1000)
    return [
        dict(reader.begin(flags, number, block) or ()) for flags, number, block in caller.told(frames.HEADERS)
    ]


async def refused(caller: Caller, request: bytes) -> dict[bytes, bytes]:
    """The answer to a call that consists of headers."""
    await caller.say(request)
    await caller.hear(lambda: caller.told(frames.RST_STREAM))
    assert caller.told(frames.RST_STREAM) == [(0, 1, struct.pack(">I", frames.NO_ERROR))]
    (answer,) = headers(caller)
    return answer


def request(block: bytes) -> bytes:
    return frame(frames.HEADERS, frames.END_HEADERS, 1, block)


@pytest.mark.parametrize(
    ("block", "answer"),
    [
        (b"\x83\x86\x04\x04/a/c\x5f\x10application/grpc", {b":status": b"200", b"grpc-status": b"12"}),
        (b"\x83\x86\x5f\x10application/grpc", {b":status": b"200", b"grpc-status": b"12"}),
        (b"\x82\x86\x04\x04/a/b\x5f\x10application/grpc", {b":status": b"415"}),
        (b"\x83\x86\x04\x04/a/b\x5f\x10application/json", {b":status": b"415"}),
        (b"\x83\x86\x04\x04/a/b", {b":status": b"415"}),
        (
            b"\x83\x86\x04\x04/a/b\x5f\x10application/grpc" + b"\x83" * 200,
            {b":status": b"200", b"grpc-status": b"8"},
        ),
    ],
    ids=["path", "no path", "GET", "json", "no type", "long"],
)
def test_what_is_no_call_is_answered(block: bytes, answer: dict[bytes, bytes], folder: Path) -> None:
    async def story(door: Door, echo: Echo, caller: Caller) -> None:
        given = await refused(caller, request(block))
        assert given | answer == given
        assert echo.heard == []

    at_a_door(folder, story)


@pytest.mark.parametrize("size", [0, 1, LONGEST // 2, LONGEST - 5, LONGEST])
def test_a_message_may_be_as_long_as_is_said_whatever_came_before(size: int, folder: Path) -> None:
    async def story(door: Door, echo: Echo, caller: Caller) -> None:
        await caller.say(REQUEST + data(packed(bytes(20_000))) + data(packed(bytes(1000))))
        await caller.say(settings((frames.INITIAL_WINDOW, 1 << 20)) + word(frames.WINDOW_UPDATE, 0, 1 << 20))
        await until(lambda: len(echo.lengths()) == 2)
        await caller.hear(lambda: caller.told(frames.DATA))
        room = 65535 - 21_010
        for flags, number, payload in caller.told(frames.SETTINGS):
            assert not number
            if not flags:
                room += dict(struct.iter_unpack(">HI", payload)).get(frames.INITIAL_WINDOW, 65535) - 65535
        room += sum(struct.unpack(">I", more)[0] for _, number, more in caller.told(8) if number)
        assert room >= size + 5
        await caller.say(data(packed(bytes(size))))
        await until(lambda: echo.lengths() == [20_000, 1000, size])

    at_a_door(folder, story)


@pytest.mark.parametrize(
    ("prefix", "status"),
    [(b"\0" + struct.pack(">I", LONGEST + 1), b"8"), (b"\1\0\0\0\1x", b"12"), (b"\0\xff\xff\xff\xff", b"8")],
    ids=["long", "compressed", "huge"],
)
def test_a_message_that_is_not_taken_ends_the_call(prefix: bytes, status: bytes, folder: Path) -> None:
    async def story(door: Door, echo: Echo, caller: Caller) -> None:
        await caller.say(REQUEST + data(prefix))
        await caller.hear(lambda: caller.told(frames.RST_STREAM))
        assert headers(caller)[-1][b"grpc-status"] == status
        await caller.say(data(prefix * 3) + frame(frames.PING, 0, 0, b"12345678"))
        await caller.hear(lambda: caller.told(frames.PING))
        assert echo.heard == ["called", "gone"]

    at_a_door(folder, story)


def test_what_is_taken_later_is_told_without_another_word(folder: Path) -> None:
    async def story(door: Door, echo: Echo, caller: Caller) -> None:
        echo.keeps = True
        await caller.say(REQUEST)
        await caller.hear(lambda: caller.told(frames.HEADERS))
        before = len(caller.told(frames.WINDOW_UPDATE))
        await caller.say(data(packed(bytes(60_000)) + packed(bytes(9000))))
        await until(lambda: echo.lengths() == [60_000, 9000])
        assert len(caller.told(frames.WINDOW_UPDATE)) == before
        echo.calls[0].taken(bytes(60_000))
        echo.calls[0].taken(bytes(9000))
        await caller.hear(lambda: len(caller.told(frames.WINDOW_UPDATE)) == before + 2)

    at_a_door(folder, story)


def test_a_call_that_is_reset_while_its_end_waits_is_forgotten(folder: Path) -> None:
    async def story(door: Door, echo: Echo, caller: Caller) -> None:
        await caller.say(settings((frames.INITIAL_WINDOW, 0)) + REQUEST + data(packed(b"abc")))
        await until(echo.lengths)
        await caller.say(frame(frames.DATA, frames.END_STREAM, 1, b""))
        await until(lambda: "finished" in echo.heard)
        (connection,) = door._connections
        connection._look()
        assert not connection._calls
        await caller.say(word(frames.RST_STREAM, 1, frames.CANCEL) + frame(frames.PING, 0, 0, b"12345678"))
        await caller.hear(lambda: caller.told(frames.PING))

    at_a_door(folder, story)

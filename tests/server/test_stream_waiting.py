"""A bot that does not read, or is read from too late: what is written waits, little is kept, and all of it arrives in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from mtref.server.endpoint import UnixEndpoint
from mtref.server.link import Link
from mtref.server.stream import BotServer
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.grpcwire import Messages, packed
from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from mtref_sdk.wire import METHOD
from tests.sdk.http2ends import HELLO, settings, word
from tests.server.doors import PING, Caller, until

WELCOME = packed(pb.FromBot(hello=pb.Hello(protocol=1)).SerializeToString())


class Stub:
    """A link that has as much to say as it is told. ``composed`` counts the messages, ``received`` is what the bot said."""

    def __init__(self) -> None:
        self.tables, self.queue, self.full_views, self.idle = 1, True, False, True
        self.unsaid: list[bytes] = []
        self.composed = 0
        self.received_data: list[bytes] = []

    def compose(self, now: float) -> bytes | None:
        del now
        data = b"".join(self.unsaid)
        self.unsaid.clear()
        self.composed += bool(data)
        return data or None

    def received(self, data: bytes, now: float) -> None:
        del now
        self.received_data.append(data)

    def resume(self, now: float) -> None:
        del now

    def disconnected(self) -> None:
        """Nothing to charge."""


def met(endpoint: UnixEndpoint, story: Callable[[BotServer, Stub, Caller], Awaitable[None]]) -> None:
    """Have a bot, which has said hello on its first stream, meet its server."""

    async def run() -> None:
        wrong: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        stub = Stub()
        server = BotServer(endpoint, cast("Link", stub), lambda _: None, 5)
        server.start()
        token = f"Bearer {endpoint.token}".encode()
        path = b"\x04" + bytes([len(METHOD)]) + METHOD.encode()
        block = b"\x83\x86" + path + b"\x5f\x10application/grpc\x0f\x08" + bytes([len(token)]) + token
        async with Caller(endpoint) as caller:
            await caller.say(HELLO + frame(frames.HEADERS, frames.END_HEADERS, 1, block))
            await caller.say(frame(frames.DATA, 0, 1, WELCOME))
            await caller.hear_more(frames.DATA, 0)
            await story(server, stub, caller)
        await server.stop()
        assert wrong == []

    asyncio.run(run())


def told(caller: Caller) -> list[bytes]:
    """The messages that have come after the welcome."""
    data = b"".join(payload for _, _, payload in caller.told(frames.DATA))
    return list(Messages().feed(data))[1:]


async def say(server: BotServer, stub: Stub, data: bytes) -> None:
    stub.unsaid.append(data)
    server.wake()
    await asyncio.sleep(0)
    await asyncio.sleep(0)


@pytest.mark.parametrize("tables", [1, 3])
@pytest.mark.parametrize("how", ["no room in the stream", "no room in the socket"])
def test_to_a_bot_that_does_not_read_one_message_is_written_and_the_rest_later_in_one(
    how: str, tables: int, own: UnixEndpoint
) -> None:
    async def story(server: BotServer, stub: Stub, caller: Caller) -> None:
        stub.tables = tables
        if how == "no room in the stream":
            await caller.say(settings((frames.INITIAL_WINDOW, 0)) + PING)
        else:
            room = settings((frames.INITIAL_WINDOW, 1 << 30)) + word(frames.WINDOW_UPDATE, 0, 1 << 30)
            await caller.say(room + PING)
        await caller.hear_more(frames.PING, 0)
        before = stub.composed
        await say(server, stub, b"a" * 1_000_000)
        await until(lambda: stub.composed == before + 1)
        for _ in range(100):
            await say(server, stub, b"b" * 1000)
        assert stub.composed == before + 1 and not server._written.is_set()
        flushed = asyncio.create_task(server.flushed())
        if how == "no room in the stream":
            await caller.say(
                settings((frames.INITIAL_WINDOW, 1 << 30)) + word(frames.WINDOW_UPDATE, 0, 1 << 30)
            )
        await caller.hear(lambda: len(told(caller)) == 2)
        await flushed
        assert told(caller) == [b"a" * 1_000_000, b"b" * 100_000]

    met(own, story)


def test_what_waits_is_forgotten_with_its_stream_and_the_next_one_begins_afresh(own: UnixEndpoint) -> None:
    async def story(server: BotServer, stub: Stub, caller: Caller) -> None:
        await caller.say(settings((frames.INITIAL_WINDOW, 0)) + PING)
        await caller.hear_more(frames.PING, 0)
        await say(server, stub, b"never" * 100_000)
        await caller.say(word(frames.RST_STREAM, 1, frames.CANCEL))
        await server.lost.wait()
        assert told(caller) == []

    met(own, story)


def test_answers_that_came_too_early_are_taken_when_something_is_asked(own: UnixEndpoint) -> None:
    async def story(server: BotServer, stub: Stub, caller: Caller) -> None:
        stub.queue = False
        await caller.say(frame(frames.DATA, 0, 1, b"".join(packed(bytes([n])) for n in range(100))) + PING)
        await caller.hear_more(frames.PING, 0)
        assert stub.received_data == []
        stub.queue = True
        await say(server, stub, b"question")
        await until(lambda: len(stub.received_data) == 100)
        assert stub.received_data == [bytes([n]) for n in range(100)]

    met(own, story)


def test_who_sends_on_without_being_asked_is_held_up_by_its_window(own: UnixEndpoint) -> None:
    async def story(server: BotServer, stub: Stub, caller: Caller) -> None:
        stub.queue = False
        room = 2 * 65541 - len(WELCOME)
        whole, rest = divmod(room, 1005)
        for _ in range(whole):
            await caller.say(frame(frames.DATA, 0, 1, packed(bytes(1000))))
        await caller.say(PING)
        await caller.hear_more(frames.PING, 0)
        assert len(server._held) == whole
        assert not [update for update in caller.told(frames.WINDOW_UPDATE) if update[1]]
        await caller.say(frame(frames.DATA, 0, 1, bytes(rest + 1)))
        await caller.hear()
        ((_, _, goodbye),) = caller.told(frames.GOAWAY)
        assert goodbye[7] == frames.FLOW_CONTROL_ERROR
        await server.lost.wait()

    met(own, story)

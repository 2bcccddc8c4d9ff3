"""What one bot's socket puts up with: limits on messages, metadata, streams and silence, and no compression."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from mtref.match.options import MatchOptions
from mtref.server.door.connection import IDLE_S
from mtref.server.endpoint import UnixEndpoint
from mtref.server.link import Link
from mtref.server.stream import BotServer
from mtref.server.wiring import grpc
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.ruleset import preset
from mtref_sdk.wire import METHOD

HELLO = pb.FromBot(hello=pb.Hello(protocol=1)).SerializeToString()
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[BotServer]:
    link = Link(lambda: None, lambda: None, MatchOptions(preset("playboard")))
    server = BotServer(UnixEndpoint(folder / "s"), link, lambda _: None, 5)
    server.start()
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def calling(server: BotServer, *more: tuple[str, str], **how: Any) -> AsyncIterator[Any]:
    metadata = [("authorization", f"Bearer {server.endpoint.token}"), *more]
    async with grpc.aio.insecure_channel(server.endpoint.address) as channel:
        yield channel.stream_stream(METHOD)(metadata=metadata, **how)


def outcome_of(address: str, messages: Sequence[bytes], metadata: Any, how: dict[str, Any]) -> str:
    with grpc.insecure_channel(address) as channel:
        start: Any = channel.stream_stream(METHOD)
        call = start(iter(messages), metadata=metadata, timeout=30, **how)
        with suppress(grpc.RpcError):
            for _ in call:
                pass
        return str(call.code().name)


async def outcome(server: BotServer, messages: Sequence[bytes], *more: tuple[str, str], **how: Any) -> str:
    """How a call ends that sends these and no more; the name of its status.

    By the client with threads: that for asyncio does not know how a call has ended that ended while it was sending.
    """
    metadata = [("authorization", f"Bearer {server.endpoint.token}"), *more]
    return await asyncio.to_thread(outcome_of, server.endpoint.address, messages, metadata, how)


@pytest.mark.parametrize(
    ("messages", "more", "how", "status"),
    [
        ([b"x" * 65_537], (), {}, "RESOURCE_EXHAUSTED"),
        ([b"x" * (64 << 20)], (), {}, "RESOURCE_EXHAUSTED"),
        ([HELLO], (("huge", "x" * 20_000),), {}, "RESOURCE_EXHAUSTED"),
        ([b"x" * 60_000], (), {"compression": grpc.Compression.Gzip}, "UNIMPLEMENTED"),
        ([b"\xff" * 100], (), {}, "INVALID_ARGUMENT"),
        ([HELLO + HELLO[:1]], (), {}, "INVALID_ARGUMENT"),
    ],
    ids=["big", "huge", "metadata", "compressed", "garbage", "cut off"],
)
def test_what_is_too_much_ends_the_call_with_its_status(
    messages: list[bytes], more: Any, how: dict[str, Any], status: str, folder: Path
) -> None:
    async def run() -> None:
        async with serving(folder) as server:
            assert await outcome(server, messages, *more, **how) == status

    asyncio.run(run())


async def welcomed(call: Any) -> None:
    """Say hello, and be welcome."""
    await call.write(HELLO)
    assert pb.FromReferee.FromString(await call.read()).HasField("welcome")


async def ended(call: Any) -> str:
    """The name of the status with which a call ends, whatever it is told before."""
    with suppress(grpc.aio.AioRpcError):
        while await call.read() is not grpc.aio.EOF:
            pass
    return str((await call.code()).name)


def test_a_bot_that_calls_again_has_one_stream_the_newer_one(folder: Path) -> None:
    async def run() -> None:
        async with serving(folder) as server, calling(server) as first, calling(server) as second:
            async with asyncio.timeout(30):
                await welcomed(first)
                await welcomed(second)
                assert await ended(first) == "ALREADY_EXISTS"
                await server.back.wait()
                assert not second.done() and not server.lost.is_set()

    asyncio.run(run())


def test_of_many_calls_at_once_one_stays(folder: Path) -> None:
    async def run() -> None:
        async with serving(folder) as server, AsyncExitStack() as stack, asyncio.timeout(30):
            calls = [await stack.enter_async_context(calling(server)) for _ in range(4)]
            await asyncio.gather(*(call.write(HELLO) for call in calls))
            ends = {asyncio.ensure_future(ended(call)) for call in calls}
            while len(ends) > 1:
                done, ends = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                assert {each.result() for each in done} == {"ALREADY_EXISTS"}
            while server.lost.is_set() or not server.ready.done():
                await asyncio.sleep(0.001)
            for left in ends:
                left.cancel()  # and with it the call

    asyncio.run(run())


def test_who_has_no_token_or_says_no_hello_disturbs_no_stream(folder: Path) -> None:
    async def run() -> None:
        async with serving(folder) as server, calling(server) as stream, calling(server) as silent:
            async with asyncio.timeout(30):
                await welcomed(stream)
                await silent.wait_for_connection()
                assert await outcome(server, [b"\xff"]) == "INVALID_ARGUMENT"
                token = server.endpoint.token
                stranger = UnixEndpoint(folder / "s", token="x" * len(token))
                server.endpoint, right = stranger, server.endpoint
                async with calling(server) as call:
                    server.endpoint = right
                    assert await ended(call) == "UNAUTHENTICATED"
                assert not stream.done() and not silent.done() and not server.lost.is_set()

    asyncio.run(run())


def test_a_bot_that_has_called_too_often_keeps_the_stream_it_has(folder: Path) -> None:
    async def run() -> None:
        async with serving(folder) as server, AsyncExitStack() as stack, asyncio.timeout(30):
            calls: list[Any] = []
            for _ in range(6):
                calls.append(await stack.enter_async_context(calling(server)))
                await welcomed(calls[-1])
            assert await outcome(server, [HELLO]) == "RESOURCE_EXHAUSTED"
            assert not calls[-1].done() and not server.lost.is_set()

    asyncio.run(run())


@pytest.mark.slow
def test_whoever_says_nothing_is_hung_up_on(folder: Path) -> None:
    async def run() -> None:
        async with serving(folder), asyncio.timeout(30 + IDLE_S):
            for said in (b"", PREFACE[:3], PREFACE):
                reader, writer = await asyncio.open_unix_connection(str(folder / "s"))
                writer.write(said)
                while await reader.read(4096):
                    pass
                writer.close()

    asyncio.run(run())

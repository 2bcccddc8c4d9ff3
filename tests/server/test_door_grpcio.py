"""Clients of grpcio at a door: their deadlines, their keepalive, both kinds of them, and many calls on one channel."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest

from mtref.server.door.door import Door
from mtref.server.endpoint import TcpEndpoint, UnixEndpoint
from mtref.server.wiring import grpc
from tests.server.doors import METHOD, Echo, at, until

AGGRESSIVE = [
    ("grpc.keepalive_time_ms", 10),
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
]
OWN = ("grpc.use_local_subchannel_pool", 1)


def status_of(address: str, messages: Sequence[bytes], **how: Any) -> tuple[str, list[bytes]]:
    """How a call of the client with threads ends, and what it has heard by then."""
    heard: list[bytes] = []
    with grpc.insecure_channel(address) as channel:
        start: Any = channel.stream_stream(METHOD)
        call = start(iter(messages), **how)
        with suppress(grpc.RpcError):
            heard.extend(call)
        return str(call.code().name), heard


def test_all_kinds_of_messages_come_back(own: UnixEndpoint) -> None:
    messages = [b"", b"x", bytes(16384), bytes(65536), *[bytes([number]) * 1000 for number in range(200)]]

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        assert await asyncio.to_thread(status_of, own.address, messages) == ("OK", messages)

    assert at(own, story).misdeeds == []


def test_four_calls_on_one_channel_are_four_calls(port: TcpEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        async with grpc.aio.insecure_channel(port.address, options=[OWN]) as channel:
            calls: list[Any] = [channel.stream_stream(METHOD)() for _ in range(4)]
            for number, call in enumerate(calls):
                await call.write(bytes([number]) * 100)
            for number, call in enumerate(calls):
                assert await call.read() == bytes([number]) * 100
            assert len(door._connections) == 1
            for call in calls:
                await call.done_writing()
                assert await call.read() is grpc.aio.EOF
                assert (await call.code()) is grpc.StatusCode.OK

    at(port, story)


def test_a_deadline_is_a_call_that_was_given_up(own: UnixEndpoint) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        async with grpc.aio.insecure_channel(own.address, options=[OWN]) as channel:
            call: Any = channel.stream_stream(METHOD)(timeout=0.05)
            assert (await call.code()) is grpc.StatusCode.DEADLINE_EXCEEDED
            await until(lambda: echo.heard == [] or echo.heard[-1] == "gone")
            again: Any = channel.stream_stream(METHOD)(timeout=60)
            await again.write(b"abc")
            assert await again.read() == b"abc"

    at(own, story)


@pytest.mark.parametrize("endpoint", ["own", "port"])
def test_pings_of_a_client_that_wants_to_know_are_answered(
    endpoint: str, request: pytest.FixtureRequest
) -> None:
    where: UnixEndpoint | TcpEndpoint = request.getfixturevalue(endpoint)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        async with grpc.aio.insecure_channel(where.address, options=[OWN, *AGGRESSIVE]) as channel:
            call: Any = channel.stream_stream(METHOD)()
            await call.write(b"abc")
            assert await call.read() == b"abc"
            (connection,) = door._connections
            before = connection._http.arrived
            await until(lambda: connection._http.arrived >= before + 2)
            await call.write(b"def")
            assert await call.read() == b"def"
            assert not call.done()
        assert echo.misdeeds == []

    at(where, story)


def test_a_client_that_does_not_read_makes_its_call_wait_and_reads_everything_later(
    own: UnixEndpoint,
) -> None:
    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        async with grpc.aio.insecure_channel(own.address, options=[OWN]) as channel:
            call: Any = channel.stream_stream(METHOD)()
            await call.write(b"abc")
            assert await call.read() == b"abc"
            written = 0
            while not echo.calls[0].waiting:
                echo.calls[0].write(written.to_bytes(8, "big") * 5000)
                written += 1
                await asyncio.sleep(0)
            for number in range(written):
                assert await call.read() == number.to_bytes(8, "big") * 5000
            await until(lambda: "roomy" in echo.heard)
            assert not echo.calls[0].waiting

    at(own, story)

"""A door at a port with TLS: who speaks it gets in, and whoever does not, or not to the end, costs nothing that stays."""

from __future__ import annotations

import asyncio
import os
import ssl
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from mtref.server.door import door as door_door
from mtref.server.door.door import CONNECTIONS, Door
from mtref.server.endpoint import TcpEndpoint
from mtref.server.tls import server_context
from mtref_sdk.client import Connection
from mtref_sdk.errors import ConfigError, ProtocolError
from mtref_sdk.stream import Stream
from tests.e2e.test_called_from_elsewhere import certificate
from tests.sdk.http2ends import HELLO
from tests.server.doors import MESSAGE, METHOD, Caller, Echo, answers, at, running, until


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secure(port: TcpEndpoint, files: tuple[Path, Path]) -> TcpEndpoint:
    return TcpEndpoint("127.0.0.1", port.port, server_context(*files))


def test_a_client_of_grpc_with_threads_and_ours_get_in(
    secure: TcpEndpoint, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mtref_sdk.stream.METHOD", METHOD)

    def by_grpcio() -> list[bytes]:
        trusted = grpc.ssl_channel_credentials(files[0].read_bytes())
        with grpc.secure_channel(f"localhost:{secure.port}", trusted) as channel:
            call: Any = channel.stream_stream(METHOD)
            return list(call(iter([b"abc", bytes(60_000)]), timeout=30))

    def by_ours() -> list[bytes | None]:
        stream = Stream()
        stream.open(Connection(secure.address, "t", str(files[0])))
        stream.write(b"abc", bytes(60_000))
        heard = [stream.read(), stream.read()]
        stream.leave()
        stream.close()
        return heard

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        assert await asyncio.to_thread(by_grpcio) == [b"abc", bytes(60_000)]
        assert await asyncio.to_thread(by_ours) == [b"abc", bytes(60_000)]

    at(secure, story)


def test_who_does_not_trust_the_certificate_says_so(secure: TcpEndpoint, files: tuple[Path, Path]) -> None:
    def by_ours(certificate_file: str) -> str:
        stream = Stream()
        stream.open(Connection(secure.address, "t", certificate_file))
        assert stream.read() is None
        with pytest.raises(ProtocolError) as caught:
            stream.close()
        return str(caught.value)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        text = await asyncio.to_thread(by_ours, "")
        assert "UNAVAILABLE: cannot connect to 127.0.0.1:" in text and "CERTIFICATE_VERIFY_FAILED" in text
        with pytest.raises(ConfigError, match="MTREF_CERT: cannot be read"):
            await asyncio.to_thread(by_ours, str(files[1]))
        await until(lambda: not door._connections and not door._arriving)

    at(secure, story)


@pytest.mark.parametrize(
    "said", [b"", HELLO, b"\x16\x03\x01", os.urandom(64)], ids=["", "plain", "half", "junk"]
)
def test_a_handshake_that_never_comes_to_an_end_is_given_up(
    said: bytes, secure: TcpEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_door, "HANDSHAKE_S", 0.05)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(secure))
        await caller.say(said)
        await caller.hear()
        await until(lambda: not door._connections and not door._arriving)
        assert echo.misdeeds == [] and echo.heard == []

    at(secure, story)


def test_of_many_handshakes_that_never_end_few_are_kept(
    secure: TcpEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_door, "HANDSHAKE_S", 3600)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        callers = [await stack.enter_async_context(Caller(secure)) for _ in range(40)]
        for caller in callers[: 40 - CONNECTIONS]:
            await caller.hear()
        await until(lambda: len(door._arriving) == len(door._connections) == CONNECTIONS)

    at(secure, story)


def test_a_door_that_closes_waits_for_no_handshake(
    secure: TcpEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_door, "LAST_WORDS_S", 3600)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await stack.enter_async_context(Caller(secure))
        await until(lambda: door._arriving)
        await door.close()
        await caller.hear()
        assert not door._arriving and not door._connections

    at(secure, story)


def test_a_door_that_closes_waits_not_for_ever_for_who_does_not_read(
    secure: TcpEndpoint, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_door, "LAST_WORDS_S", 0.05)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        context = ssl.create_default_context(cafile=str(files[0]))
        _, writer = await asyncio.open_connection("127.0.0.1", secure.port, ssl=context)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        block = b"\x83\x86\x04\x04/a/b\x5f\x10application/grpc"
        room = b"\0\0\x06\4\0\0\0\0\0\0\4\x7f\xff\xff\xff" + b"\0\0\4\x08\0\0\0\0\0\x7f\xff\0\0"
        writer.write(HELLO + room + b"\0\0" + bytes([len(block)]) + b"\1\4\0\0\0\1" + block + MESSAGE)
        await until(echo.lengths)
        while not echo.calls[0].waiting:
            echo.calls[0].write(bytes(60_000))
        await door.close()
        assert not door._connections and echo.heard[-1] == "gone"
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()

    at(secure, story)


def test_a_client_of_tls_at_a_plain_port_is_told_something(
    port: TcpEndpoint, files: tuple[Path, Path]
) -> None:
    def by_ours() -> str:
        stream = Stream()
        stream.open(Connection(port.address, "t", str(files[0])))
        with pytest.raises(ProtocolError) as caught:
            stream.close()
        return str(caught.value)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        caller = await running(port, echo, stack)
        assert "cannot connect to 127.0.0.1:" in await asyncio.to_thread(by_ours)
        await answers(caller)

    at(port, story)


def test_a_plain_client_of_ours_at_a_port_with_tls_is_told_something(secure: TcpEndpoint) -> None:
    def by_ours() -> str:
        stream = Stream()
        stream.open(Connection(secure.address, "t"))
        stream.write(b"hello")
        assert stream.read() is None
        with pytest.raises(ProtocolError) as caught:
            stream.close()
        return str(caught.value)

    async def story(door: Door, echo: Echo, stack: AsyncExitStack) -> None:
        text = await asyncio.to_thread(by_ours)
        assert text.startswith("the referee ended the connection: ") and "\n" not in text

    at(secure, story)

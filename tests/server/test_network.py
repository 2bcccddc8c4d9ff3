"""Remote bots over a network that breaks without telling: half-open connections, and strangers at the port."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, suppress
from typing import Any, Self

import pytest

from mtref.server.door.door import CONNECTIONS
from mtref.server.endpoint import TcpEndpoint
from mtref.server.runner import MatchSetup
from mtref.server.visitor import RemoteStarter
from mtref.server.wiring import grpc
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.wire import METHOD
from tests.bots.villains import HERE, bot
from tests.e2e.test_called_from_elsewhere import free_ports
from tests.server.playing import Played, play

RULES = {"rules": "playboard", "rounds": "1"}
HELLO = pb.FromBot(hello=pb.Hello(protocol=1)).SerializeToString()


class Network:
    """Passes bytes on between a bot and a port, until it breaks: then nothing passes, and neither side is told."""

    def __init__(self, port: int) -> None:
        self._port, self._broken = port, False
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._writers:
            writer.close()

    def break_down(self) -> None:
        self._broken = True

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers += writer, far_writer
        await asyncio.gather(self._pass_on(reader, far_writer), self._pass_on(far_reader, writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if not self._broken:
                    writer.write(data)
        if not self._broken:
            writer.close()


async def first_legal(endpoint: TcpEndpoint, breaks: list[int]) -> None:
    """A bot that plays its first legal moves, and calls again over another network when one has broken, after so many decisions."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    metadata = [("authorization", f"Bearer {endpoint.token}")]
    async with AsyncExitStack() as stack:
        for after in [*breaks, 10**9]:
            network = await stack.enter_async_context(Network(endpoint.port))
            channel = grpc.aio.insecure_channel(network.address, options=options)
            await stack.enter_async_context(channel)
            call: Any = channel.stream_stream(METHOD)(metadata=metadata)
            await call.write(HELLO)
            decisions = 0
            while decisions < after and (data := await call.read()) is not grpc.aio.EOF:
                for update in pb.FromReferee.FromString(data).updates:
                    asked = update.decision
                    decisions += update.HasField("decision")
                    if update.HasField("decision") and decisions < after:
                        answer = pb.Answer(table=update.table, decision=asked.id, move=asked.legal[0])
                        await call.write(pb.FromBot(answers=[answer]).SerializeToString())
            network.break_down()


def played_with(told: Callable[[TcpEndpoint], None]) -> Played:
    """A game against a bot that is expected at a port."""
    endpoint = TcpEndpoint("127.0.0.1", free_ports(1), None)
    starters = {1: RemoteStarter(endpoint, 30.0, lambda: told(endpoint))}
    return play([bot("greedy"), bot("first_legal")], MatchSetup(starters=starters), **RULES)


@pytest.fixture(scope="module")
def control() -> str:
    return play([bot("greedy"), bot("first_legal")], **RULES).game.digest


@pytest.mark.parametrize("breaks", [[3], [2, 5, 5, 9, 9]], ids=["once", "as often as may be"])
def test_a_bot_whose_network_broke_plays_on_over_another_though_the_old_stream_looks_alive(
    breaks: list[int], control: str
) -> None:
    bots: list[asyncio.Task[None]] = []

    def told(endpoint: TcpEndpoint) -> None:
        bots.append(asyncio.create_task(first_legal(endpoint, breaks)))

    played = played_with(told)
    assert played.faults() == [(1, "disconnect", "counted")] * len(breaks)
    assert played.game.digest == control


def test_strangers_at_the_port_neither_keep_a_bot_out_nor_make_anybody_late(control: str) -> None:
    with ExitStack() as stack:

        def told(endpoint: TcpEndpoint) -> None:
            environment = os.environ | {"MTREF_ADDRESS": f"127.0.0.1:{endpoint.port}"}
            script = f"import mischief, socket\nkept = [mischief.calling() for _ in range({2 * CONNECTIONS})]\nmischief.flood_frames()"
            argv = [sys.executable, "-c", script]
            stranger = subprocess.Popen(argv, cwd=HERE, env=environment, start_new_session=True)
            stack.enter_context(stranger)
            stack.callback(os.killpg, stranger.pid, 9)
            token = {"MTREF_TOKEN": endpoint.token}
            argv = [sys.executable, str(HERE / "first_legal.py")]
            stack.enter_context(subprocess.Popen(argv, env=environment | token))

        played = played_with(told)
    assert played.faults() == []
    assert played.game.digest == control

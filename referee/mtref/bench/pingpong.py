"""The floor: messages of the size of a decision go to another process and back, one at a time, and nothing else happens.

Run as ``python -m`` with a JSON object, it is the side that asks, which starts the other side and prints what it found.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from mtref.bench.measure import Sample, cpu_seconds, run_child
from mtref.server.door.call import Call
from mtref.server.door.door import Door
from mtref.server.endpoint import UnixEndpoint
from mtref.server.wiring import grpc
from mtref_sdk.client import Connection
from mtref_sdk.stream import Stream
from mtref_sdk.wire import METHOD as PLAY

__all__ = ["STOCK", "TUNED", "PingPong", "play"]

STOCK = {"GRPC_EXPERIMENTS": ""}
"""grpcio as it comes."""

TUNED = {"GRPC_EXPERIMENTS": None}
"""grpcio as mtref sets it: without its event engine."""

CHANNEL_OPTIONS = (("grpc.enable_retries", 0), ("grpc.minimal_stack", 1), ("grpc.enable_http_proxy", 0))
"""For a slim channel."""

WARM_UP = 200
LEAVE_S = 5
METHOD = "/mtref.bench/Play"


@dataclass(frozen=True, slots=True)
class PingPong:
    """What goes back and forth: `there` bytes to one of so many `clients` in turn, `back` bytes from it, `count` times.

    `over` grpcio at both ends (`tuned`, or as it comes), what mtref puts in its place (a bot's door and the SDK's stream), or a bare socket.
    """

    over: Literal["grpc", "door", "socket"]
    there: int
    back: int
    count: int
    clients: int = 1
    tuned: bool = False


def play(setting: PingPong) -> Sample:
    """Wall-clock time and the processor time of all processes, in µs for one message there and back."""
    found: Sample = run_child(__spec__.name, asdict(setting), TUNED if setting.tuned else STOCK)
    return found


class _Stopwatch:
    """Between `start` and `found`: the time that passed, and what this process and the `pids` used."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids
        self.start()

    def start(self) -> None:
        self._wall, self._cpu = time.perf_counter(), self._used()

    def _used(self) -> float:
        return time.process_time() + cpu_seconds(self._pids)

    def found(self, count: int) -> Sample:
        wall, cpu = time.perf_counter() - self._wall, self._used() - self._cpu
        return {"wall µs": wall / count * 1e6, "CPU µs": cpu / count * 1e6}


def _over_socket(setting: PingPong) -> Sample:
    ours, theirs = socket.socketpair()
    with ours, theirs, _other_side(setting, str(theirs.fileno()), theirs.fileno()) as child:
        theirs.close()
        message = bytes(setting.there)
        watch = _Stopwatch([child.pid])
        for number in range(WARM_UP + setting.count):
            if number == WARM_UP:
                watch.start()
            ours.sendall(message)
            ours.recv(4096)
        found = watch.found(setting.count)
        ours.close()
    return found


async def _over_grpc(setting: PingPong) -> Sample:
    streams: asyncio.Queue[Any] = asyncio.Queue()
    over = asyncio.Event()

    async def talk(_: object, context: Any) -> None:
        await context.read()
        streams.put_nowait(context)
        await over.wait()

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(talk)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("mtref.bench", {"Play": handler}),))
    async with AsyncExitStack() as stack:
        address = f"unix:{stack.enter_context(tempfile.TemporaryDirectory())}/s"
        server.add_insecure_port(address)
        await server.start()
        children = [stack.enter_context(_other_side(setting, address)) for _ in range(setting.clients)]
        stack.push_async_callback(server.stop, LEAVE_S)
        stack.callback(over.set)
        talking = [await streams.get() for _ in children]
        message = bytes(setting.there)
        watch = _Stopwatch([child.pid for child in children])
        for number in range(WARM_UP + setting.count):
            if number == WARM_UP:
                watch.start()
            stream = talking[number % len(talking)]
            await stream.write(message)
            await stream.read()
        return watch.found(setting.count)


class _Talk:
    """Hears the call at one door: ``current`` is done with it once a message has come, ``answered`` is set by each further one."""

    def __init__(self) -> None:
        self.current: asyncio.Future[Call] = asyncio.get_running_loop().create_future()
        self.answered = asyncio.Event()

    def called(self, call: Call) -> None:
        """A stream begins."""
        call.greet()

    def said(self, call: Call, message: bytes) -> None:
        """An answer, or the hello."""
        call.taken(message)
        if self.current.done():
            self.answered.set()
        else:
            self.current.set_result(call)

    def finished(self, call: Call) -> None:
        """Never here."""

    def gone(self, call: Call) -> None:
        """It is over."""

    def roomy(self, call: Call) -> None:
        """Messages are short."""


async def _over_door(setting: PingPong) -> Sample:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        talks, children = [], []
        for number in range(setting.clients):
            talk, endpoint = _Talk(), UnixEndpoint(Path(folder) / str(number))
            door = Door(endpoint, PLAY, talk, lambda _: True)
            door.listen()
            stack.push_async_callback(door.close)
            talks.append(talk)
            children.append(stack.enter_context(_other_side(setting, endpoint.address)))
        calls = [await talk.current for talk in talks]
        for call in calls:
            stack.callback(call.end, 0)
        message = bytes(setting.there)
        watch = _Stopwatch([child.pid for child in children])
        for number in range(WARM_UP + setting.count):
            if number == WARM_UP:
                watch.start()
            turn = number % setting.clients
            talks[turn].answered.clear()
            calls[turn].write(message)
            await talks[turn].answered.wait()
        return watch.found(setting.count)


def _other_side(setting: PingPong, address: str, *descriptors: int) -> subprocess.Popen[bytes]:
    facts = json.dumps(asdict(setting))
    return subprocess.Popen([sys.executable, "-m", __spec__.name, facts, address], pass_fds=descriptors)


def _answer_socket(setting: PingPong, descriptor: int) -> None:
    message = bytes(setting.back)
    with socket.socket(fileno=descriptor) as end:
        while end.recv(4096):
            end.sendall(message)


async def _answer_grpc(setting: PingPong, address: str) -> None:
    message = bytes(setting.back)
    options = CHANNEL_OPTIONS if setting.tuned else None
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(METHOD)()
        with contextlib.suppress(grpc.aio.AioRpcError):  # the asking side ends without ceremony
            await call.write(message)
            while isinstance(await call.read(), bytes):
                await call.write(message)


def _answer_door(setting: PingPong, address: str) -> None:
    message = bytes(setting.back)
    stream = Stream()
    stream.open(Connection(address, ""))
    stream.write(message)
    while stream.read() is not None:
        stream.write(message)
    stream.close()


def _main(facts: str, address: str | None = None) -> None:
    setting = PingPong(**json.loads(facts))
    if address is None:
        if setting.over == "socket":
            found = _over_socket(setting)
        else:
            found = asyncio.run((_over_door if setting.over == "door" else _over_grpc)(setting))
        sys.stdout.write(json.dumps(found))
    elif setting.over == "socket":
        _answer_socket(setting, int(address))
    elif setting.over == "door":
        _answer_door(setting, address)
    else:
        asyncio.run(_answer_grpc(setting, address))


if __name__ == "__main__":
    _main(*sys.argv[1:])

"""The gRPC edge: one server at one endpoint for one bot process. Who calls is known by the token, never by a name."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from mtref.server.endpoint import Endpoint
from mtref.server.link import Link
from mtref.server.messages import parse_hello, welcome
from mtref.server.sandbox.freeze import Freezer, NoFreezer
from mtref.server.wiring import METHOD, SERVER_OPTIONS, SERVICE, grpc
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.errors import MtrefError, ProtocolError
from mtref_sdk.wire import MARK

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]

__all__ = ["BotServer"]

TOGETHER = 0.001
"""Seconds a decision may wait for others to travel with, while its bot is busy with earlier ones."""


class BotServer:
    """The endpoint at which one bot process is expected, and its stream once it is there.

    ``ready`` is done when the bot said hello, or failed with a ProtocolError. ``lost`` is set while a stream that was
    ready has ended without our doing, ``back`` once a new one has taken its place: a bot may call again with the same
    token, `returns` times, and is told everything from the start. Whoever has the token is the bot, so that a new stream
    ends the one before, if that is still there: of a broken network only one side may have heard. ``peer`` is who has the
    stream, as gRPC writes it, empty if nobody has. ``freezer`` is used to pause the bot from the answer on
    after which it has nothing to do, until just before it is asked again.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        link: Link,
        looked: Callable[[Link], None],
        returns: int,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.endpoint = endpoint
        self.ready: asyncio.Future[None] = loop.create_future()
        self.lost = asyncio.Event()
        self.back = asyncio.Event()
        self.called = False
        self.peer = ""
        self._loss_untold = False
        self.freezer: Freezer = NoFreezer()
        self._calls, self._returns = 0, returns
        self._link, self._looked = link, looked
        self._work = asyncio.Event()
        self._closing = asyncio.Event()
        self._written = asyncio.Event()
        self._written.set()
        self._expecting = asyncio.Event()
        self._answered = asyncio.Event()
        self._overtaken = asyncio.Event()  # the newest stream is to end, as there is one still newer
        self._one_stream = asyncio.Lock()
        self._server = grpc.aio.server(options=SERVER_OPTIONS, maximum_concurrent_rpcs=4)
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {METHOD: play}),)
        )
        try:
            if endpoint.credentials is None:
                self._server.add_insecure_port(endpoint.address)
            else:
                self._server.add_secure_port(endpoint.address, endpoint.credentials)
        except RuntimeError as error:
            text = f"cannot listen at {endpoint.address}; is the port taken, or the certificate no good?"
            raise MtrefError(text) from error

    async def start(self) -> None:
        """Begin to listen."""
        await self._server.start()

    @property
    def spent(self) -> bool:
        """Whether the bot may not call again."""
        return self._calls > self._returns

    def allow_returns(self) -> None:
        """A game begins: from now on the bot may call again as often as at first."""
        self._calls = min(self._calls, 1)

    def tell_loss(self) -> None:
        """The bot lives and its stream was lost: charge that, once for each stream."""
        if self._loss_untold:
            self._loss_untold = False
            self._link.disconnected()

    def wake(self) -> None:
        """There is something to write."""
        self._written.clear()
        self._work.set()

    async def flushed(self) -> None:
        """Everything there was to write has been handed to the stream."""
        await self._written.wait()

    def close(self) -> None:
        """End the stream in good order; the bot sees status OK."""
        self.freezer.thaw()
        self._closing.set()

    async def stop(self) -> None:
        """End the server, and the stream if it is still there."""
        self._closing.set()
        if self.ready.done():
            self.ready.exception()  # seen, whatever ended the start
        await self._server.stop(None)

    # -- one call

    async def _play(self, _: object, context: Context) -> None:
        if not self._authentic(context):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong")
        self.called = True
        await context.send_initial_metadata(((MARK, "1"),))
        hello = await self._hello(context)
        if self.spent:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "this bot has lost its stream too often")
        self._calls += 1
        self._overtaken.set()
        overtaken = self._overtaken = asyncio.Event()
        async with self._one_stream:
            if not overtaken.is_set():
                await self._serve(context, hello, overtaken)
        if overtaken.is_set():
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, "this bot has called again since")

    async def _serve(self, context: Context, hello: pb.Hello, overtaken: asyncio.Event) -> None:
        """The one stream, from the hello to its end."""
        try:
            self.peer = context.peer()
            await self._resume(context, hello)
            await self._talk(context, overtaken)
        finally:
            self.peer = ""
            if not self._closing.is_set():
                self.back.clear()
                self.lost.set()
                self._loss_untold = True

    def _authentic(self, context: Context) -> bool:
        wanted = f"Bearer {self.endpoint.token}".encode()
        given = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
        texts = [value.encode() if isinstance(value, str) else value for value in given]
        return len(texts) == 1 and hmac.compare_digest(texts[0], wanted)

    async def _hello(self, context: Context) -> pb.Hello:
        try:
            data: object = await context.read()
            if not isinstance(data, bytes):  # EOF
                raise ProtocolError("the bot ended its stream before it said hello")
            return parse_hello(data)
        except ProtocolError as error:
            if not self.ready.done():
                self.ready.set_exception(error)
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
            raise

    async def _resume(self, context: Context, hello: pb.Hello) -> None:
        """From here on the bot is there."""
        self.tell_loss()
        self._link.full_views = hello.view == pb.VIEW_MODE_FULL
        self._link.resume(time.monotonic())
        await context.write(
            welcome(self._link.tables)
        )  # not cut short: gRPC could not end the call properly then
        if self.ready.done():
            self.lost.clear()
            self.back.set()
        else:
            self.ready.set_result(None)

    async def _talk(self, context: Context, overtaken: asyncio.Event) -> None:
        """Read and write until one of the two ends, a newer stream has come, or `close` is called."""
        tasks = [
            asyncio.ensure_future(job)
            for job in (self._write(context), self._read(context), overtaken.wait(), self._closing.wait())
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self, context: Context) -> None:
        while True:
            await self._work.wait()
            if self._link.queue and self._link.tables > 1:
                await self._idle_soon()
            if self._link.queue:
                self.freezer.thaw()
            try:
                data = self._link.compose(time.monotonic())
            except Exception as error:
                self._link.broken(error)
                raise
            if data is None:
                self._work.clear()
                self._written.set()
                continue
            if self._link.queue:
                self._expecting.set()
            await context.write(data)

    async def _idle_soon(self) -> None:
        """Wait until the bot has answered everything, but not longer than `TOGETHER`.

        It takes its decisions one after another, so those of other tables lose nothing by travelling together.
        """
        self._answered.clear()
        timer = asyncio.get_running_loop().call_later(TOGETHER, self._answered.set)
        await self._answered.wait()
        timer.cancel()

    async def _read(self, context: Context) -> None:
        """Take answers, and only while there is a decision to answer: who sends more is held up by flow control."""
        while True:
            if not self._link.queue:
                self._expecting.clear()
                await self._expecting.wait()
            data: object = await context.read()
            if not isinstance(data, bytes):  # EOF
                return
            try:
                self._link.received(data, time.monotonic())
            except Exception as error:
                self._link.broken(error)
                raise
            if not self._link.queue:
                self._answered.set()
                self.freezer.freeze()
            self._looked(self._link)

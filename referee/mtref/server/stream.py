"""The bot's stream, from its hello to its end: one process, one stream. Who calls is known by the token, never by a name."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import deque
from collections.abc import Callable

from mtref.server.door.call import Call
from mtref.server.door.door import Door
from mtref.server.endpoint import Endpoint
from mtref.server.link import Link
from mtref.server.messages import parse_hello, welcome
from mtref.server.sandbox.freeze import Freezer, NoFreezer
from mtref_sdk import grpcwire
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.errors import ProtocolError
from mtref_sdk.wire import MARK, METHOD

__all__ = ["BotServer"]

TOGETHER = 0.001
"""Seconds a decision may wait for others to travel with, while its bot is busy with earlier ones."""


class BotServer:
    """The endpoint at which one bot process is expected, and its stream once it is there.

    ``ready`` is done when the bot said hello, or failed with a ProtocolError. ``lost`` is set while a stream that was
    ready has ended without our doing, ``back`` once a new one has taken its place: a bot may call again with the same
    token, `returns` times, and is told everything from the start. Whoever has the token is the bot, so that a new stream
    ends the one before, if that is still there: of a broken network only one side may have heard. ``freezer`` is used to
    pause the bot from the answer on after which it has nothing to do, until just before it is asked again.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        link: Link,
        looked: Callable[[Link], None],
        returns: int,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.endpoint = endpoint
        self.ready: asyncio.Future[None] = self._loop.create_future()
        self.lost = asyncio.Event()
        self.back = asyncio.Event()
        self.called_once = False
        self.freezer: Freezer = NoFreezer()
        self.door = Door(endpoint, METHOD, self, lambda call: call is self._call)
        self._call: Call | None = None  # the stream
        self._held: deque[bytes] = deque()  # what came while nothing was asked
        self._finished = False  # the bot sends no more
        self._loss_untold = False
        self._calls, self._returns = 0, returns
        self._link, self._looked = link, looked
        self._closing = False
        self._writing: asyncio.Handle | None = None  # is going to happen
        self._in_company = False  # it waits for others to travel with
        self._written = asyncio.Event()
        self._written.set()

    def start(self) -> None:
        """Begin to listen. Raises MtrefError."""
        self.door.listen()

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
        if self._writing is not None or self._call is None or self._call.waiting:
            return
        if self._link.tables == 1:
            self._write()  # there is nothing to wait for
        else:
            self._writing = self._loop.call_soon(self._write_soon)

    async def flushed(self) -> None:
        """Everything there was to write has been handed to the stream."""
        await self._written.wait()

    def close(self) -> None:
        """End the stream in good order; the bot sees status OK."""
        self.freezer.thaw()
        self._closing = True
        if self._call is not None:
            self._part().end(grpcwire.OK)

    async def stop(self) -> None:
        """End the stream, if it is still there, and listen no more."""
        self._closing = True
        if self.ready.done():
            self.ready.exception()  # seen, whatever ended the start
        self._wait_no_more()
        await self.door.close()

    # -- from calls: see `Hearer`

    def called(self, call: Call) -> None:
        """Welcome who has the token."""
        given = call.header(b"authorization")
        wanted = f"Bearer {self.endpoint.token}".encode()
        if len(given) == 1 and hmac.compare_digest(given[0], wanted):
            self.called_once = True
            call.greet((MARK.encode(), b"1"))
        else:
            call.end(grpcwire.UNAUTHENTICATED, "the token is missing or wrong")

    def said(self, call: Call, message: bytes) -> None:
        """A hello, or answers. Who sends more than is asked for is held up."""
        if call is not self._call:
            self._hello(call, message)
        elif self._link.queue and not self._held:
            self._take(call, message)
        else:
            self._held.append(message)

    def finished(self, call: Call) -> None:
        """The bot is through; the answers it has sent count."""
        if call is not self._call:
            self._refuse(call, ProtocolError("the bot ended its stream before it said hello"))
            return
        self._finished = True
        self._take_held(call)

    def gone(self, call: Call) -> None:
        """The stream may have been lost."""
        if call is self._call:
            self._lose()

    def roomy(self, call: Call) -> None:
        """Go on writing."""
        if call is self._call and not self._written.is_set():
            self.wake()

    # -- the beginning and the end of the stream

    def _hello(self, call: Call, message: bytes) -> None:
        call.taken(message)
        try:
            hello = parse_hello(message)
        except ProtocolError as error:
            self._refuse(call, error)
            return
        if self.spent:
            call.end(grpcwire.RESOURCE_EXHAUSTED, "this bot has lost its stream too often")
            return
        self._calls += 1
        if self._closing:
            call.end(grpcwire.OK)
            return
        if self._call is not None:
            self._lose().end(grpcwire.ALREADY_EXISTS, "this bot has called again since")
        self.tell_loss()
        self._call = call
        self._link.full_views = hello.view == pb.VIEW_MODE_FULL
        call.write(welcome(self._link.tables))
        self._link.resume(time.monotonic())
        if self.ready.done():
            self.lost.clear()
            self.back.set()
        else:
            self.ready.set_result(None)

    def _refuse(self, call: Call, error: ProtocolError) -> None:
        if not self.ready.done():
            self.ready.set_exception(error)
        call.end(grpcwire.INVALID_ARGUMENT, str(error))

    def _lose(self) -> Call:
        """The stream has ended, and not by our doing."""
        call = self._part()
        self.back.clear()
        self.lost.set()
        self._loss_untold = True
        return call

    def _part(self) -> Call:
        """There is no stream any more; what it was."""
        call, self._call = self._call, None
        assert call is not None
        self._held.clear()
        self._finished = False
        self._wait_no_more()
        return call

    # -- writing

    def _write_soon(self) -> None:
        """Write; while the bot is busy wait for company until it has answered everything, but no longer than `TOGETHER`.

        It takes its decisions one after another, so those of other tables lose nothing by travelling together.
        """
        if self._link.idle:
            self._write()
        else:
            self._in_company = True
            self._writing = self._loop.call_later(TOGETHER, self._write)

    def _write(self) -> None:
        self._writing, self._in_company = None, False
        call = self._call
        if call is None or call.waiting:
            return  # it goes on when that is over
        if self._link.queue:
            self.freezer.thaw()
        try:
            data = self._link.compose(time.monotonic())
        except Exception as error:  # noqa: BLE001 - the match ends by it
            self._broken(error)
            return
        if data is not None:
            call.write(data)
        if not call.waiting:
            self._written.set()
        if self._held or self._finished:  # not now: whoever has us write is in the middle of something
            self._loop.call_soon(self._take_held, call)

    def _wait_no_more(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing, self._in_company = None, False

    # -- reading

    def _take_held(self, call: Call) -> None:
        """Take what came too early, now that something is asked."""
        while self._held and self._link.queue and call is self._call:
            self._take(call, self._held.popleft())
        if self._finished and not self._held and call is self._call:
            self._lose().end(grpcwire.OK)

    def _take(self, call: Call, message: bytes) -> None:
        """Take answers."""
        call.taken(message)
        try:
            self._link.received(message, time.monotonic())
        except Exception as error:  # noqa: BLE001 - the match ends by it
            self._broken(error)
            return
        if self._in_company and self._link.idle:
            self._wait_no_more()
            self.wake()
        if not self._link.queue:
            self.freezer.freeze()
        self._looked(self._link)

    def _broken(self, error: Exception) -> None:
        """Something of ours failed."""
        self._link.broken(error)
        if self._call is not None:
            self._lose().end(grpcwire.INTERNAL, "the referee failed")

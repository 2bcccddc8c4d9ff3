"""The gRPC side of a bot: finds the referee, opens the stream, and carries messages to a `BotSession` and back.

At one table everything happens in one thread, which is fastest. At several, a second thread does the reading and writing
(`mtref_sdk.crowd`), so that no answer waits for the choice at another table.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mtref_sdk import VERSION
from mtref_sdk.bot import Bot
from mtref_sdk.errors import ConfigError, ProtocolError
from mtref_sdk.session import BotSession
from mtref_sdk.wire import MARK, PROTOCOL_VERSION

# Without gRPC's "event engine" a move takes about a quarter less time. An unknown name costs one line in gRPC's log.
# Both settings are read once, when grpc is imported, and what the user has set stays.
os.environ.setdefault(
    "GRPC_EXPERIMENTS",
    "-event_engine_client,-event_engine_listener,-event_engine_for_all_other_endpoints",
)
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.crowd import Crowd
from mtref_sdk.messages import handle

if TYPE_CHECKING:
    Method = grpc.aio.StreamStreamMultiCallable[bytes, pb.FromReferee]
    Stream = grpc.aio.StreamStreamCall[bytes, pb.FromReferee]

__all__ = ["METHOD", "Connection", "connection_from_environment", "play"]

METHOD: Final = "/mtref.v1.RefereeService/Play"
"""The one call of the protocol."""

_CHANNEL_OPTIONS: Final = (
    ("grpc.enable_retries", 0),
    ("grpc.minimal_stack", 1),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
)

_LEAVE_S: Final = 1.0
"""How long a bot that gives up waits for the referee to have read its last answers."""

_CUT_OFF: Final = "Internal error from Core"
"""How gRPC for asyncio describes a call that ended while something was sent; the true status is lost then."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the referee listens (``unix:/path`` or ``host:port``) and the token that says who calls.

    ``certificate`` is None for a connection that is not encrypted. Else it names the PEM file with the certificates to
    trust; empty, those that the system trusts.
    """

    address: str
    token: str = field(repr=False)
    certificate: str | None = None


def connection_from_environment() -> Connection:
    """The connection MTREF_ADDRESS, MTREF_TOKEN and MTREF_CERT describe. Raises ConfigError if one of the first two is missing.

    MTREF_CERT is for connections with TLS: a PEM file, or ``system``.
    """
    for name in ("MTREF_ADDRESS", "MTREF_TOKEN"):
        if not os.environ.get(name):
            file = sys.argv[0] or "my_bot.py"
            raise ConfigError(f"{name} is not set; a referee starts bots: mtref match {file} {file}")
    certificate = os.environ.get("MTREF_CERT")
    if certificate == "system":
        certificate = ""
    return Connection(os.environ["MTREF_ADDRESS"], os.environ["MTREF_TOKEN"], certificate)


def play(bot: Bot, connection: Connection) -> None:
    """Play with `bot` until the referee ends the stream; `bot` chooses in the calling thread.

    Raises ProtocolError when the connection fails, and what the bot raises.
    """
    session = BotSession(bot)
    # The loop is run by hand, because at several tables another thread takes it over once we know.
    with asyncio.Runner() as runner:
        link = _Link()
        welcome = runner.run(link.open(connection))
        if welcome is None or welcome.welcome.tables <= 1:
            if welcome is not None:
                runner.run(_alone(session, link, welcome))
        else:
            Crowd(session, runner.get_loop(), link).play(welcome)
        runner.run(link.close())


def _channel(connection: Connection) -> grpc.aio.Channel:
    if connection.certificate is None:
        return grpc.aio.insecure_channel(connection.address, options=_CHANNEL_OPTIONS)
    roots = None
    if connection.certificate:
        try:
            roots = Path(connection.certificate).read_bytes()
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", key="MTREF_CERT") from error
    return grpc.aio.secure_channel(
        connection.address, grpc.ssl_channel_credentials(roots), options=_CHANNEL_OPTIONS
    )


async def _alone(session: BotSession, link: _Link, message: pb.FromReferee | None) -> None:
    """Play at one table: each answer is on its way before the next choice begins."""
    while message is not None:
        for answer in handle(session, message):
            if not await link.write(answer):
                return
        message = await link.read()


class _Link:
    """The stream to the referee. After it has ended `read` gives None and `write` False; `close` knows why."""

    _channel: grpc.aio.Channel
    _stream: Stream

    async def open(self, connection: Connection) -> pb.FromReferee | None:
        """Connect and say hello; returns the first message, with the welcome."""
        self._channel = _channel(connection)
        method: Method = self._channel.stream_stream(METHOD, response_deserializer=pb.FromReferee.FromString)
        self._stream = method(metadata=(("authorization", f"Bearer {connection.token}"),))
        # A write that meets the end of the call hides from us how that ended: first we hear whether we are welcome.
        if not any(key == MARK for key, _ in await self._stream.initial_metadata() or ()):
            return await self.read()
        hello = pb.Hello(protocol=PROTOCOL_VERSION, sdk=f"mtref-sdk {VERSION}", view=pb.VIEW_MODE_EVENTS)
        try:
            await self._stream.write(pb.FromBot(hello=hello).SerializeToString())
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return None
        return await self.read()

    async def read(self) -> pb.FromReferee | None:
        """The next message of the referee; None when there are no more."""
        try:
            message = await self._stream.read()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return None
        return message if isinstance(message, pb.FromReferee) else None

    async def write(self, answers: bytes) -> bool:
        """Send answers, as a serialised ``FromBot``; False when the stream has ended, perhaps just now."""
        try:
            await self._stream.write(answers)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return False
        return True

    async def leave(self) -> None:
        """End the stream from our side in good order: a call that is cancelled takes along what was not read yet."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
            async with asyncio.timeout(_LEAVE_S):
                await self._stream.done_writing()
                await self._stream.code()

    async def close(self) -> None:
        """Raises ProtocolError unless the referee has ended the stream in good order."""
        status, details = await self._stream.code(), await self._stream.details()
        await self._channel.close()
        if details == _CUT_OFF:
            raise ProtocolError("the referee ended the connection while an answer was being sent")
        if status is not grpc.StatusCode.OK:
            raise ProtocolError(f"the referee ended the connection: {status.name}: {details}")

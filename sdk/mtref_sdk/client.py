"""How a bot finds its referee, and the loop in which it plays: messages of the stream go to a `BotSession`, and its answers back.

The bot chooses in the calling thread, which also reads and writes. At several tables a second one sends the answers that would
have to wait for the choice at another table (`mtref_sdk.crowd`).
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, field

from mtref_sdk import VERSION
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.bot import Bot
from mtref_sdk.crowd import Crowd
from mtref_sdk.errors import ConfigError, ProtocolError
from mtref_sdk.incoming import other_parts
from mtref_sdk.messages import handle
from mtref_sdk.session import BotSession
from mtref_sdk.stream import Stream
from mtref_sdk.wire import PROTOCOL_VERSION

__all__ = ["Connection", "connection_from_environment", "play"]


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

    Raises ProtocolError when the connection fails, and what the bot raises, its answers sent before.
    """
    session, stream = BotSession(bot), Stream()
    stream.open(connection)
    hello = pb.Hello(protocol=PROTOCOL_VERSION, sdk=f"mtref-sdk {VERSION}", view=pb.VIEW_MODE_EVENTS)
    stream.write(pb.FromBot(hello=hello).SerializeToString())
    try:
        _play(session, stream)
    except BaseException:
        stream.leave()
        with contextlib.suppress(ProtocolError):
            stream.close()
        raise
    stream.close()


def _play(session: BotSession, stream: Stream) -> None:
    """Each answer is on its way before the next choice begins, or, at several tables, soon after."""
    message = stream.read()
    crowd = Crowd(stream) if message is not None and other_parts(message).welcome.tables > 1 else None
    while message is not None:
        if crowd is None:
            for answer in handle(session, message):
                stream.write(answer)
        else:
            try:
                for answer in handle(session, message):
                    crowd.add(answer)
            finally:
                crowd.flush()
        message = stream.read()

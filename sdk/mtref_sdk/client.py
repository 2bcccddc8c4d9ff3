"""The gRPC side of a bot: finds the referee, opens the stream, and carries messages to a `BotSession` and back.

The only module of the SDK that imports grpc; `run` imports it when it is needed.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final

from mtref_sdk.bot import Bot
from mtref_sdk.decision import Clock
from mtref_sdk.errors import ConfigError, ProtocolError
from mtref_sdk.game import GameResult, GameStart, Outcome
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.session import BotSession
from mtref_sdk.wire import PROTOCOL_VERSION

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

__all__ = ["METHOD", "Connection", "connection_from_environment", "handle", "play"]

METHOD: Final = "/mtref.v1.RefereeService/Play"
"""The one call of the protocol."""

_OUTCOMES: Final[dict[int, Outcome]] = {
    pb.OUTCOME_FINISHED: "finished",
    pb.OUTCOME_FORFEITED: "forfeited",
    pb.OUTCOME_ABORTED: "aborted",
}

_CHANNEL_OPTIONS: Final = (
    ("grpc.enable_retries", 0),
    ("grpc.minimal_stack", 1),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
)


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the referee listens (``unix:/path`` or ``host:port``) and the token that says who calls."""

    address: str
    token: str = field(repr=False)


def connection_from_environment() -> Connection:
    """The connection MTREF_ADDRESS and MTREF_TOKEN describe. Raises ConfigError when one of them is missing."""
    for name in ("MTREF_ADDRESS", "MTREF_TOKEN"):
        if not os.environ.get(name):
            file = sys.argv[0] or "my_bot.py"
            raise ConfigError(f"{name} is not set; a referee starts bots: mtref match {file} {file}")
    return Connection(os.environ["MTREF_ADDRESS"], os.environ["MTREF_TOKEN"])


def play(bot: Bot, connection: Connection) -> None:
    """Play with `bot` until the referee ends the stream. Raises ProtocolError when the connection fails."""
    asyncio.run(_play(BotSession(bot), connection))


async def _play(session: BotSession, connection: Connection) -> None:
    async with grpc.aio.insecure_channel(connection.address, options=_CHANNEL_OPTIONS) as channel:
        method = channel.stream_stream(
            METHOD,
            request_serializer=pb.FromBot.SerializeToString,
            response_deserializer=pb.FromReferee.FromString,
        )
        stream = method(metadata=(("authorization", f"Bearer {connection.token}"),))
        hello = pb.Hello(
            protocol=PROTOCOL_VERSION, sdk=f"mtref-sdk {version('mtref-sdk')}", view=pb.VIEW_MODE_EVENTS
        )
        try:
            await stream.write(pb.FromBot(hello=hello))
            # One message at a time, one answer at a time: each is on its way before the next choice begins.
            while (message := await stream.read()) is not grpc.aio.EOF:
                assert isinstance(message, pb.FromReferee)
                for answer in handle(session, message):
                    await stream.write(pb.FromBot(answers=[answer]))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the stream has ended, perhaps while an answer was being written; its status says why
        status, details = await stream.code(), await stream.details()
        if status is not grpc.StatusCode.OK:
            raise ProtocolError(f"the referee ended the connection: {status.name}: {details}")


def handle(session: BotSession, message: pb.FromReferee) -> Iterator[pb.Answer]:
    """Let `session` take in one message of the referee; yields each answer as soon as the bot has made it."""
    for start in message.starts:
        session.start(_game_start(start))
    for update in message.updates:
        session.tell(update.table, update.events)
        if update.HasField("decision"):
            asked = update.decision
            move = session.decide(
                update.table,
                asked.legal,
                asked.may_lift,
                asked.move_ms if asked.HasField("move_ms") else None,
                asked.bank_ms if asked.HasField("bank_ms") else None,
            )
            yield pb.Answer(table=update.table, decision=asked.id, move=move)
    for end in message.ends:
        result = GameResult(_OUTCOMES.get(end.outcome, "aborted"), tuple(end.totals), tuple(end.places))
        session.end(end.table, result)
    for fault in message.faults:
        sys.stderr.write(f"mtref bot: fault: {fault.text}\n")


def _game_start(start: pb.TableStart) -> GameStart:
    return GameStart(
        table=start.table,
        game=start.game,
        seat=start.seat,
        seats=start.seats,
        rules=RuleSet.from_mapping(json.loads(start.rules)),
        commitment=start.commitment,
        private_seed=start.private_seed,
        clock=Clock.of_ms(
            start.move_ms if start.HasField("move_ms") else None,
            start.bank_ms if start.HasField("bank_ms") else None,
        ),
    )

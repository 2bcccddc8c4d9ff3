"""A referee that follows a script, and bots for it: what tests of sessions and of the gRPC client share."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio

from mtref_sdk import Bot, Decision, GameResult, GameStart, Move
from mtref_sdk import events as happened
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.events import Event
from mtref_sdk.ruleset import preset
from mtref_sdk.tiles import Tile
from mtref_sdk.varint import varints
from mtref_sdk.wire import MARK, pack

TOKEN = "correct-horse"
RULES = preset("playboard")
DEAL: tuple[Event, ...] = (
    happened.RoundStarted(1, 12, 0, (2, 2), 3),
    happened.HandDealt(0, (Tile(3, 12), Tile(5, 12))),
    happened.HandDealt(1, None),
    happened.EngineLaid(Tile(12, 12), None),
    happened.TurnStarted(0),
)
LEGAL = [Move.play(Tile(3, 12), "0").code, Move.play(Tile(5, 12), "0").code]


def packed(*told: Event) -> list[int]:
    return [number for event in told for number in pack(event)]


def told(*events: Event) -> bytes:
    """The same as a message holds it."""
    return varints(packed(*events))


class FirstMove(Bot):
    """Plays the first legal move and remembers everything it was told."""

    def __init__(self) -> None:
        self.starts: list[GameStart] = []
        self.decisions: list[Decision] = []
        self.results: list[GameResult] = []

    def game_started(self, game: GameStart) -> None:
        self.starts.append(game)

    def choose(self, decision: Decision) -> Move:
        self.decisions.append(decision)
        return decision.legal_moves[0]

    def game_ended(self, result: GameResult) -> None:
        self.results.append(result)


def table_start(table: int, seat: int = 0) -> pb.TableStart:
    return pb.TableStart(
        table=table,
        game=f"game-{table}",
        seat=seat,
        seats=2,
        rules=json.dumps(RULES.to_mapping()),
        commitment=bytes(range(32)),
        private_seed=bytes([table] * 32),
        move_ms=1000,
        bank_ms=60_000,
    )


def asking(table: int, identity: int, told: Sequence[Event] = DEAL) -> pb.TableUpdate:
    decision = pb.Decision(id=identity, legal=LEGAL, may_lift=[], move_ms=1000, bank_ms=59_500)
    return pb.TableUpdate(table=table, events=packed(*told), decision=decision)


def finished(table: int) -> pb.TableEnd:
    return pb.TableEnd(table=table, outcome=pb.OUTCOME_FINISHED, totals=[3, 0], places=[2, 1])


class ScriptedReferee:
    """Sends the messages of `script` and waits for the answers each asks for. `heard` is all that was said to it.

    `on_answer` is called for every message of answers as it comes; `tables` is what the welcome promises.
    """

    def __init__(
        self,
        script: Sequence[pb.FromReferee],
        tables: int = 0,
        on_answer: Callable[[pb.FromBot], object] = lambda _: None,
    ) -> None:
        self.script, self.tables, self.on_answer = script, tables, on_answer
        self.heard: list[pb.FromBot] = []

    async def _play(
        self,
        requests: AsyncIterator[pb.FromBot],
        context: grpc.aio.ServicerContext[pb.FromBot, pb.FromReferee],
    ) -> AsyncIterator[pb.FromReferee]:
        if ("authorization", f"Bearer {TOKEN}") not in (context.invocation_metadata() or ()):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        await context.send_initial_metadata(((MARK, "1"),))
        self.heard.append(await anext(requests))
        yield pb.FromReferee(welcome=pb.Welcome(protocol=1, referee="scripted", tables=self.tables))
        for message in self.script:
            yield message
            due = sum(update.HasField("decision") for update in message.updates)
            while due:
                self.heard.append(await anext(requests))
                self.on_answer(self.heard[-1])
                due -= len(self.heard[-1].answers)

    @asynccontextmanager
    async def listening(self, folder: Path) -> AsyncIterator[str]:
        """Listens on a fresh unix socket in `folder` and yields its address."""
        server = grpc.aio.server()
        handler = grpc.stream_stream_rpc_method_handler(
            self._play, pb.FromBot.FromString, pb.FromReferee.SerializeToString
        )
        service = grpc.method_handlers_generic_handler("mtref.v1.RefereeService", {"Play": handler})
        server.add_generic_rpc_handlers((service,))
        address = f"unix:{folder / 'referee.sock'}"
        server.add_insecure_port(address)
        await server.start()
        try:
            yield address
        finally:
            await server.stop(None)

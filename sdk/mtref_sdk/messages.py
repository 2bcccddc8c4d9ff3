"""What a referee's message means to a `BotSession`: protobuf in, protobuf out, no stream."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from typing import Final

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.decision import Clock
from mtref_sdk.game import GameResult, GameStart, Outcome
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.session import BotSession
from mtref_sdk.varint import varint

__all__ = ["handle"]

_decision: Final = struct.Struct("<BQ").pack
_ANSWERS: Final = b"\x12"
_TABLE, _DECISION, _MOVE = b"\x08", 0x11, b"\x18"

_OUTCOMES: Final[dict[int, Outcome]] = {
    pb.OUTCOME_FINISHED: "finished",
    pb.OUTCOME_FORFEITED: "forfeited",
    pb.OUTCOME_ABORTED: "aborted",
}


def handle(session: BotSession, message: pb.FromReferee) -> Iterator[bytes]:
    """Let `session` take in one message of the referee; yields each answer as soon as the bot has made it.

    An answer is a whole ``FromBot``; several, one after another, are one too.
    """
    # Slices of repeated fields are lists, made at once; going through a field takes longer, most of all an empty one.
    for start in message.starts[:]:
        session.start(_game_start(start))
    for update in message.updates[:]:
        table = update.table
        session.tell(table, update.events[:])
        if update.HasField("decision"):
            asked = update.decision
            move = session.decide(
                table,
                asked.legal[:],
                asked.may_lift[:],
                asked.move_ms if asked.HasField("move_ms") else None,
                asked.bank_ms if asked.HasField("bank_ms") else None,
            )
            yield _answer(table, asked.id, move)
    for end in message.ends[:]:
        result = GameResult(_OUTCOMES.get(end.outcome, "aborted"), tuple(end.totals), tuple(end.places))
        session.end(end.table, result)
    for fault in message.faults[:]:
        sys.stderr.write(f"mtref bot: fault: {fault.text}\n")


def _answer(table: int, decision: int, move: int) -> bytes:
    """Written by hand, which takes a fifth of the time that protobuf does."""
    number, chosen = varint(table), varint(move)
    length = varint(1 + len(number) + 9 + 1 + len(chosen))
    return b"".join((_ANSWERS, length, _TABLE, number, _decision(_DECISION, decision), _MOVE, chosen))


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

"""What a referee's message means to a `BotSession`: bytes in, bytes out, no stream."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.decision import Clock
from mtref_sdk.game import GameResult, GameStart, Outcome
from mtref_sdk.incoming import other_parts, read_decision, read_update, split
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.session import BotSession
from mtref_sdk.varint import varint

__all__ = ["handle"]

_ANSWERS: Final = b"\x12"
_TABLE: Final = b"\x08"
_DECISION: Final = b"\x11"
_MOVE: Final = b"\x18"

_OUTCOMES: Final[dict[int, Outcome]] = {
    pb.OUTCOME_FINISHED: "finished",
    pb.OUTCOME_FORFEITED: "forfeited",
    pb.OUTCOME_ABORTED: "aborted",
}


def handle(session: BotSession, message: bytes) -> Iterator[bytes]:
    """Let `session` take in one message of the referee; yields each answer as soon as the bot has made it.

    An answer is a whole ``FromBot``; several, one after another, are one too. Raises ProtocolError for bytes that are no message.
    """
    updates, rest = split(message)
    others = other_parts(rest) if rest else None
    if others is not None:
        for start in others.starts:
            session.start(_game_start(start))
    for data in updates:
        table, events, decision = read_update(data)
        session.tell(table, events)
        if decision is not None:
            identity, legal, may_lift, clock = read_decision(decision)
            yield _answer(table, identity, session.decide(table, legal, may_lift, clock))
    if others is not None:
        for end in others.ends:
            result = GameResult(_OUTCOMES.get(end.outcome, "aborted"), tuple(end.totals), tuple(end.places))
            session.end(end.table, result)
        for fault in others.faults:
            sys.stderr.write(f"mtref bot: fault: {fault.text}\n")


def _answer(table: int, decision: bytes, move: int) -> bytes:
    """Written by hand, which takes a fifth of the time that protobuf does."""
    number, chosen = varint(table), varint(move)
    length = varint(1 + len(number) + 9 + 1 + len(chosen))
    return b"".join((_ANSWERS, length, _TABLE, number, _DECISION, decision, _MOVE, chosen))


def _game_start(start: pb.TableStart) -> GameStart:
    return GameStart(
        table=start.table,
        game=start.game,
        seat=start.seat,
        seats=start.seats,
        rules=_rules(start.rules),
        commitment=start.commitment,
        private_seed=start.private_seed,
        clock=Clock.of_ms(
            start.move_ms if start.HasField("move_ms") else None,
            start.bank_ms if start.HasField("bank_ms") else None,
        ),
    )


@lru_cache(16)
def _rules(text: str) -> RuleSet:
    return RuleSet.from_mapping(json.loads(text))

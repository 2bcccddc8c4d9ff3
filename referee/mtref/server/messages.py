"""Messages of mtref.proto from and to what the referee knows. No streams here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from google.protobuf.message import DecodeError

from mtref import VERSION
from mtref.match.fault import FaultKind
from mtref.match.question import Ask
from mtref.match.table import TableRun
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.errors import ProtocolError
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.view import view_fields
from mtref_sdk.wire import PROTOCOL_VERSION

__all__ = [
    "ask_of",
    "end_part",
    "fault_part",
    "parse",
    "parse_hello",
    "start_part",
    "view_update_bytes",
    "welcome",
]

_WIRE_FAULTS = {
    FaultKind.ILLEGAL_MOVE: pb.FAULT_KIND_ILLEGAL_MOVE,
    FaultKind.MALFORMED_REPLY: pb.FAULT_KIND_MALFORMED,
    FaultKind.PROTOCOL: pb.FAULT_KIND_MALFORMED,
    FaultKind.TIMEOUT: pb.FAULT_KIND_LATE,
    FaultKind.STALE_REPLY: pb.FAULT_KIND_STALE,
}

_OUTCOMES: dict[str, pb.Outcome] = {
    "finished": pb.OUTCOME_FINISHED,
    "forfeited": pb.OUTCOME_FORFEITED,
    "aborted": pb.OUTCOME_ABORTED,
}


def parse(data: bytes) -> pb.FromBot:
    """A bot's message. Raises ProtocolError for bytes that are none."""
    try:
        return pb.FromBot.FromString(data)
    except DecodeError as error:
        raise ProtocolError(f"{len(data)} bytes that are no FromBot message: {data[:64]!r}") from error


def parse_hello(data: bytes) -> pb.Hello:
    """The hello that must be a bot's first message. Raises ProtocolError for anything else or another version."""
    message = parse(data)
    if not message.HasField("hello") or message.answers:
        raise ProtocolError("the first message must be a hello and nothing else")
    if message.hello.protocol != PROTOCOL_VERSION:
        raise ProtocolError(
            f"the bot speaks protocol {message.hello.protocol}; this referee speaks {PROTOCOL_VERSION}"
        )
    return message.hello


def welcome(tables: int) -> bytes:
    """The first message to a bot that will sit at up to so many tables at once."""
    return pb.FromReferee(
        welcome=pb.Welcome(protocol=PROTOCOL_VERSION, referee=f"mtref {VERSION}", tables=tables)
    ).SerializeToString()


def start_part(number: int, table: TableRun, seat: int) -> pb.TableStart:
    """Tells a bot that it sits on `seat` of a table, under this number on its stream."""
    clock = table.options.clock
    return pb.TableStart(
        table=number,
        game=table.planned.game,
        seat=seat,
        seats=len(table.seats),
        rules=_rules_text(table.options.rules),
        commitment=table.planned.commitment,
        private_seed=table.private_seed(seat),
        move_ms=round(clock.move_ms) if clock.enabled else None,
        bank_ms=round(clock.bank_ms) if clock.enabled else None,
    )


@lru_cache(16)
def _rules_text(rules: RuleSet) -> str:
    return json.dumps(rules.to_mapping())


def view_update_bytes(number: int, observation: Observation, decision: bytes) -> bytes:
    """A ``FromReferee`` that says how a table stands, and what the bot has to decide there."""
    update = pb.TableUpdate(table=number, view=pb.View(**view_fields(observation)))
    update.decision.MergeFromString(decision)
    return pb.FromReferee(updates=[update]).SerializeToString()


def ask_of(decision: bytes, seat: int) -> Ask:
    """What `seat` was asked by a serialised ``Decision``."""
    asked = pb.Decision.FromString(decision)
    return Ask(
        id=asked.id,
        seat=seat,
        legal=tuple(asked.legal),
        may_lift=tuple(asked.may_lift),
        move_ms=asked.move_ms if asked.HasField("move_ms") else None,
        bank_ms=asked.bank_ms if asked.HasField("bank_ms") else None,
    )


def end_part(
    number: int,
    outcome: Literal["finished", "forfeited", "aborted"],
    totals: Sequence[int] = (),
    places: Sequence[int] = (),
) -> pb.TableEnd:
    """Tells a bot that a table is over for it."""
    return pb.TableEnd(table=number, outcome=_OUTCOMES[outcome], totals=totals, places=places)


def fault_part(number: int, decision: int, kind: FaultKind, text: str) -> pb.Fault | None:
    """Tells a bot what was wrong with an answer; None for kinds that are not about answers."""
    wire_kind = _WIRE_FAULTS.get(kind)
    if wire_kind is None:
        return None
    return pb.Fault(table=number, decision=decision, kind=wire_kind, text=text)

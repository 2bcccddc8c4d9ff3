"""Records as JSON objects. The quick way to the text of most of them is in `texts`, reading them back in `decode`, files in `writer`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from mtref.replay.records import (
    LogDecision,
    LogEnd,
    LogFault,
    LogHeader,
    Origin,
    PositionOrigin,
    Record,
    SeedRevealed,
)
from mtref.text import escape
from mtref_sdk.eventdict import event_to_dict
from mtref_sdk.moves import Move

__all__ = ["MESSAGE_LIMIT", "compact", "meaning", "move_text", "record_to_dict"]

MESSAGE_LIMIT = 500
"""The most characters of a fault's message that a log keeps, after escaping."""

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode

_NAME_LIMIT, _COMMAND_LIMIT, _SANDBOX_LIMIT = 500, 2000, 2000


def compact(plain: Any) -> str:
    """`plain` as JSON without blanks, in ASCII, keys in the order they have."""
    return _encode(plain)


class _MoveTexts(dict[int, str]):
    """The texts that were asked for, each made once."""

    def __missing__(self, code: int) -> str:
        self[code] = text = str(Move.from_code(code))
        return text


move_text: Final[Callable[[int], str]] = _MoveTexts().__getitem__
"""The text of a move's code, such as ``3-9@0 lift``. Raises InvalidMoveError when the code is no move's.

Looked up without a call of Python's, as a log has several a decision.
"""


def _decision(record: LogDecision) -> dict[str, Any]:
    return {
        "seat": record.seat,
        "legal": [move_text(code) for code in record.legal],
        "may_lift": [move_text(code & ~1) for code in record.may_lift],
        "move": move_text(record.move),
    }


def _milliseconds(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _header(record: LogHeader) -> dict[str, Any]:
    return {
        "format": record.format,
        "mtref": record.mtref,
        "game": record.game,
        "deal": record.deal,
        "rules": dict(record.rules),
        "seats": record.seats,
        "first_starter": record.first_starter,
        "bots": [
            {
                "seat": seat,
                "name": bot.name[:_NAME_LIMIT],
                "command": bot.command[:_COMMAND_LIMIT],
                "content_hash": bot.content_hash,
            }
            for seat, bot in enumerate(record.bots)
        ],
        "seeded": record.seeded,
        "commitment": record.commitment.hex(),
        "clock": None if record.clock is None else dict(record.clock),
        **({} if record.sandbox is None else {"sandbox": record.sandbox[:_SANDBOX_LIMIT]}),
        **({} if record.origin is None else {"origin": _origin(record.origin)}),
    }


def _origin(origin: Origin | PositionOrigin) -> dict[str, Any]:
    if isinstance(origin, PositionOrigin):
        return {"position": dict(origin.position), "move": move_text(origin.move)}
    return {
        "game": origin.game,
        "digest": origin.digest,
        "line": origin.line,
        "move": move_text(origin.move),
        **({} if origin.fresh_from is None else {"fresh_from": origin.fresh_from}),
    }


def _fields(record: Record) -> dict[str, Any]:
    match record:
        case LogHeader():
            return _header(record)
        case LogDecision():
            timing = {"ms": _milliseconds(record.ms), "bank_ms": _milliseconds(record.bank_ms)}
            return {**_decision(record), "by": record.by, **timing}
        case LogFault():
            message = escape(record.message, MESSAGE_LIMIT)
            told = {"seat": record.seat, "kind": record.kind, "message": message, "done": record.done}
            if record.sent is not None:
                told["sent"] = escape(record.sent, MESSAGE_LIMIT)
            return told if record.decision is None else {**told, "decision": dict(record.decision)}
        case LogEnd():
            return {
                "totals": list(record.totals),
                "scores": [list(scores) for scores in record.scores],
                "places": list(record.places),
                "faults": [dict(sorted(counts.items())) for counts in record.faults],
                "game_digest": record.game_digest,
                "file_digest": record.file_digest,
                **(
                    {}
                    if record.times_ms is None
                    else {"times_ms": [dict(times) for times in record.times_ms]}
                ),
                **({} if record.delay_ms is None else {"delay_ms": dict(record.delay_ms)}),
            }
        case SeedRevealed():
            return {"seed": record.seed.hex()}
        case _:
            return event_to_dict(record)


def record_to_dict(record: Record, number: int) -> dict[str, Any]:
    """`record` as the object of line `number` of a log, without the line's check sum."""
    line = getattr(record, "line", "event")
    return {"t": line, "n": number, **_fields(record)}


def meaning(record: Record) -> dict[str, Any] | None:
    """What of `record` the ``game_digest`` covers; None for a record it leaves out.

    Covered: the options of the rule set (not the preset's name) and the number of seats; every event; of a decision
    the seat, what was legal and what was played, but neither who chose it nor the time.
    """
    match record:
        case LogHeader():
            options = {key: value for key, value in record.rules.items() if key != "preset"}
            return {"t": "header", "rules": options, "seats": record.seats}
        case LogDecision():
            return {"t": "decision", **_decision(record)}
        case LogFault() | LogEnd() | SeedRevealed():
            return None
        case _:
            return {"t": "event", **event_to_dict(record)}

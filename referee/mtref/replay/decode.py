"""Records from the objects in the lines of a log: the strict inverse of `encode`. What a version of the format leaves out is for `formats`,
and whether they make sense for `verify`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NoReturn, get_args

from mtref.replay.encode import move_text
from mtref.replay.records import (
    BotInfo,
    By,
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
from mtref_sdk.errors import InvalidMoveError, ReplayError
from mtref_sdk.eventdict import event_from_dict
from mtref_sdk.moves import MAX_SEATS, parse_move

__all__ = ["parse", "record_from"]

_Fields = Mapping[str, Any]
_LARGEST = 1 << 31


def parse(data: bytes, number: int) -> dict[str, Any]:
    """The object in line `number`, given with or without its newline. Raises ReplayError without naming the line."""
    try:
        plain = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ReplayError("not an mtref log" if number == 1 else "not JSON") from error
    if not isinstance(plain, dict):
        raise ReplayError("not an mtref log" if number == 1 else "not a JSON object")
    return plain


def record_from(kind: Any, plain: _Fields, number: int) -> Record:
    """The record of this kind with these fields in line `number`; the first line must be a header.

    Raises ReplayError, without naming the line, for anything that `encode` would not write.
    """
    if (kind == "header") != (number == 1):
        raise ReplayError("a header is the first line and no other")
    read = _KINDS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise ReplayError(f"unknown kind of line {escape(str(kind), 40)!r}")
    try:
        return read(plain)
    except (InvalidMoveError, ValueError) as error:
        raise ReplayError(f"{kind}: {escape(str(error))}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _exactly(plain: _Fields, *names: str, optional: tuple[str, ...] = ()) -> list[Any]:
    """The values of `names`, and then of `optional`, None for what is missing; these must be all there is."""
    for name in names:
        if name not in plain:
            raise ValueError(f"lacks its field {name}")
    for name in plain:
        if name not in names and name not in optional:
            raise ValueError(f"has no field {name[:40]!r}")
    return [plain.get(name) for name in (*names, *optional)]


def _check(name: str, *, holds: bool, expected: str) -> None:
    if not holds:
        raise ValueError(f"{name}: expected {expected}")


def _text(name: str, value: Any) -> str:
    _check(name, holds=isinstance(value, str), expected="a text")
    return str(value)


def _identifier(name: str, value: Any) -> str:
    fine = isinstance(value, str) and 0 < len(value) <= 200 and value.isprintable()
    _check(name, holds=fine, expected="a short printable text")
    return str(value)


def _whole(name: str, value: Any) -> int:
    _check(name, holds=type(value) is int and 0 <= value < _LARGEST, expected="a whole number from 0")
    return int(value)


def _wholes(name: str, value: Any) -> tuple[int, ...]:
    _check(name, holds=isinstance(value, list), expected="a list of whole numbers")
    return tuple([_whole(name, item) for item in value])


def _flag(name: str, value: Any) -> bool:
    _check(name, holds=isinstance(value, bool), expected="true or false")
    return bool(value)


def _mapping(name: str, value: Any) -> dict[str, Any]:
    _check(name, holds=isinstance(value, dict), expected="an object")
    return dict(value)


def _milliseconds(name: str, value: Any) -> float | None:
    fine = value is None or (type(value) in (int, float) and math.isfinite(value))
    _check(name, holds=fine, expected="milliseconds or null")
    return value  # type: ignore[no-any-return]  # int stays int, so that it is written again as it was


def _figures(name: str, value: Any) -> dict[str, float | None]:
    return {key: _milliseconds(name, item) for key, item in _mapping(name, value).items()}


def _secret(name: str, value: Any) -> bytes:
    found = bytes.fromhex(value) if isinstance(value, str) else b""
    _check(name, holds=len(found) == 32 and found.hex() == value, expected="64 hex digits")
    return found


def _bot(seat: int, value: Any) -> BotInfo:
    where, name, command, content_hash = _exactly(
        _mapping("bots", value), "seat", "name", "command", "content_hash"
    )
    _check("bots", holds=where == seat and type(where) is int, expected="one entry a seat, in order")
    known = None if content_hash is None else _text("content_hash", content_hash)
    return BotInfo(_text("name", name), _text("command", command), known)


def _header(plain: _Fields) -> LogHeader:
    (
        name, mtref, game, deal, rules, seats, first_starter, bots, seeded, commitment, clock, sandbox, origin
    ) = _exactly(
        plain, "format", "mtref", "game", "deal", "rules", "seats", "first_starter", "bots", "seeded",
        "commitment", "clock", optional=("sandbox", "origin"),
    )  # fmt: skip
    places = _whole("seats", seats)
    _check("seats", holds=1 <= places <= MAX_SEATS, expected=f"1 to {MAX_SEATS}")
    _check(
        "bots", holds=isinstance(bots, list) and len(bots) == places, expected="one entry a seat, in order"
    )
    first = _whole("first_starter", first_starter)
    _check("first_starter", holds=first < places, expected="a seat")
    settings = None
    if clock is not None:
        settings = _figures("clock", clock)
    return LogHeader(
        game=_identifier("game", game),
        deal=_identifier("deal", deal),
        rules=_mapping("rules", rules),
        seats=places,
        first_starter=first,
        bots=tuple([_bot(seat, bot) for seat, bot in enumerate(bots)]),
        seeded=_flag("seeded", seeded),
        commitment=_secret("commitment", commitment),
        clock=settings,
        mtref=_text("mtref", mtref),
        sandbox=None if sandbox is None else _text("sandbox", sandbox),
        origin=None if origin is None else _origin(origin),
        format=_text("format", name),
    )


def _origin(value: Any) -> Origin | PositionOrigin:
    if isinstance(value, dict) and "position" in value:
        position, move = _exactly(value, "position", "move")
        return PositionOrigin(_mapping("position", position), _code(_text("move", move)))
    game, digest, line, move, fresh_from = _exactly(
        _mapping("origin", value), "game", "digest", "line", "move", optional=("fresh_from",)
    )
    return Origin(
        _identifier("game", game),
        _secret("digest", digest).hex(),
        _whole("line", line),
        _code(_text("move", move)),
        None if fresh_from is None else _whole("fresh_from", fresh_from),
    )


@lru_cache(maxsize=1 << 15)
def _code(text: str) -> int:
    code = parse_move(text).code
    if move_text(code) != text:
        raise ValueError(f"{text!r} is not how a move is written")
    return code


def _codes(name: str, value: Any) -> tuple[int, ...]:
    _check(name, holds=isinstance(value, list), expected="a list of moves")
    return tuple([_code(_text(name, item)) for item in value])


def _decision(plain: _Fields) -> LogDecision:
    seat, legal, may_lift, move, by, ms, bank_ms = _exactly(
        plain, "seat", "legal", "may_lift", "move", "by", "ms", "bank_ms"
    )
    _check("by", holds=by in get_args(By), expected=" or ".join(get_args(By)))
    return LogDecision(
        seat=_whole("seat", seat),
        legal=_codes("legal", legal),
        may_lift=_codes("may_lift", may_lift),
        move=_code(_text("move", move)),
        by=by,
        ms=_milliseconds("ms", ms),
        bank_ms=_milliseconds("bank_ms", bank_ms),
    )


def _fault(plain: _Fields) -> LogFault:
    seat, kind, message, done, sent, decision = _exactly(
        plain, "seat", "kind", "message", "done", optional=("sent", "decision")
    )
    return LogFault(
        seat=_whole("seat", seat),
        kind=_text("kind", kind),
        message=_text("message", message),
        done=_text("done", done),
        sent=None if sent is None else _text("sent", sent),
        decision=None if decision is None else _mapping("decision", decision),
    )


def _end(plain: _Fields) -> LogEnd:
    totals, scores, places, faults, game_digest, file_digest, times, delay = _exactly(
        plain, "totals", "scores", "places", "faults", "game_digest", "file_digest",
        optional=("times_ms", "delay_ms"),
    )  # fmt: skip
    _check("times_ms", holds=times is None or isinstance(times, list), expected="an object for each seat")
    _check("scores", holds=isinstance(scores, list), expected="a list for each round")
    _check("faults", holds=isinstance(faults, list), expected="an object for each seat")
    counts = [_mapping("faults", count) for count in faults]
    return LogEnd(
        totals=_wholes("totals", totals),
        scores=tuple([_wholes("scores", score) for score in scores]),
        places=_wholes("places", places),
        faults=tuple([{kind: _whole("faults", many) for kind, many in count.items()} for count in counts]),
        game_digest=_text("game_digest", game_digest),
        file_digest=_text("file_digest", file_digest),
        times_ms=None if times is None else tuple([_figures("times_ms", seat) for seat in times]),
        delay_ms=None if delay is None else _figures("delay_ms", delay),
    )


def _seed_revealed(plain: _Fields) -> SeedRevealed:
    (seed,) = _exactly(plain, "seed")
    return SeedRevealed(_secret("seed", seed))


_KINDS: Final[dict[str, Callable[[_Fields], Record]]] = {
    "header": _header,
    "event": event_from_dict,
    "decision": _decision,
    "fault": _fault,
    "end": _end,
    "seed_revealed": _seed_revealed,
}

"""A log as a stream of plain objects for other programs: one for each thing that happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mtref.replay.encode import record_to_dict
from mtref.replay.reader import LogLine
from mtref_sdk.events import BoneyardStacked, HandDealt, RoundStarted

__all__ = ["objects"]


def objects(lines: Iterable[LogLine], seats: int) -> Iterator[dict[str, Any]]:
    """An object for each line, ``"event"`` first and ``"n"`` second; what is hidden is None.

    The lines of a deal become one ``round_started`` with ``hands`` by seat and ``boneyard`` in drawing order, and
    their sizes beside them. Lines that are no events carry the kind of line as their ``event``.
    """
    dealt: dict[str, Any] | None = None
    for line in lines:
        record = line.record
        if isinstance(record, RoundStarted):
            if dealt is not None:
                yield dealt
            dealt = _round_started(line.number, record, seats)
        elif isinstance(record, HandDealt) and dealt is not None:
            if record.seat < seats and record.tiles is not None:
                dealt["hands"][record.seat] = list(map(str, record.tiles))
        elif isinstance(record, BoneyardStacked) and dealt is not None:
            dealt["boneyard"] = list(map(str, record.tiles))
        else:
            if dealt is not None:
                yield dealt
                dealt = None
            yield _plain(line)
    if dealt is not None:
        yield dealt


def _round_started(number: int, record: RoundStarted, seats: int) -> dict[str, Any]:
    return {
        "event": record.name,
        "n": number,
        "round": record.round,
        "engine": record.engine,
        "starter": record.starter,
        "hands": [None] * seats,
        "boneyard": None,
        "hand_sizes": list(record.hand_sizes),
        "boneyard_size": record.boneyard,
    }


def _plain(line: LogLine) -> dict[str, Any]:
    plain = record_to_dict(line.record, line.number)
    kind, number = plain.pop("t"), plain.pop("n")
    return {"event": plain.pop("event", kind), "n": number, **plain}

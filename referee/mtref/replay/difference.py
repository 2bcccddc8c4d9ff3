"""The first difference in meaning between two logs, found line by line. How it is worded is in `contrast`.

What counts is what the ``game_digest`` covers, and the result: rule set, seats, every event, of a decision what was allowed
and what was chosen. Ids, names, commands, seeds, clocks, times, faults and who made a choice do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from mtref.replay.encode import meaning
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, SeedRevealed
from mtref_sdk.events import RoundEnded, RoundStarted, TurnStarted

__all__ = ["Difference", "Kind", "Place", "first_difference", "options_of"]

Kind = Literal["rules", "seats", "deal", "event", "legal", "choice", "decider", "length", "result"]
"""What differs. ``deal``: a hand, the boneyard, or how the round begins. ``decider``: who has to choose, or whether anybody
has to. ``length``: one log breaks off where the other goes on."""

_DEAL = frozenset({"round_started", "hand_dealt", "boneyard_stacked", "engine_search_drawn", "engine_laid"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the game: round and turn of the round, both from 1 and 0 before the first, and the seat on turn."""

    round_number: int = 0
    turn: int = 0
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs first, where, and the line of either log; None for one that has ended there.

    ``last`` are the numbers of the last lines that still agree, one for each log.
    """

    kind: Kind
    place: Place
    lines: tuple[LogLine | None, LogLine | None]
    last: tuple[int, int]


def first_difference(one: LogReader, two: LogReader) -> Difference | None:
    """The first difference between two logs just opened; None if there is none. Raises LogError.

    Reads both side by side and keeps no more than a line of each.
    """
    headers = (one.first, two.first)
    found = _of_headers(one.header, two.header)
    if found is not None:
        return Difference(found, Place(), headers, (0, 0))
    place, last = Place(), (1, 1)
    for first, second in zip_longest(_counting(one), _counting(two)):
        if first is None or second is None:
            return Difference("length", place, (first, second), last)
        if _said(first) != _said(second):
            return Difference(_kind(first, second), _entered(place, first, second), (first, second), last)
        place, last = _after(place, first), (first.number, second.number)
    return None


def _of_headers(one: LogHeader, two: LogHeader) -> Kind | None:
    if meaning(one) == meaning(two):
        return None
    return "seats" if options_of(one) == options_of(two) else "rules"


def options_of(header: LogHeader) -> dict[str, Any]:
    """The rule set's options without the name it started from, which means nothing."""
    return {key: value for key, value in header.rules.items() if key != "preset"}


def _counting(reader: LogReader) -> Iterator[LogLine]:
    """The lines that count."""
    return (line for line in reader if not isinstance(line.record, LogFault | SeedRevealed))


def _said(line: LogLine) -> dict[str, Any] | None:
    """What of a line counts."""
    record = line.record
    if isinstance(record, LogEnd):
        return {"t": "end", "totals": record.totals, "scores": record.scores, "places": record.places}
    return meaning(record)


def _kind(one: LogLine, two: LogLine) -> Kind:
    first, second = one.record, two.record
    if isinstance(first, LogDecision) and isinstance(second, LogDecision):
        if first.seat != second.seat:
            return "decider"
        same = (first.legal, first.may_lift) == (second.legal, second.may_lift)
        return "choice" if same else "legal"
    if isinstance(first, LogDecision) or isinstance(second, LogDecision):
        return "decider"
    if isinstance(first, LogEnd) or isinstance(second, LogEnd):
        return "result"
    return "deal" if {_name(one), _name(two)} <= _DEAL else "event"


def _name(line: LogLine) -> str:
    return str(getattr(line.record, "name", ""))


def _after(place: Place, line: LogLine) -> Place:
    """The place after a line that both logs have."""
    match line.record:
        case RoundStarted():
            return Place(line.record.round)
        case TurnStarted():
            return Place(place.round_number, place.turn + 1, line.record.seat)
        case RoundEnded() | LogEnd():
            return Place(place.round_number)
        case _:
            return place


def _entered(place: Place, one: LogLine, two: LogLine) -> Place:
    """The place of a difference: within what the lines begin, if both begin the same."""
    entered = {_after(place, one), _after(place, two)}
    return entered.pop() if len(entered) == 1 else place

"""``mtref-log/2``: it is read for ever, and written no more but to check what was. See docs/log-format.md, its end."""

from __future__ import annotations

from typing import Any, Final

from mtref.replay.decode import parse, record_from
from mtref.replay.encode import record_to_dict
from mtref.replay.formats.former import FormerWriting
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref_sdk.errors import ReplayError
from mtref_sdk.events import BoneyardStacked, TilePlayed
from mtref_sdk.moves import STOP_CODE, Move

__all__ = ["EVERY", "NAME", "Lines", "Writing"]

NAME: Final = "mtref-log/2"

EVERY: Final = 32
"""At the latest so many lines after a check sum stands the next."""
_SUMMED: Final = (LogHeader, BoneyardStacked, LogFault, LogEnd)


def _laid(choice: LogDecision | None) -> dict[str, Any]:
    """What the last decision tells of the tile that is played then; empty if nothing."""
    if choice is None or choice.move == STOP_CODE:
        return {}
    move = Move.from_code(choice.move)
    return {"seat": choice.seat, "tile": str(move.tile), "train": move.train}


class Writing(FormerWriting):
    """See `mtref.replay.formats.names.Writing`. Lines are without what the lines before them tell."""

    def __init__(self, lines: int = 0) -> None:
        super().__init__(lines)
        self._last: LogDecision | None = None
        self._banks: dict[int, Any] = {}

    def _plain(self, found: Record) -> dict[str, Any]:
        plain = record_to_dict(found, self._number)
        del plain["n"]
        if plain["t"] == "event":
            del plain["t"]
        if isinstance(found, LogDecision):
            self._last = found
            self._leave_out(found, plain)
        elif isinstance(found, TilePlayed):
            told = _laid(self._last)
            if told and told.items() <= plain.items():
                plain = {"event": plain["event"], "end": plain["end"]}
        return plain

    def _due(self, found: Record) -> bool:
        return isinstance(found, _SUMMED) or (
            self._number % EVERY == 0 and not isinstance(found, SeedRevealed)
        )

    def _leave_out(self, choice: LogDecision, plain: dict[str, Any]) -> None:
        if plain["ms"] is not None:
            plain["ms"] = round(float(plain["ms"]), 1)
        for name, usual in (("may_lift", []), ("by", "bot"), ("ms", None)):
            if plain[name] == usual:
                del plain[name]
        if plain["bank_ms"] is None:
            return
        if plain["bank_ms"] == self._banks.get(choice.seat):
            del plain["bank_ms"]
        else:
            self._banks[choice.seat] = plain["bank_ms"]


class Lines:
    """The records of the lines of one log, with what those before tell; check sums are not looked at."""

    def __init__(self) -> None:
        self._last: LogDecision | None = None
        self._banks: dict[int, Any] = {}

    def record(self, data: bytes, number: int) -> Record:
        """The record of the next line. Raises ReplayError without naming the line."""
        plain = parse(data, number)
        plain.pop("sum", None)
        kind = "event" if "event" in plain else plain.pop("t", None)
        if kind == "decision":
            self._last = self._decision(plain, number)
            return self._last
        if kind == "event" and plain.keys() == {"event", "end"}:
            told = _laid(self._last)
            if not told:
                raise ReplayError("event: tile_played: there is no decision before it that tells the tile")
            plain |= told
        return record_from(kind, plain, number)

    def _decision(self, plain: dict[str, Any], number: int) -> LogDecision:
        for name, usual in (("may_lift", []), ("by", "bot"), ("ms", None)):
            plain.setdefault(name, usual)
        seat = plain.get("seat")
        if type(seat) is int and seat in self._banks:
            plain.setdefault("bank_ms", self._banks[seat])
        found = record_from("decision", plain, number)
        assert isinstance(found, LogDecision)
        bank_ms: Any = found.bank_ms
        if bank_ms is not None:
            self._banks[found.seat] = bank_ms
        return found

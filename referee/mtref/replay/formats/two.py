"""``mtref-log/2``: lines without what the lines before them tell, and a check sum now and then. See docs/log-format.md."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, get_args

from mtref.replay.decode import parse, record_from
from mtref.replay.digest import GameDigest
from mtref.replay.encode import compact, record_to_dict
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref.replay.texts import decision_texts, event_texts, meaning_text
from mtref_sdk.errors import ReplayError
from mtref_sdk.events import BoneyardStacked, Event, TilePlayed
from mtref_sdk.moves import STOP_CODE, TRAINS, Move
from mtref_sdk.tiles import TILE_BY_CODE, Tile

__all__ = ["NAME", "Reading", "Writing", "record"]

NAME: Final = "mtref-log/2"

EVERY: Final = 32
"""At the latest so many lines after a check sum stands the next."""

_SUMMED: Final = frozenset([LogHeader, BoneyardStacked, LogFault, LogEnd])
"""Kinds of line that always have a check sum."""

_SUM_FIELD, _SUM_LENGTH = ',"sum":"', 8
_SUM_MARK: Final = _SUM_FIELD.encode("ascii")
_SUM_AT: Final = len(_SUM_MARK) + _SUM_LENGTH + len('"}\n')

_ENOUGH: Final = 256
"""Meanings that the digest covers together: many at once cost less."""

_EVENTS: Final[frozenset[type[Any]]] = frozenset(get_args(Event)) - {TilePlayed, BoneyardStacked}
"""Kinds of line that are written without a look at any other, or at how many there are."""


@lru_cache(1 << 14)
def _laid(seat: int, code: int) -> tuple[int, Tile, str] | None:
    """What the move with this code lays, and where; None for one that lays nothing."""
    return None if code == STOP_CODE else (seat, TILE_BY_CODE[code >> 6], TRAINS[code >> 1 & 31])


class Writing:
    """See `mtref.replay.formats.names.Writing`."""

    def __init__(self, lines: int = 0) -> None:
        self._number = lines
        self._file, self._game = hashlib.sha256(), GameDigest()
        self._meant: list[str] = []  # that the digest does not cover yet
        self._last: tuple[int, Tile, str] | None = None  # what the last decision lays
        self._banks: dict[int, Any] = {}

    def add(self, records: Sequence[Record]) -> bytes:
        """Lines of the same records are the same whether they are added one by one or together."""
        lines: list[str] = []
        meant = self._meant
        summed = []  # places of lines that get a check sum, whatever their number
        found: Any
        for found in records:
            kind: type[Any] = type(found)
            if kind in _EVENTS:
                try:
                    line, meaning = found.texts  # mostly it is kept: no call
                except AttributeError:
                    line, meaning = event_texts(found)
            elif kind is LogDecision:
                line, meaning = self._decision(found)
            elif kind is TilePlayed:
                line, meaning = self._played(found)
            else:
                if kind in _SUMMED:
                    summed.append(len(lines))
                line, meaning = _seldom(found)
            lines.append(line)
            meant.append(meaning)
        if len(meant) > _ENOUGH:
            self._digest()
        before = self._number
        self._number += len(lines)
        if summed or self._number // EVERY > before // EVERY:
            places = {*summed, *range((-before - 1) % EVERY, len(lines), EVERY)}
            return self._summed(lines, [at for at in sorted(places) if type(records[at]) is not SeedRevealed])
        data = "".join(lines).encode("ascii")
        self._file.update(data)
        return data

    def _summed(self, lines: Sequence[str], places: Sequence[int]) -> bytes:
        """Lines as bytes, those at these places with a check sum: the beginning of the SHA-256 over all bytes of the file before it."""
        pieces: list[bytes] = []
        done = 0
        for at in places:
            before = "".join(lines[done : at + 1])[:-2].encode("ascii")  # less the end of an object
            self._file.update(before)
            field = f'{_SUM_FIELD}{self._file.hexdigest()[:_SUM_LENGTH]}"}}\n'.encode("ascii")
            self._file.update(field)
            pieces += (before, field)
            done = at + 1
        rest = "".join(lines[done:]).encode("ascii")
        self._file.update(rest)
        pieces.append(rest)
        return b"".join(pieces)

    def _played(self, found: TilePlayed) -> tuple[str, str]:
        texts = event_texts(found)
        told = (found.seat, found.tile, found.train) == self._last
        return (f'{{"event":"tile_played","end":{found.end}}}\n', texts[1]) if told else texts

    def _decision(self, choice: LogDecision) -> tuple[str, str]:
        seat = choice.seat
        bank_ms: Any = choice.bank_ms  # also compiled, a whole number stays one
        self._last = _laid(seat, choice.move)
        known = self._banks.get(seat)
        if bank_ms is None:
            return decision_texts(choice, ',"bank_ms":null')
        if bank_ms != known:
            bank_ms = round(bank_ms, 3)
            if bank_ms != known:
                self._banks[seat] = bank_ms
                return decision_texts(choice, f',"bank_ms":{bank_ms!r}')
        return decision_texts(choice, "")

    def _digest(self) -> None:
        self._game.add_text("".join(self._meant))
        self._meant.clear()

    def game_digest(self) -> str:
        """The digest of the game so far."""
        self._digest()
        return self._game.hexdigest()

    def file_digest(self) -> str:
        """The SHA-256 over all lines so far."""
        return self._file.hexdigest()


def _seldom(found: Record) -> tuple[str, str]:
    """A record as a line and by its meaning."""
    if isinstance(found, BoneyardStacked):
        return event_texts(found)
    plain = record_to_dict(found, 0)
    del plain["n"]
    return compact(plain) + "\n", meaning_text(found)


def record(data: bytes, number: int) -> Record:
    """The record of line `number`, if it needs none of those before it. Raises ReplayError without naming the line."""
    return Reading().unchecked(data, number)


class Reading:
    """See `mtref.replay.formats.names.Reading`. Check sums are compared."""

    def __init__(self) -> None:
        self._file = hashlib.sha256()
        self._since = 1  # the first line that no check sum has covered yet
        self._last: LogDecision | None = None
        self._banks: dict[int, Any] = {}

    def record(self, data: bytes, number: int) -> Record:
        """The record of the next line."""
        found = self.unchecked(data, number)
        if not data[-_SUM_AT:].startswith(_SUM_MARK):
            self._file.update(data)
            return found
        self._file.update(data[:-_SUM_AT])
        if self._file.hexdigest()[:_SUM_LENGTH].encode("ascii") != data[-_SUM_LENGTH - 3 : -3]:
            raise ReplayError(self._damaged(number))
        self._since = number + 1
        self._file.update(data[-_SUM_AT:])
        return found

    def _damaged(self, number: int) -> str:
        if self._since == number:
            return "its check sum does not fit: the line was changed"
        lines = f"lines {self._since} to {number}"
        return f"the check sum of {lines} does not fit: one of them was changed, added or left out"

    def unchecked(self, data: bytes, number: int) -> Record:
        """The record of a line whose check sum is not looked at."""
        plain = parse(data, number)
        plain.pop("sum", None)
        kind = "event" if "event" in plain else plain.pop("t", None)
        if kind == "decision":
            self._last = self._decision(plain, number)
            return self._last
        if kind == "event" and plain.keys() == {"event", "end"}:
            self._fill(plain)
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

    def _fill(self, plain: dict[str, Any]) -> None:
        """A tile that was played as the last decision says, where the line tells no more than the new open end."""
        if self._last is None or self._last.move == STOP_CODE:
            raise ReplayError("event: tile_played: there is no decision before it that tells the tile")
        move = Move.from_code(self._last.move)
        plain |= {"seat": self._last.seat, "tile": str(move.tile), "train": move.train}

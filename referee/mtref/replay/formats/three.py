"""``mtref-log/3``: lines without what the lines before them tell, and a check sum now and then. See docs/log-format.md."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, get_args

from mtref.replay.decode import parse, record_from
from mtref.replay.digest import GameDigest
from mtref.replay.encode import compact, record_to_dict
from mtref.replay.formats.sums import sum_field
from mtref.replay.leftout import (
    BY_SEAT,
    BY_SEAT_AND_TRAIN,
    BY_TRAIN,
    DRAWN,
    PLAYED,
    TURN,
    WHOLE,
    Told,
    other_end,
)
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref.replay.texts import EventTexts, decision_texts, event_texts, meaning_text
from mtref_sdk.eventdict import event_to_dict
from mtref_sdk.events import BoneyardStacked, Event

__all__ = ["EVERY", "NAME", "Lines", "Writing"]

NAME: Final = "mtref-log/3"

EVERY: Final = 64
"""At the latest so many lines after a check sum stands the next."""

_SUMMED: Final = frozenset([LogHeader, BoneyardStacked, LogFault, LogEnd])
"""Kinds of line that always have a check sum."""

_EVENTS: Final[frozenset[type[Any]]] = frozenset(get_args(Event)) - {BoneyardStacked}

_ENOUGH: Final = 256
"""Meanings that the digest covers together: many at once cost less."""


class Writing:
    """See `mtref.replay.formats.names.Writing`. What it leaves out is what `Told.leave_out` would, only found sooner."""

    def __init__(self, lines: int = 0) -> None:
        self._number = lines
        self._file, self._game = hashlib.sha256(), GameDigest()
        self._meant: list[str] = []  # that the digest does not cover yet
        self._told = Told()

    def add(self, records: Sequence[Record]) -> bytes:
        """Lines of the same records are the same whether they are added one by one or together."""
        lines: list[str] = []
        meant = self._meant
        summed = []  # places of lines that get a check sum, whatever their number
        told = self._told
        found: Any
        for found in records:
            kind: type[Any] = type(found)
            if kind is LogDecision:
                told.chosen = found.move >> 1
                bank_ms = found.bank_ms
                same = bank_ms is not None and bank_ms == told.banks.get(found.seat)
                line, meaning = decision_texts(found, "" if same else self._bank(found))
            elif kind in _EVENTS:
                try:
                    texts: EventTexts = found.texts  # mostly they are kept: no call
                except AttributeError:
                    texts = event_texts(found)
                line, meaning, short, way, key = texts
                if way == BY_SEAT and key == told.turn:
                    line = short
                elif way == TURN and key == told.next:
                    line = short
                    told.turn, told.next = key, (key + 1) % told.seats
                elif way != WHOLE:
                    line = self._line(found, texts)
                else:
                    told.hear(found)
            else:
                if kind in _SUMMED:
                    summed.append(len(lines))
                line, meaning = _whole(found), meaning_text(found)
                told.hear(found)
            lines.append(line)
            meant.append(meaning)
        if len(meant) > _ENOUGH:
            self._digest()
        return self._bytes(lines, summed, records)

    def _bytes(self, lines: Sequence[str], summed: Sequence[int], records: Sequence[Record]) -> bytes:
        before = self._number
        self._number += len(lines)
        places: list[int] = []
        if summed or self._number // EVERY > before // EVERY:
            due = {*summed, *range((-before - 1) % EVERY, len(lines), EVERY)}
            places = [at for at in sorted(due) if type(records[at]) is not SeedRevealed]
        pieces: list[bytes] = []
        done = 0
        for at in places:
            piece = "".join(lines[done : at + 1])[:-2].encode("ascii")  # less the end of an object
            self._file.update(piece)
            field = sum_field(self._file.hexdigest())
            self._file.update(field)
            pieces += (piece, field)
            done = at + 1
        rest = "".join(lines[done:]).encode("ascii")
        self._file.update(rest)
        pieces.append(rest)
        return b"".join(pieces)

    def _line(self, found: Any, texts: EventTexts) -> str:
        """The line of an event that may leave something out; and what it tells is told."""
        _, _, short, way, key = texts
        told = self._told
        if way == PLAYED and key == told.chosen << 4 | told.turn:
            end, train = found.end, told.chosen & 31
            if end == other_end(told.chosen >> 5, told.ends[train]):
                told.ends[train], told.train = end, train
                return short
        elif way == BY_TRAIN and key == told.train << 4:
            return short
        elif way == DRAWN and key == told.boneyard[told.drawn] << 9 | told.turn:
            told.drawn += 1
            return short
        elif way == BY_SEAT_AND_TRAIN and key == told.train << 4 | told.turn:
            return short
        return self._partly(found)

    def _bank(self, choice: LogDecision) -> str:
        """The last field of a decision, if it cannot be left out; empty if, when rounded, it can."""
        bank_ms: Any = choice.bank_ms  # also compiled, a whole number stays one
        if bank_ms is None:
            return ',"bank_ms":null'
        bank_ms = round(bank_ms, 3)
        if bank_ms == self._told.banks.get(choice.seat):
            return ""
        self._told.banks[choice.seat] = bank_ms
        return f',"bank_ms":{bank_ms!r}'

    def _partly(self, found: Event) -> str:
        """The line of an event that leaves out something, but not everything; and what it tells is told."""
        plain = event_to_dict(found)
        self._told.leave_out(found.name, plain)
        self._told.hear(found)
        return compact(plain) + "\n"

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


def _whole(found: Record) -> str:
    """The line of a record of which nothing is left out."""
    if isinstance(found, BoneyardStacked):
        return event_texts(found)[0]
    plain = record_to_dict(found, 0)
    del plain["n"]
    return compact(plain) + "\n"


class Lines:
    """The records of the lines of one log, with what those before tell; check sums are not looked at."""

    def __init__(self) -> None:
        self._told = Told()

    def record(self, data: bytes, number: int) -> Record:
        """The record of the next line. Raises ReplayError without naming the line."""
        plain = parse(data, number)
        plain.pop("sum", None)
        kind = "event" if "event" in plain else plain.pop("t", None)
        name = plain["event"] if kind == "event" else kind
        if isinstance(name, str):
            self._told.fill(name, plain)
        found = record_from(kind, plain, number)
        self._told.hear(found)
        return found

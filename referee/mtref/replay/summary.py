"""What a log comes to: who played, how it ended, what went wrong. Read in one pass, and only the lines that tell it.

Nothing is checked beyond that a line can be read; whether a log is true is for `verify`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mtref.match.standing import counted_totals
from mtref.replay.reader import LogReader
from mtref.replay.records import BotInfo, LogEnd, LogFault, LogHeader
from mtref_sdk.errors import ReplayError
from mtref_sdk.events import RoundEnded

__all__ = ["FaultCount", "LogSummary", "SeatSummary", "summarize"]

_OTHERS: Final = (
    rb'|"t":"(?:fault|end)",.*|"event":"round_ended",.*|"t":"event","n":\d+,"event":"round_ended".*'
)
_TELLING: Final = re.compile(
    rb'\n\{(?:"t":"decision",(?:"n":\d+,)?"seat":(\d),.*,"move":"[^"]+"(?:,"by":"\w+")?(?:,"ms":(null|[0-9.e+-]+))?'
    + _OTHERS
    + rb")"
)
"""The lines that tell something, as each version of the format writes them; of a decision seat and time.

It begins with the end of the line before: an expression that begins with plain bytes is searched for three times as fast.
"""


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How many faults of a kind a seat had, and the line of the first."""

    times: int
    line: int


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A seat of a game. ``total`` is what it has so far when the game has no end, and then ``place`` and ``behind`` are None.

    ``behind`` is by how many points it has more than the winner, and for a winner itself, than the next: negative or 0. A seat
    that forfeited counts there with the highest total of the table (`mtref.match.standing`). ``slowest_ms`` is the longest
    time charged, and stands in line ``slowest_line``; both None when no decision was timed.
    """

    seat: int
    bot: BotInfo
    total: int
    place: int | None
    behind: int | None
    decisions: int
    slowest_ms: float | None
    slowest_line: int | None
    faults: Mapping[str, FaultCount]
    forfeited: bool


@dataclass(frozen=True, slots=True)
class LogSummary:
    """A game. ``changed`` is when the file was last written, in seconds since 1970; ``rounds`` are those that ended."""

    path: Path
    changed: float
    game: str
    deal: str
    preset: str
    rounds: int
    finished: bool
    seats: tuple[SeatSummary, ...]


@dataclass(slots=True)
class _Seat:
    """What has been seen of a seat so far."""

    decisions: int = 0
    slowest_ms: float | None = None
    slowest_line: int | None = None
    faults: dict[str, FaultCount] = field(default_factory=dict)
    forfeited: bool = False

    def decided(self, number: int, ms: float | None) -> None:
        self.decisions += 1
        if ms is not None and (self.slowest_ms is None or ms > self.slowest_ms):
            self.slowest_ms, self.slowest_line = ms, number

    def failed(self, number: int, fault: LogFault) -> None:
        before = self.faults.get(fault.kind)
        self.faults[fault.kind] = (
            FaultCount(before.times + 1, before.line) if before else FaultCount(1, number)
        )
        self.forfeited |= fault.done == "forfeit"


def summarize(path: Path, wanted: Callable[[LogHeader], bool] = lambda _: True) -> LogSummary | None:
    """The log at `path` in short; None, and no more than its header is read, when that is not `wanted`.

    Needs memory for a line, whatever the size of the file. Raises ReplayError.
    """
    with LogReader(path) as reader:
        header = reader.header
        if not wanted(header):
            return None
        return _read(reader, header)


def _read(reader: LogReader, header: LogHeader) -> LogSummary:
    seats = [_Seat() for _ in range(header.seats)]
    totals: tuple[int, ...] = (0,) * header.seats
    rounds = 0
    end: LogEnd | None = None
    written = hashlib.sha256(reader.first.data)
    before = 1  # so many lines
    for block in reader.blocks():
        text, number, at = b"\n" + block, before, 0
        for found in _TELLING.finditer(text):
            number += text.count(b"\n", at, found.start() + 1)
            at = found.start() + 1
            try:
                if found[1] is not None:
                    ms = found[2]
                    seats[int(found[1])].decided(number, None if ms in {None, b"null"} else float(ms))
                    continue
                record = reader.format.single(found[0], number)
                if isinstance(record, RoundEnded):
                    rounds, totals = rounds + 1, record.totals
                elif isinstance(record, LogFault):
                    seats[record.seat].failed(number, record)
                elif isinstance(record, LogEnd):
                    end, totals = record, record.totals
                    written.update(block[: found.start()])
                    if written.hexdigest() != end.file_digest:
                        raise ReplayError("what stands before it was changed: `mtref verify` tells where")
            except (IndexError, ValueError):
                raise reader.error(number, "is damaged") from None
            except ReplayError as error:
                raise reader.error(number, str(error)) from error
        before += block.count(b"\n")
        written.update(block)
    places = None if end is None else end.places
    if len(totals) != header.seats or (places is not None and len(places) != header.seats):
        raise reader.error(1, "the results are not those of as many seats")
    counted = counted_totals(totals, [seat.forfeited for seat in seats])
    return LogSummary(
        path=reader.path,
        changed=reader.path.stat().st_mtime,
        game=header.game,
        deal=header.deal,
        preset=str(header.rules.get("preset", "?")),
        rounds=rounds,
        finished=end is not None,
        seats=tuple(
            SeatSummary(
                seat=seat,
                bot=header.bots[seat],
                total=totals[seat],
                place=None if places is None else places[seat],
                behind=None if places is None else _behind(seat, counted),
                decisions=seen.decisions,
                slowest_ms=seen.slowest_ms,
                slowest_line=seen.slowest_line,
                faults=seen.faults,
                forfeited=seen.forfeited,
            )
            for seat, seen in enumerate(seats)
        ),
    )


def _behind(seat: int, counted: tuple[int, ...]) -> int:
    others = [total for other, total in enumerate(counted) if other != seat]
    return counted[seat] - min(others, default=counted[seat])

"""Playing a match in a test: real processes, real sockets, and everything that happened at hand afterwards."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.fault import LENIENT, FaultPolicy
from mtref.match.inprocess import play_in_process
from mtref.match.logs import LogPlace
from mtref.match.options import Limits, MatchOptions
from mtref.match.result import GameResult, MatchResult, SeatResult
from mtref.replay.records import LogFault, Record
from mtref.server.runner import MatchSetup, play_match
from mtref_sdk.ruleset import preset

__all__ = ["Played", "play", "play_here"]


@dataclass(slots=True)
class Played:
    """A match that was played."""

    result: MatchResult
    records: list[Record] = field(default_factory=list)

    @property
    def game(self) -> GameResult:
        """The first game."""
        return self.result.games[0]

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """The seats of the first game."""
        return self.game.seats

    def faults(self) -> list[tuple[int, str, str]]:
        """Seat, kind and consequence of every fault, in order."""
        return [(r.seat, r.kind, r.done) for r in self.records if isinstance(r, LogFault)]


def _options(
    rules: str = "playboard",
    games: int = 1,
    tables: int = 1,
    policy: FaultPolicy = LENIENT,
    clock: ClockSettings | None = None,
    skip_forced: bool = False,
    limits: Limits | None = None,
    **overrides: str,
) -> MatchOptions:
    chosen = preset(rules)
    return MatchOptions(
        chosen.with_overrides(overrides) if overrides else chosen,
        games=games,
        seed="test",
        clock=clock or ClockSettings(),
        tables=tables,
        policy=policy,
        skip_forced=skip_forced,
        limits=limits or Limits(),
    )


def play(
    entries: Sequence[Entry], setup: MatchSetup | None = None, /, log: str | None = None, **options: object
) -> Played:
    """Play over gRPC, perhaps into a `log`. Options are those of `MatchOptions`, rules by preset name, and options of the rules as texts."""
    records: list[Record] = []
    chosen = _options(**options)  # type: ignore[arg-type]
    job = play_match(chosen, entries, LogPlace(log, chosen.games), records.append, setup=setup)
    return Played(asyncio.run(job), records)


def play_here(entries: Sequence[Entry], **options: object) -> Played:
    """Play in this process; otherwise like `play`."""
    records: list[Record] = []
    result = play_in_process(_options(**options), entries, LogPlace(), time.perf_counter, records.append)  # type: ignore[arg-type]
    return Played(result, records)

"""A match over gRPC between bots that play the first legal move, measured from the first deal to the end of the last game.

Run as ``python -m`` with a JSON object, it plays, and prints what it found.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from mtref.bench.measure import Sample, cpu_seconds, run_child
from mtref.match.logs import LOG_DELAY, GameLog, LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.replay.records import LogEnd, LogHeader, Record
from mtref.server import runner
from mtref.server.affinity import pin
from mtref.server.link import Link
from mtref.server.member import Member
from mtref.server.pack import program
from mtref.server.runner import MatchSetup, play_match
from mtref_sdk.events import RoundEnded
from mtref_sdk.ruleset import preset

__all__ = ["Game", "play"]


@dataclass(frozen=True, slots=True)
class Game:
    """What is played. With a `core` referee and bots share that one. ``logs``: compressed ones, or none at all.

    At one table one game follows the other over the same processes.
    """

    bots: int = 2
    tables: int = 1
    games: int = 1
    rules: str = "playboard"
    options: Mapping[str, str] = field(default_factory=dict)
    logs: bool = True
    core: int | None = None


def play(game: Game) -> Sample:
    """What a decision costs: wall-clock µs, µs of processor time of referee and bots and of the referee alone, the
    messages and bytes that go each way; besides ``MB``, the referee's memory in the middle of the games, and the ``decisions`` of a game.
    """
    found: Sample = run_child(__spec__.name, asdict(game))
    return found


@dataclass(frozen=True)
class _Compressed(LogPlace):
    """A compressed log a game, as a ladder writes them."""

    def open(self, game: PlannedGame) -> GameLog:
        """The log of a game."""
        return GameLog(Path(str(self.target)) / f"{game.game}.jsonl.zst", delay=LOG_DELAY)


class _Traffic:
    """Counts what goes over the links of a match while it is one's context."""

    def __init__(self) -> None:
        self.sent = self.bytes_sent = self.received = self.bytes_received = 0
        traffic = self

        class Counting(Link):
            """A link that is counted."""

            def compose(self, now: float) -> bytes | None:
                data = super().compose(now)
                if data is not None:
                    traffic.sent += 1
                    traffic.bytes_sent += len(data)
                return data

            def received(self, data: bytes, now: float) -> None:
                traffic.received += 1
                traffic.bytes_received += len(data)
                super().received(data, now)

        self.counted = mock.patch.object(runner, "Member", partial(Member, link=Counting))


class _Meter:
    """Hears of the milestones of all games and takes the time at the first and at the last."""

    def __init__(self, game: Game) -> None:
        self._pids: list[int] = []
        self._going, self._rounds = game.games, 0
        rules = preset(game.rules).with_overrides(game.options)
        self.rules = rules
        self._middle = rules.rounds * min(game.tables, game.games) // 2
        self.started: tuple[float, ...] = ()
        self.ended: tuple[float, ...] = ()
        self.bytes_resident = 0

    def note(self, word: str, **facts: Any) -> None:
        """A process started or ended."""
        if word == "process started":
            self._pids.append(facts["pid"])

    def record(self, record: Record) -> None:
        """A game began, or a round or a game was over."""
        if isinstance(record, LogHeader) and not self.started:
            self.started = self._now()
        elif isinstance(record, RoundEnded):
            self._rounds += 1
            if self._rounds == self._middle:
                pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
                self.bytes_resident = pages * os.sysconf("SC_PAGE_SIZE")
        elif isinstance(record, LogEnd):
            self._going -= 1
            if not self._going:
                self.ended = self._now()

    def _now(self) -> tuple[float, ...]:
        return time.perf_counter(), time.process_time(), cpu_seconds(self._pids)


async def _play(game: Game, folder: str) -> Sample:
    meter, traffic = _Meter(game), _Traffic()
    logs = _Compressed(f"{folder}/", game.games) if game.logs else LogPlace()
    options = MatchOptions(meter.rules, games=game.games, seed="bench", tables=game.tables)
    entries = [program("first", "first_legal.py")] * game.bots
    setup = MatchSetup(keeps_bots=True)
    with traffic.counted:
        result = await play_match(options, entries, logs, meter.record, note=meter.note, setup=setup)
    if any(bot.faults for bot in result.bots):
        raise RuntimeError(f"bots failed, and the figures are worth nothing: {result.bots}")
    decisions = sum(bot.decisions for bot in result.bots)
    wall, own, bots = (end - begin for begin, end in zip(meter.started, meter.ended, strict=True))
    return {
        "wall µs": wall / decisions * 1e6,
        "CPU µs": (own + bots) / decisions * 1e6,
        "referee's": own / decisions * 1e6,
        "messages": (traffic.sent + traffic.received) / decisions,
        "bytes out": traffic.bytes_sent / decisions,
        "bytes back": traffic.bytes_received / decisions,
        "MB": meter.bytes_resident / 1e6,
        "decisions": decisions / game.games,
    }


def _main() -> None:
    game = Game(**json.loads(sys.argv[1]))
    if game.core is not None:
        pin(game.core)
    found = asyncio.run(_play(game, tempfile.mkdtemp()))  # `in_turn` removes the logs
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _main()

"""Games between links and imagined bots in this process, without streams, for what can be counted instead of timed: messages,
bytes on the wire and in logs, and the referee's function calls for each decision. The machine's mood changes none of them.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, cast

from mtref.bench.measure import Sample, Table
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import draw_master_seed, plan_games
from mtref.match.table import TableRun
from mtref.replay.compress import compress_file
from mtref.replay.records import BotInfo
from mtref.server.host import Host
from mtref.server.link import Link
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.ruleset import preset

__all__ = ["Counts", "count", "measure"]

BOTS = 2


@dataclass(slots=True)
class Counts:
    """What a few games needed. ``calls`` are those of Python functions; messages and bytes are named as the referee sees them.

    ``bytes_logged`` is the size of the logs, ``bytes_kept`` their size once they are compressed.
    """

    decisions: int = 0
    sent: int = 0
    received: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0
    calls: int = 0
    bytes_logged: int = 0
    bytes_kept: int = 0

    def per_decision(self) -> dict[str, float]:
        """Everything but the decisions, each for one decision."""
        return {
            "messages": (self.sent + self.received) / self.decisions,
            "bytes to bots": self.bytes_sent / self.decisions,
            "bytes from bots": self.bytes_received / self.decisions,
            "function calls": self.calls / self.decisions,
            "log bytes": self.bytes_logged / self.decisions,
            "log bytes, compressed": self.bytes_kept / self.decisions,
        }


def count(tables: int) -> Counts:
    """Play as many fixed games side by side over the same two bots, which answer whatever a message asks with one message.

    The same every time, but for a few bytes where a random number happens to be short. One game goes before and is not counted, as
    the first of a process does what is done once.
    """
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_play(1, LogPlace(f"{folder}/before/")))
        return asyncio.run(_play(tables, LogPlace(f"{folder}/counted/", tables)))


async def _play(tables: int, logs: LogPlace) -> Counts:
    counts = Counts()
    waiting: deque[int] = deque()  # links that have something to write
    options = MatchOptions(preset("playboard"), games=tables, seed="counts", tables=tables)
    logs.prepare()
    links = [_link(waiting, bot, options) for bot in range(BOTS)]
    opened = []
    hosts = []
    for planned in plan_games(draw_master_seed("counts"), BOTS, tables):
        log = logs.open(planned)
        opened.append(log)
        run = TableRun(planned, options, [BotInfo("", "", None)] * BOTS, log.take)
        hosts.append(Host(run, [links[bot] for bot in planned.bots]))
    for host in hosts:
        _counted(counts, host.begin)
    while waiting:
        link = links[waiting.popleft()]
        data = _counted(counts, link.compose, time.monotonic())
        if data is None:
            continue
        counts.sent += 1
        counts.bytes_sent += len(data)
        asked = [update for update in pb.FromReferee.FromString(data).updates if update.HasField("decision")]
        if asked:
            answer = _answer(asked)
            counts.decisions += len(asked)
            counts.received += 1
            counts.bytes_received += len(answer)
            _counted(counts, link.received, answer, time.monotonic())
    for log, host in zip(opened, hosts, strict=True):
        await host.done
        log.close()
        _weigh(counts, cast("Path", log.path))
    return counts


def _weigh(counts: Counts, log: Path) -> None:
    compressed = log.with_name(log.name + ".zst")
    compress_file(log, compressed)
    counts.bytes_logged += log.stat().st_size
    counts.bytes_kept += compressed.stat().st_size


def _link(waiting: deque[int], bot: int, options: MatchOptions) -> Link:
    def changed() -> None:
        if bot not in waiting:
            waiting.append(bot)

    return Link(changed, changed, options)


def _answer(asked: list[pb.TableUpdate]) -> bytes:
    return pb.FromBot(
        answers=[
            pb.Answer(table=update.table, decision=update.decision.id, move=update.decision.legal[0])
            for update in asked
        ]
    ).SerializeToString()


def _counted(counts: Counts, job: Callable[..., Any], *facts: object) -> Any:
    """Do a job of the referee, and count the calls of functions written in Python."""

    def tell(_: FrameType, event: str, __: object) -> None:
        counts.calls += event == "call"

    sys.setprofile(tell)
    try:
        return job(*facts)
    finally:
        sys.setprofile(None)


def measure(*, quick: bool) -> list[Table]:
    """One table and many. Nothing here varies, so one pass is enough."""
    samples: dict[str, list[Sample]] = {
        f"{tables} at once": [count(tables).per_decision()] for tables in ((1, 4) if quick else (1, 16))
    }
    return [Table("Counts for a decision", "1 at once", ("function calls",), samples)]

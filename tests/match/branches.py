"""Branches of logs, for the tests of them: a decision to leave a game at, and the game played on in this process."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from mtref.match.branch import BranchRun, Trunk, read_trunk
from mtref.match.entry import parse_entry
from mtref.match.inprocess import Arranged, play_in_process
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import (
    LogDecision,
)
from mtref_sdk.moves import Move

__all__ = ["ROOT", "branch", "choice", "decisions_of", "lines_of", "other_move", "trunk_of"]

ROOT = Path(__file__).parent.parent.parent


def lines_of(path: Path) -> list[LogLine]:
    with LogReader(path) as reader:
        return [reader.first, *reader]


def decisions_of(path: Path) -> list[LogLine]:
    return [line for line in lines_of(path) if isinstance(line.record, LogDecision)]


def choice(path: Path, least: int = 2) -> tuple[int, LogDecision]:
    """A decision in the middle of the log at which there was something to choose."""
    found = [line for line in decisions_of(path) if len(line.record.legal) >= least]  # type: ignore[union-attr]
    line = found[len(found) // 2]
    assert isinstance(line.record, LogDecision)
    return line.number, line.record


def other_move(made: LogDecision) -> int:
    return next(code for code in made.legal if code != made.move & ~1)


def trunk_of(path: Path, at: int, code: int) -> Trunk:
    with LogReader(path) as reader:
        return read_trunk(reader, at, Move.from_code(code))


def branch(path: Path, at: int, code: int, out: Path, *names: str) -> Trunk:
    trunk = trunk_of(path, at, code)
    entries = [
        parse_entry(str(ROOT / f"bots/{name}.py")) for name in names or ["greedy"] * trunk.header.seats
    ]
    arranged = Arranged([trunk.planned(bytes(32))], partial(BranchRun, trunk), trunk.seed is not None)
    options = MatchOptions(trunk.rules)
    play_in_process(options, entries, LogPlace(str(out)), time.perf_counter, arranged=arranged)
    return trunk

"""Writes the golden logs of the current format: ``python -m tests.golden.make``. Existing files are never replaced.

A log here stands for those that users have. Once released it stays as it is for ever: if it no longer verifies,
the program is wrong, or it is a new format, which gets a folder of its own.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from mtref.match.branch import BranchRun, read_trunk
from mtref.match.entry import parse_entry
from mtref.match.inprocess import Arranged, play_in_process
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.placed import Opening, PlacedRun
from mtref.replay.position import position_after
from mtref.replay.reader import LogReader
from mtref.replay.records import FORMAT, LogDecision
from mtref_sdk.moves import Move
from mtref_sdk.ruleset import PRESET_NAMES, preset
from tests.replay.games import short, write_game

FOLDER = Path(__file__).parent / FORMAT.replace("/", "-")


def main() -> None:
    """Make what is missing: a short game of every preset, one that was broken off, and what was played on from one."""
    FOLDER.mkdir(exist_ok=True)
    for number, name in enumerate(PRESET_NAMES):
        fewest, most = preset(name).seats
        path = FOLDER / f"{name}.jsonl{('.zst', '.gz')[number % 2]}"
        if not path.exists():
            seats = fewest + number % (most - fewest + 1)
            write_game(path, short(name), seats=seats, seed=f"golden {name}", faulty=number % 3 == 0)
    for name, reveal, stop_after in (("unrevealed", False, None), ("broken-off", False, 12)):
        path = FOLDER / f"{name}.jsonl"
        if not path.exists():
            write_game(path, short(), seats=3, seed=f"golden {name}", reveal=reveal, stop_after=stop_after)
    _branches(FOLDER / "cubano-forgetful.jsonl.zst")


def _branches(log: Path) -> None:
    """What was played on from a log: the game itself, and the round from a position."""
    with LogReader(log) as reader:
        at, move = next(
            (line.number, Move.from_code(line.record.legal[-1]))
            for line in reader
            if line.number > 60 and isinstance(line.record, LogDecision) and len(line.record.legal) > 2
        )
    with LogReader(log) as reader:
        trunk = read_trunk(reader, at, move)
    with LogReader(log) as reader:
        opening = Opening(position_after(reader, at)[1], move)
    bots = [
        parse_entry("bots/greedy.py")
    ] * trunk.header.seats  # a path that is the same wherever this is run
    for name, arranged in {
        "branch.jsonl.gz": Arranged([trunk.planned()], partial(BranchRun, trunk)),
        "placed.jsonl.zst": Arranged([opening.planned("golden placed")], partial(PlacedRun, opening)),
    }.items():
        path = FOLDER / name
        if not path.exists():
            options = MatchOptions(trunk.rules)
            play_in_process(options, bots, LogPlace(str(path)), time.perf_counter, arranged=arranged)


if __name__ == "__main__":
    main()

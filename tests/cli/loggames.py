"""Games, bots and ways to run the command that the tests of commands about logs share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import BotInfo, LogDecision

__all__ = ["FIRST", "HERE", "HOSTILE", "PRINTS", "ROOT", "Run", "decisions", "plays_first"]

ROOT = Path(__file__).parent.parent.parent
HERE = ("--sandbox", "none")
HOSTILE = [BotInfo("\x1b[2J[bold]\n'''", "rm \u202e'''\".py"), BotInfo('"""\\', "")]

FIRST = """
from mtref_sdk import Bot, run


class First(Bot):
    def choose(self, decision):
        move = decision.legal_moves[0]
        return move


run(First())
"""

PRINTS = FIRST.replace("return move", 'print("see \\x1b[2J", flush=True); raise ValueError("bad")')

Run = Callable[..., tuple[int, str, str]]
"""Runs the command; gives back exit code, stdout and stderr."""


def decisions(path: Path, seat: int) -> list[LogLine]:
    with LogReader(path) as reader:
        return [line for line in reader if isinstance(line.record, LogDecision) and line.record.seat == seat]


def plays_first(line: LogLine) -> bool:
    return isinstance(line.record, LogDecision) and line.record.move == line.record.legal[0]

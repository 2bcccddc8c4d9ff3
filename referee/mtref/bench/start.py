"""The start: from typing ``mtref match`` to the first decision, at every level of isolation, against importing gRPC once.

And what it imports, which is the part of it that can be counted.
"""

from __future__ import annotations

import asyncio
import compileall
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import mtref
import mtref_sdk
from mtref.bench.imports import SUBJECTS, imported
from mtref.bench.measure import Sample, Table, in_turn
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.result import GameResult
from mtref.replay.records import LogHeader, Record
from mtref.server.pack import program
from mtref.server.runner import MatchSetup, play_match
from mtref.server.sandbox.levels import Level, Limits
from mtref.server.sandbox.report import examine
from mtref_sdk.ruleset import preset

__all__ = ["measure"]

FLOOR = "import grpc"
BOT = Path(__file__).with_name("firstmove.py")
MTREF = (sys.executable, "-c", "from mtref.cli.main import main; main()")
"""What the script ``mtref`` does."""


def measure(*, quick: bool) -> list[Table]:
    """Two bots with the shipped rules at each level that works here, and the help. Everything has been compiled before, as by pip."""
    for package in (mtref, mtref_sdk):
        compileall.compile_dir(Path(str(package.__file__)).parent, quiet=2)
    levels = [trial.level for trial in examine(Limits()).trials if trial.sandbox is not None]
    subjects: dict[str, Callable[[], Sample]] = {
        FLOOR: partial(_whole, (sys.executable, "-c", "import grpc")),
        "python alone": partial(_whole, (sys.executable, "-c", "")),
        "mtref --help": partial(_whole, (*MTREF, "--help")),
    }
    subjects |= {f"first decision, {level}": partial(_first_decision, level) for level in reversed(levels)}
    subjects["next game over the same processes"] = _next_game
    notes = (
        "goals: mtref --help within 150 ms, the first decision without sandbox within 400 ms, on a quiet machine",
    )
    modules = {subject: [{"modules": count}] for subject, count in imported().items()}
    return [
        Table("Start", FLOOR, ("ms", "CPU ms"), in_turn(subjects, 3 if quick else 9), notes),
        Table("Modules imported", SUBJECTS[0], (), modules),
    ]


def _whole(command: tuple[str, ...]) -> Sample:
    began, used = time.monotonic(), _processor_seconds()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {"ms": (time.monotonic() - began) * 1000, "CPU ms": (_processor_seconds() - used) * 1000}


def _first_decision(level: Level) -> Sample:
    command = (*MTREF, "match", str(BOT), str(BOT), "--sandbox", str(level), "--json")
    began, used = time.monotonic(), _processor_seconds()
    done = subprocess.run(command, check=True, capture_output=True)
    used = _processor_seconds() - used
    printed = "\n".join(line for one in json.loads(done.stdout)["incidents"] for line in one["output"])
    asked = min(float(text) for text in re.findall(r"first asked at ([\d.]+)", printed))
    return {"ms": (asked - began) * 1000, "CPU ms": used * 1000}


def _next_game() -> Sample:
    """From the end of a game to the deal of the next, when the bots stay, as in a ladder."""
    pauses: list[float] = []
    ended = 0.0

    def over(_: GameResult) -> None:
        nonlocal ended
        ended = time.monotonic()

    def record(found: Record) -> None:
        if isinstance(found, LogHeader) and ended:
            pauses.append(time.monotonic() - ended)

    options = MatchOptions(preset("playboard"), games=5, seed="bench")
    entries = [program("first", "first_legal.py")] * 2
    asyncio.run(
        play_match(options, entries, LogPlace(), record, over, setup=MatchSetup(keeps_bots=True)),
    )
    return {"ms": median(pauses) * 1000}


def _processor_seconds() -> float:
    """What children have used, with their own, once they have ended. So a match is counted whole: all processes, and its end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

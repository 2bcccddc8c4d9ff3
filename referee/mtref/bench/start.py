"""The start: from typing ``mtref match`` to the first decision, at every level of isolation, against importing gRPC once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mtref.bench.measure import Sample, Table, in_turn
from mtref.server.sandbox.levels import Level, Limits
from mtref.server.sandbox.report import examine

__all__ = ["measure"]

FLOOR = "import grpc"
BOT = Path(__file__).with_name("firstmove.py")
MTREF = (sys.executable, "-c", "from mtref.cli.main import main; main()")
"""What the script ``mtref`` does."""


def measure(*, quick: bool) -> list[Table]:
    """Two bots with the shipped rules at each level that works here, and the help."""
    levels = [trial.level for trial in examine(Limits()).trials if trial.sandbox is not None]
    subjects: dict[str, Callable[[], Sample]] = {
        FLOOR: partial(_whole, (sys.executable, "-c", "import grpc")),
        "python alone": partial(_whole, (sys.executable, "-c", "")),
        "mtref --help": partial(_whole, (*MTREF, "--help")),
    }
    subjects |= {f"first decision, {level}": partial(_first_decision, level) for level in reversed(levels)}
    notes = (
        "goals: mtref --help within 150 ms, the first decision without sandbox within 400 ms, on a quiet machine",
    )
    return [Table("Start", FLOOR, ("ms",), in_turn(subjects, 3 if quick else 9), notes)]


def _whole(command: tuple[str, ...]) -> Sample:
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {"ms": (time.monotonic() - began) * 1000}


def _first_decision(level: Level) -> Sample:
    command = (*MTREF, "match", str(BOT), str(BOT), "--sandbox", str(level), "--json")
    began = time.monotonic()
    done = subprocess.run(command, check=True, capture_output=True)
    printed = "\n".join(line for one in json.loads(done.stdout)["incidents"] for line in one["output"])
    asked = min(float(text) for text in re.findall(r"first asked at ([\d.]+)", printed))
    return {"ms": (asked - began) * 1000}

"""Measuring several things in turn, pass after pass, and setting them off against the one that is the floor. No subject lives here.

The machine's mood changes from minute to minute, and all subjects of a pass feel the same one: so ratios are taken within a
pass, and the median pass counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any
from unittest import mock

__all__ = ["Sample", "Spread", "Table", "cpu_seconds", "in_turn", "run_child"]

Sample = Mapping[str, float]
"""What one pass found about one subject: a number for each column."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The same thing measured several times: the median, the lowest and the highest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        return cls(median(values), min(values), max(values))

    def __str__(self) -> str:
        return f"{_short(self.median)} ({_short(self.low)}-{_short(self.high)})"


@dataclass(frozen=True, slots=True)
class Table:
    """Subjects, each with what every pass found. Columns in `compared` are also shown as ratios to the subject ``floor``."""

    title: str
    floor: str
    compared: tuple[str, ...]
    samples: Mapping[str, Sequence[Sample]]
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """Every column that a subject has, in the order in which they first appear."""
        return list(dict.fromkeys(key for passes in self.samples.values() for key in passes[0]))

    def value(self, subject: str, column: str) -> Spread | None:
        """What was found; None where the subject has no such column."""
        passes = self.samples[subject]
        return Spread.of([sample[column] for sample in passes]) if column in passes[0] else None

    def ratio(self, subject: str, column: str) -> Spread | None:
        """How much it is of the floor's in the same pass; None where there is nothing to compare."""
        passes, floors = self.samples[subject], self.samples[self.floor]
        if subject == self.floor or column not in self.compared or column not in passes[0]:
            return None
        return Spread.of(
            [sample[column] / floor[column] for sample, floor in zip(passes, floors, strict=True)]
        )

    def text(self) -> str:
        """The table for people: median and lowest to highest pass."""
        head = [""]
        for column in self.columns:
            head += [column, f"× {self.floor}"] if column in self.compared else [column]
        lines = [head, *(self._line(subject) for subject in self.samples)]
        widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
        rows = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
        )
        return "\n".join(
            [self.title, *(f"  {row.rstrip()}" for row in rows), *(f"  {n}" for n in self.notes)]
        )

    def _line(self, subject: str) -> list[str]:
        line = [subject]
        for column in self.columns:
            found = [self.value(subject, column)]
            if column in self.compared:
                found.append(self.ratio(subject, column))
            line += ["" if spread is None else str(spread) for spread in found]
        return line

    def to_mapping(self) -> dict[str, Any]:
        """The same as JSON-able facts: subject, column, then the median and the spread, and the ratio where there is one."""
        return {
            "title": self.title,
            "floor": self.floor,
            "subjects": {
                subject: {column: self._facts(subject, column) for column in passes[0]}
                for subject, passes in self.samples.items()
            },
            "notes": list(self.notes),
        }

    def _facts(self, subject: str, column: str) -> dict[str, float]:
        named = {"": self.value(subject, column), "ratio_": self.ratio(subject, column)}
        return {
            f"{prefix}{key}": getattr(spread, key)
            for prefix, spread in named.items()
            if spread is not None
            for key in ("median", "low", "high")
        }


def in_turn(subjects: Mapping[str, Callable[[], Sample]], passes: int) -> dict[str, list[Sample]]:
    """Measure every subject `passes` times; every second pass goes through them backwards.

    What they leave where TMPDIR says is removed at the end, and no sooner: before it makes a file, ext4 looks at every one that was
    removed in the last minute, and a ladder removes none.
    """
    found: dict[str, list[Sample]] = {name: [] for name in subjects}
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TMPDIR=folder):
        for number in range(passes):
            for name in list(subjects)[:: -1 if number % 2 else 1]:
                found[name].append(subjects[name]())
    return found


def cpu_seconds(pids: Iterable[int]) -> float:
    """The processor time these processes have used, all threads together, to the nanosecond.

    The number of a process's clock is what clock_getcpuclockid(3) gives, which Python has for threads only.
    """
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def run_child(module: str, facts: object, environment: Mapping[str, str | None] | None = None) -> Any:
    """Run a module with `facts` as its argument, as JSON; the JSON it prints. None unsets a variable of the environment."""
    env = {**os.environ, **(environment or {})}
    done = subprocess.run(
        [sys.executable, "-m", module, json.dumps(facts)],
        env={key: value for key, value in env.items() if value is not None},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

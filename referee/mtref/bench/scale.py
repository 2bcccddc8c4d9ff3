"""Growth: with more seats, more tables, and more referees side by side; and what a table takes of the referee's memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from mtref.bench.measure import Sample, Table, in_turn
from mtref.bench.play import Game, play
from mtref.text import plural

__all__ = ["measure"]

COSTS = ("wall µs", "CPU µs")
LARGE = "traditional"
"""The shipped rule set for two to ten seats."""


def measure(*, quick: bool) -> list[Table]:
    """Four tables of figures."""
    passes = 2 if quick else 5
    return [_seats(passes, quick=quick), _tables(passes, quick=quick), *_referees(passes, quick=quick)]


def _seats(passes: int, *, quick: bool) -> Table:
    subjects: dict[str, Callable[[], Sample]] = {
        f"{seats} seats": partial(
            play, Game(bots=seats, rules=LARGE, options={"rounds": "2" if quick else "6"})
        )
        for seats in (2, 4, 8, 10)
    }
    note = f"rules: {LARGE}; goal: less than 1.25 × 2 seats"
    return Table("More seats, one table", "2 seats", COSTS, in_turn(subjects, passes), (note,))


def _tables(passes: int, *, quick: bool) -> Table:
    subjects: dict[str, Callable[[], Sample]] = {
        plural(tables, "table"): partial(play, Game(tables=tables, games=max(tables, 4)))
        for tables in ((1, 8, 32) if quick else (1, 8, 32, 200))
    }
    samples = in_turn(subjects, passes)
    most = list(samples)[-1]
    number = int(most.split()[0])
    each = [
        (many["MB"] - one["MB"]) * 1000 / (number - 1)
        for many, one in zip(samples[most], samples["1 table"], strict=True)
    ]
    note = (
        f"memory of a table: {min(each):.0f} to {max(each):.0f} kB; goals: less than 1.25 × 1 table, 200 kB"
    )
    return Table("More tables, two bots", "1 table", COSTS, samples, (note,))


def _referees(passes: int, *, quick: bool) -> list[Table]:
    """None where there is one core."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        return []
    games = 4 if quick else 12

    def rate(tables: int, used: list[int]) -> Sample:
        setting = [Game(tables=tables, games=games * tables, core=core) for core in used]
        with ThreadPoolExecutor(len(used)) as threads:
            each = list(threads.map(play, setting))
        return {
            "decisions/s": sum(1e6 / one["wall µs"] for one in each),
            "CPU µs": sum(one["CPU µs"] for one in each) / len(each),
        }

    found = []
    for tables in (1, 16):
        of = plural(tables, "table")
        one, two = f"1 referee, {of}", f"2 referees, {of} each"
        subjects: dict[str, Callable[[], Sample]] = {
            one: partial(rate, tables, cores[-1:]),
            two: partial(rate, tables, cores),
        }
        title = "Referees side by side, each pinned to one core with its bots"
        notes = (
            "goal: at least 1.8 × the decisions; where others use the cores too, look at CPU µs instead",
        )
        found.append(Table(title, one, ("decisions/s", "CPU µs"), in_turn(subjects, passes), notes))
    return found

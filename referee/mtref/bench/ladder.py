"""A ladder of bots that think nothing: many tables at once over the same two processes, so that messages are shared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mtref.bench.measure import Sample, Table, in_turn
from mtref.bench.pingpong import play as bounce
from mtref.bench.play import Game, play
from mtref.bench.table import FLOOR, floor

__all__ = ["measure"]


def measure(*, quick: bool) -> list[Table]:
    """32, 64 and 128 tables, every game a deal of its own, clocks and compressed logs on."""
    passes, rounds, sizes = (2, 1, (8, 32)) if quick else (5, 2, (32, 64, 128))
    subjects: dict[str, Callable[[], Sample]] = {FLOOR: partial(bounce, floor(1000 if quick else 3000))}
    subjects |= {
        f"{tables} tables": partial(play, Game(tables=tables, games=tables * rounds)) for tables in sizes
    }
    title = "Many tables: a ladder of trivial bots over two processes"
    notes = ("goal: 60 µs of CPU for a decision, all processes together",)
    return [Table(title, FLOOR, ("wall µs", "CPU µs"), in_turn(subjects, passes), notes)]

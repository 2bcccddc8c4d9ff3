"""Logs: what digest, log and compression add to a decision, against what a decision of a ladder costs; and the size of a log."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from mtref.bench.alone import play_alone
from mtref.bench.measure import Sample, Table, in_turn
from mtref.bench.play import Game, play
from mtref.match.logs import LOG_DELAY, GameLog

__all__ = ["measure"]

LADDER = "ladder"

_TABLES = 32
"""As many as the processes of a ladder play at once at most."""


def measure(*, quick: bool) -> list[Table]:
    """What is added is measured at a table alone, in this process: in a ladder it would drown in the noise of the rest."""
    passes, tables, games = (2, 16, 5) if quick else (9, _TABLES, 25)
    rounds = 2 if quick else 8
    subjects: dict[str, Callable[[], Sample]] = {
        LADDER: partial(_ladder, Game(tables=tables, games=rounds * tables)),
        "ladder without logs": partial(_ladder, Game(tables=tables, games=rounds * tables, logs=False)),
        "digest alone": partial(_added, games, None),
        "log and digest": partial(_added, games, ".jsonl"),
        "log and digest, compressed": partial(_added, games, ".jsonl.zst"),
    }
    note = f"the ladder has {tables} tables; goal: logs and journal together below 0.10 of it"
    costs = Table("What logs add to a decision", LADDER, ("CPU µs",), in_turn(subjects, passes), (note,))
    return [costs, _sizes(2 if quick else 10)]


def _ladder(game: Game) -> Sample:
    return {"CPU µs": play(game)["CPU µs"]}


def _added(games: int, suffix: str | None) -> Sample:
    """Processor time a decision needs more than without any record; `suffix` None is without a file."""
    folder = Path(tempfile.mkdtemp(dir=os.environ["TMPDIR"]))  # `in_turn` removes it
    began = time.process_time()
    decisions = sum(play_alone(number, None) for number in range(games))
    between = time.process_time()
    for number in range(games):
        path = None if suffix is None else folder / f"{number}{suffix}"
        with closing(GameLog(path, delay=LOG_DELAY)) as log:
            play_alone(number, log.take)
    ended = time.process_time()
    return {"CPU µs": ((ended - between) - (between - began)) / decisions * 1e6}


def _sizes(games: int) -> Table:
    samples: dict[str, list[Sample]] = {"plain": [], "compressed": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(games):
            for kind, suffix in (("plain", ".jsonl"), ("compressed", ".jsonl.zst")):
                path = Path(folder) / f"{number}{suffix}"
                with closing(GameLog(path, delay=LOG_DELAY)) as log:
                    decisions = play_alone(number, log.take, "playboard-13", 4)
                size = path.stat().st_size
                samples[kind].append({"kB": size / 1000, "bytes a decision": size / decisions})
    title = f"The log of a game of 13 rounds with 4 seats, {games} games"
    return Table(title, "plain", ("kB",), samples, ("goal: about 20 kB or less, compressed",))

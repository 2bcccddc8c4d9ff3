"""The journal: how long the standings of a long ladder take, against reading the bare rows from the database."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from random import Random

from mtref.bench.measure import Sample, Table, in_turn
from mtref.ladder.journal import Journal
from mtref.ladder.listing import counted
from mtref.ladder.records import Bot, GameRecord, SeatRecord
from mtref.ladder.sqlite import JOURNAL_FILE, open_sqlite
from mtref.match.standing import places_of

__all__ = ["measure"]

FLOOR = "bare rows"
BOTS, SEATS, ROUNDS = 12, 4, 4
MEMORY = Path("/dev/shm")  # noqa: S108 - where a sync costs nothing; a folder of our own is made in it


def measure(*, quick: bool) -> list[Table]:
    """Made-up results of twelve bots, four at a table, a deal for every table that can be made of them."""
    games = 2_000 if quick else 100_000
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        journal = open_sqlite(Path(folder), create=True)
        began = time.perf_counter()
        _fill(journal, games)
        adding = (time.perf_counter() - began) / games * 1e6
        first = _timed(partial(counted, journal))
        subjects: dict[str, Callable[[], Sample]] = {
            FLOOR: partial(_timed, partial(_rows, Path(folder) / JOURNAL_FILE)),
            "standings": partial(_timed, partial(counted, journal)),
        }
        samples = in_turn(subjects, 2 if quick else 3)
        journal.close()
    notes = (
        f"handing in a result: {adding:.0f} µs, without a disk to wait for; the first standings: {first['s']:.2f} s",
        "goal: a million games in less than 5 s",
    )
    return [Table(f"Standings of {games:,} games", FLOOR, ("s",), samples, notes)]


def _timed(job: Callable[[], object]) -> Sample:
    began = time.perf_counter()
    job()
    return {"s": time.perf_counter() - began}


def _rows(path: Path) -> None:
    """What any computation from results must do at least: get and decode them."""
    with sqlite3.connect(path) as connection:
        for _, seats in connection.execute("SELECT deal, seats FROM games ORDER BY id"):
            json.loads(seats)
    connection.close()


def _fill(journal: Journal, games: int) -> None:
    bots = [Bot(f"bot{number}", f"{number:064x}", None, f"./bot{number}") for number in range(BOTS)]
    contract = {"seats": SEATS, "format": {"kind": "round-robin"}}
    journal.begin(contract, bots, bytes(32))
    rng = Random(1)  # noqa: S311 - made-up results
    tables = list(combinations(bots, SEATS))
    numbers = ((deal, table) for deal in range(games) for table in tables)
    for number, (deal, table) in enumerate(islice(numbers, games)):
        journal.add(_game(number, deal, table, rng))


def _game(number: int, deal: int, table: tuple[Bot, ...], rng: Random) -> GameRecord:
    scores = [tuple(rng.choice((0, rng.randrange(120))) for _ in range(ROUNDS)) for _ in table]
    totals = [sum(row) for row in scores]
    places = places_of(totals, [False] * SEATS)
    seats = tuple(
        SeatRecord(
            bot=bot.name,
            content=bot.content,
            scores=scores[seat],
            total=totals[seat],
            counted=totals[seat],
            place=places[seat],
            decisions=150,
            time_ms=rng.uniform(20, 80),
            longest_ms=rng.uniform(1, 9),
        )
        for seat, bot in enumerate(table)
    )
    log = f"logs/{number:064x}.jsonl.zst"
    digest = f"{rng.getrandbits(256):064x}"
    game = f"{rng.getrandbits(256):064x}"  # ids come in no order
    return GameRecord(game, deal, digest, seats, log, 0.5, "2026-01-02T03:04:05Z", "0.1.0")

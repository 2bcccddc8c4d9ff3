"""The journal: how long the standings of a million games take, against reading and decoding some of its rows."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random

from mtref.bench.measure import Sample, Table, in_turn
from mtref.ladder.journal import Journal
from mtref.ladder.listing import counted
from mtref.ladder.records import Bot, GameRecord, SeatRecord
from mtref.ladder.sqlite import JOURNAL_FILE, open_sqlite
from mtref.match.standing import places_of

__all__ = ["measure"]

BOTS, SEATS, ROUNDS = 12, 4, 4
MADE = 10
"""Deals whose results are made up; those of the others are copies of them."""


def measure(*, quick: bool) -> list[Table]:
    """Made-up results of twelve bots, four at a table; every table that can be made of them plays every deal."""
    deals, part = (MADE, 1) if quick else (2020, 10)
    floor = "bare rows" if part == 1 else f"bare rows, one in {part}"
    with tempfile.TemporaryDirectory() as folder:
        journal = open_sqlite(Path(folder), create=True)
        games = _fill(journal, Path(folder) / JOURNAL_FILE, deals)
        first = _timed(partial(counted, journal))
        subjects: dict[str, Callable[[], Sample]] = {
            floor: partial(_timed, partial(_rows, Path(folder) / JOURNAL_FILE, deals // part)),
            "standings": partial(_timed, partial(counted, journal)),
        }
        samples = in_turn(subjects, 2 if quick else 3)
        journal.close()
    notes = (
        f"the first standings, which add up all games and keep the sums: {first['s']:.1f} s ({first['CPU s']:.1f} s CPU)",
        "goal: a million games in less than 5 s",
    )
    return [Table(f"Standings of {games:,} games", floor, ("s", "CPU s"), samples, notes)]


def _timed(job: Callable[[], object]) -> Sample:
    wall, cpu = time.perf_counter(), time.process_time()
    job()
    return {"s": time.perf_counter() - wall, "CPU s": time.process_time() - cpu}


def _rows(path: Path, deals: int) -> None:
    """What any computation from results must do at least: get and decode them."""
    with sqlite3.connect(path) as connection:
        for _, seats in connection.execute("SELECT deal, seats FROM games WHERE deal <= ?", (deals,)):
            json.loads(seats)
    connection.close()


def _fill(journal: Journal, path: Path, deals: int) -> int:
    """Fill a new journal with the results of so many deals; how many games that makes."""
    bots = [Bot(f"bot{number}", f"{number:064x}", None, f"./bot{number}") for number in range(BOTS)]
    contract = {"seats": SEATS, "format": {"kind": "round-robin"}}
    journal.begin(contract, bots, bytes(32))
    rng = Random(1)  # noqa: S311 - made-up results
    tables = list(combinations(bots, SEATS))
    for deal in range(1, min(deals, MADE) + 1):
        journal.add_all([_game(deal * len(tables) + n, deal, table, rng) for n, table in enumerate(tables)])
    copy = """INSERT INTO games SELECT lower(hex(randomblob(32))), deal + ?, lower(hex(randomblob(32))),
        seats, log, seconds, at, mtref FROM games WHERE deal <= ?"""
    with sqlite3.connect(path) as connection:
        for before in range(MADE, deals, MADE):
            connection.execute(copy, (before, min(MADE, deals - before)))
    connection.close()
    return deals * len(tables)


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

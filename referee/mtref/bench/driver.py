"""The driver of a ladder: what it does for one game beside having it played, and so how many games it could keep track of."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from mtref.bench.alone import play_alone
from mtref.bench.measure import Sample, Table, in_turn
from mtref.bench.play import Game, play
from mtref.ladder.configfile import parse_config
from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.job import Answer, Job, JobGame, read_answer
from mtref.ladder.journal import open_journal
from mtref.ladder.records import SeatRecord
from mtref.ladder.runner import LadderRun
from mtref.match.logs import GameLog
from mtref.match.plan import draw_master_seed
from mtref.replay.records import Record, SeedRevealed

__all__ = ["measure"]

FLOOR = "a game in a ladder"
BOTS = 8
MANY = 32
TEXT = """\
name: driver
rules: playboard
seats: 2
seed: driver
deals: {deals}
concurrency: {tables}
sandbox: none
bots:
"""


def measure(*, quick: bool) -> list[Table]:
    """Games of two trivial bots against the driver's part in them, which ends with result and log safe on the disk."""
    passes, deals, tables = (2, 2, 8) if quick else (3, 12, 32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl.zst"
        with closing(GameLog(path)) as log:
            play_alone(0, lambda records: log.take(_without_seed(records)))
        subjects: dict[str, Callable[[], Sample]] = {
            FLOOR: partial(_played, Game(tables=tables, games=2 * tables)),
            "the driver's part": partial(_driven, deals, path.read_bytes(), 1),
            f"the same, {MANY} games end at once": partial(_driven, deals, path.read_bytes(), MANY),
        }
        samples = in_turn(subjects, passes)
    table = Table("The driver of a ladder, for one game", FLOOR, ("CPU ms", "wall ms"), samples)
    return [table]


def _without_seed(records: Sequence[Record]) -> list[Record]:
    """What a ladder's log has before its deal is over."""
    return [record for record in records if not isinstance(record, SeedRevealed)]


def _played(game: Game) -> Sample:
    found = play(game)
    return {f"{kind} ms": found[f"{kind} µs"] * found["decisions"] / 1000 for kind in ("CPU", "wall")}


def _driven(deals: int, log: bytes, tables: int) -> Sample:
    with tempfile.TemporaryDirectory() as name:
        bots = "".join(f"  - {{command: python, name: bot{number}}}\n" for number in range(BOTS))
        config = parse_config(TEXT.format(deals=deals, tables=tables) + bots, Path(name) / "ladder.yaml")
        with closing(open_journal(config, create=True)) as journal:
            journal.begin(contract_of(config), entered_bots(config), draw_master_seed(config.seed))
            ladder = LadderRun(config, journal, _Prompt(log), lambda _: None)
            wall, cpu = time.perf_counter(), time.process_time()
            ended = asyncio.run(ladder.run())
            used = {"CPU ms": time.process_time() - cpu, "wall ms": time.perf_counter() - wall}
    return {key: value / ended.played * 1000 for key, value in used.items()}


class _Prompt:
    """Referees that have played before they are asked: the same log for every game. They speak by lines, as processes do."""

    def __init__(self, log: bytes) -> None:
        self._log = log

    async def play(self, job: Job, hear: Callable[[Answer], None]) -> Answer:
        """See the port."""
        job.to_json()
        for game in job.games:
            hear(self._answer(job, game))
            await asyncio.sleep(0)
        return Answer()

    def _answer(self, job: Job, game: JobGame) -> Answer:
        Path(game.log).write_bytes(self._log)
        digest = hashlib.sha256(game.seed.encode()).hexdigest()
        bots = [job.bots[bot] for bot in game.bots]
        seats = tuple(SeatRecord(bot.name, bot.content, (40, 0, 9, 30), 79, 79, 1) for bot in bots)
        return read_answer(Answer(game.id, digest, seats, 0.1).to_json())

    async def close(self) -> None:
        """See the port."""

"""Referees that play in this process, quickly and without bots, and fail on demand: for tests of the runner's logic."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from mtref.ladder.job import Answer, Job, JobGame, seat_records
from mtref.ladder.referees import LostError
from mtref.match.logs import GameLog
from mtref.match.plan import PlannedGame
from mtref.match.result import GameResult
from mtref.match.table import TableRun
from mtref.replay.records import BotInfo
from mtref.rules import fairdeal

__all__ = ["TableReferees"]


class TableReferees:
    """Every bot plays its first legal move, but those whose name begins with ``last`` play their last.

    ``not_ready`` are the bots that do not start; ``lose`` says for each game whether the referee dies before it is over.
    ``attempts`` counts how often each game was begun, ``finished`` how often it was told; ``live`` and ``most`` count
    jobs at the same time.
    """

    def __init__(self) -> None:
        self.not_ready: set[str] = set()
        self.lose: Callable[[JobGame], bool] = lambda _: False
        self.after: Callable[[JobGame], object] = lambda _: None
        self.attempts: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.live = self.most = 0
        self.closed = False

    async def play(self, job: Job, hear: Callable[[Answer], None]) -> Answer:
        self.live += 1
        self.most = max(self.most, self.live)
        try:
            return await self._play(job, hear)
        finally:
            self.live -= 1

    async def _play(self, job: Job, hear: Callable[[Answer], None]) -> Answer:
        job = Job.from_json(job.to_json())
        blamed = tuple(number for number, bot in enumerate(job.bots) if bot.name in self.not_ready)
        if blamed:
            await asyncio.sleep(0)
            return Answer(reason="no game was played: it did not start", blamed=blamed)
        for game in job.games:
            self.attempts[game.id] += 1
            await asyncio.sleep(0)
            if self.lose(game):
                raise LostError("the referee process died")
            hear(self._game(job, game))
            self.finished[game.id] += 1
            await asyncio.sleep(0)  # until it is in the journal
            self.after(game)
        return Answer()

    async def close(self) -> None:
        self.closed = True

    def _game(self, job: Job, game: JobGame) -> Answer:
        seed, deal = bytes.fromhex(game.seed), str(game.deal)
        planned = PlannedGame(1, deal, game.shown, seed, fairdeal.commitment(seed, deal), game.bots)
        names = [job.bots[bot].name for bot in game.bots]
        log = GameLog(Path(game.log))
        table = TableRun(planned, job.options(), [BotInfo(name, name, None) for name in names], log.take)
        table.start()
        while not table.finished:
            if table.ask is None:
                table.advance()
            else:
                last = names[table.ask.seat].startswith("last")
                table.answer(table.ask.legal[-1 if last else 0], 1.0)
        log.close()
        result = GameResult.of(table, log.game_digest, str(log.path))
        return Answer(game.id, result.digest, seat_records(result, job.bots), 0.1)

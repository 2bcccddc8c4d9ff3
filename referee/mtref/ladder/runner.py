"""Runs a ladder: gives batches to referees, takes results into the journal, reveals seeds, and can stop at any moment."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from mtref.ladder.config import LadderConfig
from mtref.ladder.course import Course, Stage
from mtref.ladder.happenings import Began, Ended, Happening, Isolated, Lost
from mtref.ladder.job import Answer
from mtref.ladder.jobmaker import JobMaker
from mtref.ladder.journal import Journal
from mtref.ladder.listing import read_listing
from mtref.ladder.parking import Parking
from mtref.ladder.programme import Programme, check_deals
from mtref.ladder.records import ATTEMPTS
from mtref.ladder.referees import LostError, Referees
from mtref.ladder.results import Results
from mtref.ladder.roster import Roster
from mtref.ladder.schedule import Batch, ScheduledGame
from mtref.ladder.standings import Standings, standings
from mtref.ladder.sums import Sums
from mtref.ladder.tally import Tally
from mtref_sdk.errors import MtrefError

__all__ = ["LadderRun"]

_LOOK_SECONDS: Final = 0.5


class LadderRun:
    """One run over a journal that is held and begun. ``tally`` holds the sums over all games so far.

    `stop` lets running games finish; cancelling `run` ends them at once. Either way the next run goes on from there. An `endless`
    run ends only then: it waits for new versions, and meanwhile plays what tells neighbours apart. With `recompute` it does not
    believe sums that are kept in the journal.
    """

    def __init__(
        self,
        config: LadderConfig,
        journal: Journal,
        referees: Referees,
        tell: Callable[[Happening], None],
        *,
        endless: bool = False,
        recompute: bool = False,
    ) -> None:
        check_deals(config, journal)
        self.config, self.journal, self.referees, self.tell = config, journal, referees, tell
        self.roster = Roster(config, journal)
        self.course = Course(config, self.roster.bots, journal.master())
        self.stopping = False
        self._endless, self._recompute = endless, recompute
        self._parking = Parking(self.roster, journal.register, config.submissions.park_after, tell)
        self._results = Results(config, journal, self.course, self._parking, tell)
        self._programme = Programme(config, journal, self.roster, self.course, self._sums, endless=endless)
        self._playing = config.state / "playing"
        self._heard, self._kept = asyncio.Event(), asyncio.Event()
        self._begun: set[int] = set()
        self._left: dict[int, int] = {}
        self._planned = 0
        self._isolation = ""
        self._maker = JobMaker(config, self.course, self.roster, self._playing)

    @property
    def tally(self) -> Tally:
        """The sums over all games so far."""
        return self._results.count.tally

    def _sums(self) -> Sums:
        return self.tally.sums()

    def stop(self) -> None:
        """Begin no more games."""
        self.stopping = True

    def table(self) -> Standings:
        """The standings so far."""
        listing = read_listing(self.journal)
        return standings(self.tally.sums(), self.config.seats, listing.order_by, listing.shown)

    async def run(self) -> Ended:
        """Play what is left to play. Raises MtrefError when the journal or the disk fails."""
        began = time.monotonic()
        shutil.rmtree(self._playing, ignore_errors=True)  # games that were being played when a run was killed
        self._results.load(recompute=self._recompute)
        try:
            while not (self.stopping and (self._results.waiting or self._endless)):
                self._results.enter(self.roster.refresh())
                stage = self._programme.next(self._parking.parked)
                if stage is not None:
                    await self._play_stage(stage)
                elif self._endless:
                    await self._something_new()
                else:
                    break
        finally:
            await self.referees.close()
            shutil.rmtree(self._playing, ignore_errors=True)
        return self._ended(time.monotonic() - began)

    async def _something_new(self) -> None:
        """Until a version has come in, or the run is to stop."""
        while not self.stopping and not self.roster.changed():  # noqa: ASYNC110 - another process may enter it
            await asyncio.sleep(_LOOK_SECONDS)

    async def _play_stage(self, stage: Stage) -> None:
        """Play a stage, or as much of it as can be played before a version comes in or goes."""
        results = self._results
        self._planned += 0 if stage.number in self._begun else stage.games
        self._begun.add(stage.number)
        results.begin(stage, self.roster.active)
        self._left.pop(stage.number, None)
        over = self._planned - sum(self._left.values()) - results.waiting
        self.tell(Began(stage.number, self._programme.stage_count, self._planned, over))
        results.reveal()
        while results.waiting and not self.stopping and not self.roster.changed():
            before = results.waiting, self._parking.failures
            await self._pass(self.course.batches(stage))
            if before == (results.waiting, self._parking.failures):
                break  # whatever is left belongs to parked bots
        self._left[stage.number] = results.waiting
        if not results.waiting or not self.roster.changed():
            self._programme.leave(stage, over=not results.waiting)

    async def _pass(self, batches: Iterator[Batch]) -> None:
        """Offer every game that is not over once."""
        try:
            async with asyncio.TaskGroup() as tasks:
                keeper = tasks.create_task(self._keep())
                slots = [tasks.create_task(self._slot(batches)) for _ in range(self.config.concurrency)]
                await asyncio.wait(slots)
                keeper.cancel()
        except* MtrefError as group:
            raise next(error for error in _leaves(group)) from None

    async def _keep(self) -> None:
        """Keep results as they come, together what comes at the same time."""
        try:
            while True:
                await self._heard.wait()
                kept, self._kept = self._kept, asyncio.Event()
                self._heard.clear()
                self._results.keep()
                kept.set()
        finally:
            self._results.keep()

    async def _slot(self, batches: Iterator[Batch]) -> None:
        for batch in batches:
            if self.stopping:
                return
            games = [(game, self.course.id(game)) for game in batch.games]
            left = [(game, name) for game, name in games if name not in self._results.over]
            if left and not self._parked_at(batch):
                if self.roster.changed():
                    return
                await self._play(left)
                self._results.keep_block()

    def _parked_at(self, batch: Batch) -> bool:
        bots = batch.games[0].bots
        return not self.roster.active(bots) or any(
            self.course.bots[bot].name in self._parking.parked for bot in bots
        )

    async def _play(self, games: Sequence[tuple[ScheduledGame, str]]) -> None:
        """Play some games of one batch, again if the referee is lost."""
        left = {name: game for game, name in games}
        table = sorted(games[0][0].bots)
        last = Answer()
        for _ in range(ATTEMPTS):
            paths: dict[str, Path] = {}
            job = self._maker.job(left, table, paths)

            def hear(answer: Answer, paths: dict[str, Path] = paths) -> None:
                assert answer.game is not None
                self._results.hear(answer, left.pop(answer.game), paths[answer.game])
                self._heard.set()

            try:
                last = await self.referees.play(job, hear)
            except LostError as error:
                last = Answer(reason=str(error))
            if self._heard.is_set():
                await self._kept.wait()
            if last.isolation and last.isolation != self._isolation:
                self._isolation = last.isolation
                self.tell(Isolated(last.isolation))
            if not last.reason or last.blamed:
                break
            deals = tuple(game.deal for game in left.values())
            self.tell(Lost(last.reason, deals, tuple(bot.name for bot in job.bots)))
        blamed = tuple(self.course.bots[table[bot]].name for bot in last.blamed)
        for name, game in left.items():
            self._results.not_played(game, name, last.reason, blamed)
        for bot in blamed:
            self._parking.failed(bot, last.reason)

    def _ended(self, seconds: float) -> Ended:
        left, selftest = sum(self._left.values()), self._results.count.selftest
        return Ended(
            complete=not left and not self._results.given_up,
            stopped=self.stopping,
            games=self.tally.games,
            played=self._results.played,
            open=left,
            given_up=len(self._results.given_up),
            parked=tuple(self._parking.parked),
            conflicts=len(self.journal.conflicts()),
            compared=selftest.compared,
            discrepancies=tuple(map(str, selftest.discrepancies())),
            seconds=round(seconds, 3),
        )


def _leaves(group: BaseExceptionGroup[MtrefError]) -> Iterator[MtrefError]:
    """The errors of a group of groups."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error

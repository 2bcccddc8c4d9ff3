"""Runs a ladder: gives batches to referees, takes results into the journal, reveals seeds, and can stop at any moment."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from mtref.ladder.config import LadderConfig
from mtref.ladder.course import Course, Stage
from mtref.ladder.happenings import (
    Began,
    Conflicted,
    Ended,
    Happening,
    Isolated,
    Lost,
    Played,
    Revealed,
    Unplayed,
)
from mtref.ladder.job import Answer, log_name
from mtref.ladder.jobmaker import JobMaker
from mtref.ladder.journal import Journal, Outcome
from mtref.ladder.listing import read_listing
from mtref.ladder.parking import Parking
from mtref.ladder.programme import Programme, check_deals
from mtref.ladder.records import ATTEMPTS, GameRecord, NotPlayed
from mtref.ladder.referees import LostError, Referees
from mtref.ladder.reveal import keep_log, reveal_in_log
from mtref.ladder.roster import Roster
from mtref.ladder.schedule import Batch, ScheduledGame
from mtref.ladder.selftest import SelfTest
from mtref.ladder.sqljournal import now_text
from mtref.ladder.standings import Standings, standings
from mtref.ladder.tally import Tally
from mtref_sdk.errors import MtrefError

__all__ = ["LadderRun"]

_LOOK_SECONDS: Final = 0.5


class LadderRun:
    """One run over a journal that is held and begun. ``tally`` holds the sums over all games so far.

    `stop` lets running games finish; cancelling `run` ends them at once. Either way the next run goes on from there. An `endless`
    run ends only then: it waits for new versions, and meanwhile plays what tells neighbours apart.
    """

    def __init__(
        self,
        config: LadderConfig,
        journal: Journal,
        referees: Referees,
        tell: Callable[[Happening], None],
        *,
        endless: bool = False,
    ) -> None:
        check_deals(config, journal)
        self.config, self.journal, self.referees, self.tell = config, journal, referees, tell
        self.roster = Roster(config, journal)
        self.course = Course(config, self.roster.bots, journal.master())
        self.tally = Tally(config.seats)
        self.selftest = SelfTest(self.roster.bots)
        self.stopping = False
        self._endless = endless
        self._programme = Programme(
            config, journal, self.roster, self.course, lambda: self.tally, endless=endless
        )
        self._playing = config.state / "playing"
        self._over: set[str] = set()
        self._given_up: set[str] = set()
        self._open: dict[int, int] = {}
        self._parking = Parking(self.roster, journal.register, config.submissions.park_after, tell)
        self._revealed: set[int] = set()
        self._begun: set[int] = set()
        self._left: dict[int, int] = {}
        self._planned = self._played = 0
        self._mtref = version("mtref")
        self._isolation = ""
        self._maker = JobMaker(config, self.course, self.roster, self._playing)

    def stop(self) -> None:
        """Begin no more games."""
        self.stopping = True

    def table(self) -> Standings:
        """The standings so far."""
        listing = read_listing(self.journal)
        return standings(self.tally, listing.order_by, listing.shown)

    async def run(self) -> Ended:
        """Play what is left to play. Raises MtrefError when the journal or the disk fails."""
        began = time.monotonic()
        shutil.rmtree(self._playing, ignore_errors=True)  # games that were being played when a run was killed
        for game in self.journal.games():
            self._count(game)
        self._given_up = {game.id for game in self.journal.not_played() if game.attempts >= ATTEMPTS}
        self._over |= self._given_up
        self._revealed = {deal.deal for deal in self.journal.deals() if deal.seed}
        try:
            while not (self.stopping and (self._waiting or self._endless)):
                self.selftest.enter(self.roster.refresh())
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

    @property
    def _waiting(self) -> int:
        """The games of this stage that are not over."""
        return sum(self._open.values())

    async def _play_stage(self, stage: Stage) -> None:
        """Play a stage, or as much of it as can be played before a version comes in or goes."""
        self._planned += 0 if stage.number in self._begun else stage.games
        self._begun.add(stage.number)
        self.journal.commit({deal: self.course.commitment(deal).hex() for deal in stage.deals})
        self._open = dict.fromkeys(stage.deals, stage.games_a_deal)
        for game in (game for batch in self.course.batches(stage) for game in batch.games):
            if self.course.id(game) in self._over or not self.roster.active(game.bots):
                self._open[game.deal] -= 1
        self._left.pop(stage.number, None)
        over = self._planned - sum(self._left.values()) - self._waiting
        self.tell(Began(stage.number, self._programme.stage_count, self._planned, over))
        for deal, left in self._open.items():
            if not left and deal not in self._revealed:
                self._reveal(deal)
        while self._waiting and not self.stopping and not self.roster.changed():
            before = self._waiting, self._parking.failures
            await self._pass(self.course.batches(stage))
            if before == (self._waiting, self._parking.failures):
                break  # whatever is left belongs to parked bots
        self._left[stage.number] = self._waiting
        if not self._waiting or not self.roster.changed():
            self._programme.leave(stage, over=not self._waiting)

    async def _pass(self, batches: Iterator[Batch]) -> None:
        """Offer every game that is not over once."""
        try:
            async with asyncio.TaskGroup() as slots:
                for _ in range(self.config.concurrency):
                    slots.create_task(self._slot(batches))
        except* MtrefError as group:
            raise next(error for error in _leaves(group)) from None

    async def _slot(self, batches: Iterator[Batch]) -> None:
        for batch in batches:
            if self.stopping:
                return
            games = [(game, self.course.id(game)) for game in batch.games]
            left = [(game, name) for game, name in games if name not in self._over]
            if left and not self._parked_at(batch):
                if self.roster.changed():
                    return
                await self._play(left)

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
                self._take(answer, left.pop(answer.game), paths[answer.game])

            try:
                last = await self.referees.play(job, hear)
            except LostError as error:
                last = Answer(reason=str(error))
            if last.isolation and last.isolation != self._isolation:
                self._isolation = last.isolation
                self.tell(Isolated(last.isolation))
            if not last.reason or last.blamed:
                break
            deals = tuple(game.deal for game in left.values())
            self.tell(Lost(last.reason, deals, tuple(bot.name for bot in job.bots)))
        blamed = tuple(self.course.bots[table[bot]].name for bot in last.blamed)
        for name, game in left.items():
            self._not_played(game, name, last.reason, blamed)
        for bot in blamed:
            self._parking.failed(bot, last.reason)

    def _take(self, answer: Answer, game: ScheduledGame, log: Path) -> None:
        """A game was played: keep its log, then its result."""
        assert answer.game is not None
        place = log_name(answer.game, game.deal)
        if answer.game in self._over:
            place = place.with_name(f"{answer.game[:16]}.{answer.digest[:8]}.jsonl.zst")
        keep_log(log, self.config.state / place)
        record = GameRecord(
            id=answer.game,
            deal=game.deal,
            digest=answer.digest,
            seats=answer.seats,
            log=str(place),
            seconds=answer.seconds,
            at=now_text(),
            mtref=self._mtref,
        )
        outcome = self.journal.add(record)
        if outcome is Outcome.CONFLICT:
            self._report_conflict(record)
        if record.id in self._over:
            return
        self._count(record)
        self._parking.played(record)
        self._played += 1
        self.tell(Played(record))
        self._game_over(game.deal)

    def _count(self, game: GameRecord) -> None:
        self._over.add(game.id)
        self.tally.add(game)
        self.selftest.add(game)

    def _report_conflict(self, record: GameRecord) -> None:
        for conflict in self.journal.conflicts():
            if conflict.id == record.id and conflict.second == record.digest:
                self.tell(Conflicted(record.id, record.deal, conflict.first, conflict.second))

    def _not_played(self, game: ScheduledGame, name: str, reason: str, blamed: tuple[str, ...]) -> None:
        bots = tuple(self.course.bots[bot].name for bot in game.bots)
        entry = NotPlayed(name, game.deal, bots, blamed, reason, 1 if blamed else 0, now_text())
        attempts = self.journal.add_not_played(entry)
        self.tell(Unplayed(replace(entry, attempts=attempts)))
        if attempts >= ATTEMPTS:
            self._given_up.add(name)
            self._over.add(name)
            self._game_over(game.deal)

    def _game_over(self, deal: int) -> None:
        self._open[deal] -= 1
        if not self._open[deal]:
            self._reveal(deal)

    def _reveal(self, deal: int) -> None:
        """Put the seed into the logs of the deal, then into the journal; done again if it was interrupted between."""
        seed = self.course.seed(deal)
        for log in self.journal.logs(deal):
            reveal_in_log(self.config.state / log, seed)
        self.journal.reveal({deal: seed.hex()})
        self._revealed.add(deal)
        self.tell(Revealed(deal, seed.hex()))

    def _ended(self, seconds: float) -> Ended:
        left = sum(self._left.values())
        return Ended(
            complete=not left and not self._given_up,
            stopped=self.stopping,
            games=self.tally.games,
            played=self._played,
            open=left,
            given_up=len(self._given_up),
            parked=tuple(self._parking.parked),
            conflicts=len(self.journal.conflicts()),
            compared=self.selftest.compared,
            discrepancies=tuple(map(str, self.selftest.discrepancies())),
            seconds=round(seconds, 3),
        )


def _leaves(group: BaseExceptionGroup[MtrefError]) -> Iterator[MtrefError]:
    """The errors of a group of groups."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error

"""Plays a match with a process for each bot: starts them, seats them, waits for the games, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from mtref.match.entry import Entry
from mtref.match.incident import IncidentBook
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame, draw_master_seed, draw_seed_text, plan_games
from mtref.match.table import TableMaker, TableRun
from mtref.replay.records import BotInfo, Record
from mtref.server.ahead import launcher_for
from mtref.server.host import Host
from mtref.server.isolation import Isolation, unprotected
from mtref.server.lag import LagMeter
from mtref.server.launching import LauncherProcess
from mtref.server.member import Member
from mtref.server.notready import NotReadyError, StartError
from mtref.server.processes import Launcher
from mtref.server.starters import LocalStarter, Starter
from mtref.server.watchdog import Watchdog
from mtref_sdk.errors import MtrefError

if TYPE_CHECKING:
    from mtref.match.result import GameResult, MatchResult, UnplayedGame

__all__ = ["MatchSetup", "NotReadyError", "play_match"]


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """How the bots of a match come to the table, and how the games come about. ``isolation`` None is none at all.

    ``starters`` replace, by index, the way some bots are started. With ``keeps_bots`` one process a bot plays all
    games, one after another too. With ``live`` what bots print goes to our stderr at once. With ``lists_unplayed`` a game for which a
    bot is not ready is listed in the result instead of ending the match, if another game was played.
    ``plan`` are games made elsewhere, None to make them from the options. Without ``reveal`` the seeds stay out of the logs.
    ``table`` makes the table of a game. ``launcher`` was started ahead, by `launcher_for`, and ends with the match.
    """

    isolation: Isolation | None = None
    starters: Mapping[int, Starter] = field(default_factory=dict)
    lists_unplayed: bool = False
    keeps_bots: bool = False
    live: bool = False
    plan: Sequence[PlannedGame] | None = None
    reveal: bool = True
    table: TableMaker = TableRun
    launcher: LauncherProcess | None = None


async def play_match(
    options: MatchOptions,
    entries: Sequence[Entry],
    logs: LogPlace,
    on_record: Callable[[Record], None] = lambda _: None,
    on_game: Callable[[GameResult], None] = lambda _: None,
    note: Callable[..., object] = lambda _, **__: None,
    setup: MatchSetup | None = None,
) -> MatchResult:
    """All games of a match.

    `on_record` hears of the milestones of each game (see `GameLog`), `on_game` of each finished game, `note` (a word, and
    facts as keywords) of processes that start and end.

    Raises NotReadyError when a bot was not ready before a deal, and MtrefError when the match cannot go on.
    """
    setup = setup or MatchSetup()
    seed, plan = None, setup.plan
    if plan is None:
        seed = draw_seed_text() if options.seed is None else options.seed
        plan = plan_games(draw_master_seed(seed), len(entries), options.games)
    runner = _Runner(options, entries, logs, plan, setup)
    runner.on_record, runner.on_game, runner.note = on_record, on_game, note
    return await runner.run(seed)


class _Runner:
    launcher: Launcher
    watchdog: Watchdog
    on_record: Callable[[Record], None]
    on_game: Callable[[GameResult], None]
    note: Callable[..., object]

    def __init__(
        self,
        options: MatchOptions,
        entries: Sequence[Entry],
        logs: LogPlace,
        plan: Sequence[PlannedGame],
        setup: MatchSetup,
    ) -> None:
        isolation = setup.isolation or unprotected()
        self.isolation = isolation.with_secret(logs.target)
        facts = self.isolation.facts(sorted(setup.starters), len(entries))
        self.options = replace(options, isolation=facts)
        self.entries, self.logs, self.plan, self.setup = entries, logs, plan, setup
        self.results: list[GameResult] = []
        self.unplayed: list[UnplayedGame] = []
        self.refusal: NotReadyError | None = None
        self.incidents = IncidentBook()
        self.lag = LagMeter()
        self.times: list[list[float]] = [[] for _ in entries]
        self.folders = count(1)

    async def run(self, seed: str | None) -> MatchResult:
        began = time.monotonic()
        self.logs.prepare()
        process = self.setup.launcher
        if process is None:
            process = launcher_for(self.isolation.in_force.level, self.entries, live=self.setup.live)
        async with Launcher(process) as self.launcher:
            self.watchdog = Watchdog()
            games = asyncio.ensure_future(self._play_all())
            try:
                await asyncio.wait({games, self.launcher.lost}, return_when=asyncio.FIRST_COMPLETED)
                if not games.done():
                    raise MtrefError("the process that starts the bots has died, and the bots with it")
                await games
            finally:
                games.cancel()
                await asyncio.gather(games, return_exceptions=True)
                self.watchdog.close()
                gc.unfreeze()
        from mtref.match.result import MatchFacts, MatchResult  # noqa: PLC0415 - not needed before the first decision

        facts = MatchFacts(
            seconds=time.monotonic() - began,
            seed=seed,
            unplayed=tuple(self.unplayed),
            incidents=self.incidents.all(),
            delay_ms=self.lag.since(0),
        )
        return MatchResult.of(self.options, "grpc", self.entries, self.results, self.times, facts)

    async def _play_all(self) -> None:
        if self.options.tables == 1 and not self.setup.keeps_bots:
            for planned in self.plan:
                await self._play_afresh(planned)
            return
        waiting = iter(self.plan)
        async with AsyncExitStack() as stack:
            team = await self._team(stack, [planned.number for planned in self.plan])

            async def keep_a_table() -> None:
                for planned in waiting:
                    try:
                        outcomes = [member.ready_again() for member in team]
                        self._all_ready(await asyncio.gather(*outcomes, return_exceptions=True))
                        await self._play_game(planned, team)
                    except NotReadyError as error:
                        self._list(planned, error)

            try:
                async with asyncio.TaskGroup() as tables:
                    for _ in range(min(self.options.tables, len(self.plan))):
                        tables.create_task(keep_a_table())
            except ExceptionGroup as group:
                raise group.exceptions[0] from group  # one line about the first is what a user can use
        if not self.results and self.refusal is not None:
            raise self.refusal

    async def _play_afresh(self, planned: PlannedGame) -> None:
        """Play a game with fresh processes; or list it as unplayed, if it is not the first and that is wanted."""
        async with AsyncExitStack() as stack:
            try:
                team = await self._team(stack, [planned.number])
                await self._play_game(planned, team)
            except NotReadyError as error:
                if not self.results:
                    raise
                self._list(planned, error)

    def _list(self, planned: PlannedGame, error: NotReadyError) -> None:
        """A game was not played. Raises `error` where that is not to be listed."""
        if not self.setup.lists_unplayed:
            raise error
        self.refusal = error
        from mtref.match.result import UnplayedGame  # noqa: PLC0415

        game = UnplayedGame(planned.number, planned.game, planned.deal, error.bots, error.reasons)
        self.unplayed.append(game)
        self.note("game not played", number=game.number, reason=game.reason)

    async def _team(self, stack: AsyncExitStack, games: Sequence[int]) -> list[Member]:
        """A fresh process for each bot, all of them ready, for games of these numbers; the stack ends them."""
        team = [
            Member(
                entry,
                self._starter(index),
                self.watchdog,
                self.options,
                self._new_folder,
                self.note,
                partial(self.incidents.printed, index, games),
            )
            for index, entry in enumerate(self.entries)
        ]
        for member in team:
            stack.push_async_callback(member.stop)
        starts = [asyncio.ensure_future(member.start()) for member in team]
        try:
            self._all_ready(await asyncio.gather(*starts, return_exceptions=True))
        finally:  # one that is cancelled first clears away what it has begun
            await asyncio.gather(*starts, return_exceptions=True)
        if self.results:  # else there is no garbage to speak of yet
            gc.collect()
        gc.freeze()  # or a collection would take a tenth of a second out of somebody's time
        return team

    def _all_ready(self, outcomes: Sequence[BaseException | None]) -> None:
        """Raises NotReadyError if one of these is why a bot, by its index, is not ready; and any other error."""
        failures: list[tuple[int, Entry, StartError]] = []
        for index, outcome in enumerate(outcomes):
            if isinstance(outcome, StartError):
                failures.append((index, self.entries[index], outcome))
            elif outcome is not None:
                raise outcome
        if failures:
            raise NotReadyError(failures)

    def _starter(self, index: int) -> Starter:
        given = self.setup.starters.get(index)
        if given is not None:
            return given
        rivals = [entry for number, entry in enumerate(self.entries) if number != index]
        limit_s = self.options.clock.startup_ms / 1000
        return LocalStarter(self.entries[index], rivals, self.launcher, self.isolation, limit_s)

    async def _play_game(self, planned: PlannedGame, team: Sequence[Member]) -> None:
        seated = [team[bot] for bot in planned.bots]
        infos = [
            BotInfo(member.entry.name, member.entry.command, member.entry.content_hash) for member in seated
        ]
        log = self.logs.open(planned)
        log.watch = self.incidents.watching(planned, log, self.on_record)
        try:
            run = self.setup.table(planned, self.options, infos, log.take)
            run.delay = partial(self.lag.since, len(self.lag.delays_ms))
            host = Host(run, [member.link for member in seated])
            matters = await asyncio.gather(*(member.told() for member in seated))
            unready = {seat: matter for seat, matter in enumerate(matters) if matter} | host.unready
            if unready:
                host.abandon()
                log.discard()
                raise NotReadyError(
                    [
                        (bot, self.entries[bot], StartError(f"{how} before the deal", team[bot].last))
                        for bot, how in ((planned.bots[seat], how) for seat, how in unready.items())
                    ]
                )
            with self.lag:
                host.begin()
                await host.done
            if self.setup.reveal:
                run.reveal_seed()
        finally:
            log.close()
        for seat in run.seats:
            self.times[planned.bots[seat.number]] += seat.times_ms
        from mtref.match.result import GameResult  # noqa: PLC0415

        result = GameResult.of(run, log.game_digest, str(log.path) if log.path else None)
        self.results.append(result)
        self.on_game(result)

    def _new_folder(self) -> Path:
        """A directory that was never used before: a socket's path must not be."""
        folder = self.launcher.directory / str(next(self.folders))
        folder.mkdir(mode=0o700)
        return folder

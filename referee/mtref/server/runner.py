"""Plays a match with a process for each bot: starts them, seats them, waits for the games, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

from mtref.match.entry import Entry
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame, draw_master_seed, plan_games
from mtref.match.result import GameResult, MatchResult
from mtref.match.table import TableRun
from mtref.replay.records import BotInfo, Record
from mtref.server.host import Host
from mtref.server.member import Member, StartError
from mtref.server.processes import Launcher, make_run_directory
from mtref.server.watchdog import Watchdog
from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["NotReadyError", "play_match"]

OUTPUT_LINES = 12
"""How many lines of a failed bot's output are shown."""


class NotReadyError(MtrefError):
    """One or more bots were not ready before the deal, so no game was played. Each with its reason and last output.

    ``bots`` are their positions among the entries.
    """

    def __init__(self, failures: Sequence[tuple[int, Entry, StartError]]) -> None:
        self.bots = tuple(index for index, _, _ in failures)
        parts: list[str] = []
        for index, entry, error in failures:
            lines = [
                line for line in error.output.decode("utf-8", "backslashreplace").splitlines() if line.strip()
            ]
            who = f"bot {index + 1}, {escape(entry.name, 60)} ({escape(entry.command, 100)}),"
            parts.append(f"{who} {error}" + ("; the last it printed:" if lines else ""))
            parts += [f"  | {escape(line.rstrip())}" for line in lines[-OUTPUT_LINES:]]
        super().__init__("no game was played: " + "\n".join(parts))


async def play_match(
    options: MatchOptions,
    entries: Sequence[Entry],
    logs: LogPlace,
    on_record: Callable[[Record], None] = lambda _: None,
    on_game: Callable[[GameResult], None] = lambda _: None,
    note: Callable[..., object] = lambda _, **__: None,
    *,
    plan: Sequence[PlannedGame] | None = None,
    reveal: bool = True,
) -> MatchResult:
    """All games of a match, or those of a `plan` made elsewhere. Without `reveal` the seeds stay out of the logs.

    `on_record` hears of everything that happens at a table, `on_game` of each finished game, `note` (a word, and
    facts as keywords) of processes that start and end.

    Raises NotReadyError when a bot was not ready before a deal, and MtrefError when the match cannot go on.
    """
    if plan is None:
        plan = plan_games(draw_master_seed(options.seed), len(entries), options.games)
    return await _Runner(options, entries, logs, on_record, on_game, note, plan, reveal=reveal).run()


class _Runner:
    def __init__(
        self,
        options: MatchOptions,
        entries: Sequence[Entry],
        logs: LogPlace,
        on_record: Callable[[Record], None],
        on_game: Callable[[GameResult], None],
        note: Callable[..., object],
        plan: Sequence[PlannedGame],
        *,
        reveal: bool,
    ) -> None:
        self.options, self.entries, self.logs = options, entries, logs
        self.on_record, self.on_game, self.note = on_record, on_game, note
        self.plan, self.reveal = plan, reveal
        self.results: list[GameResult] = []
        self.times: list[list[float]] = [[] for _ in entries]
        self.folders = count(1)
        self.launcher: Launcher
        self.watchdog: Watchdog

    async def run(self) -> MatchResult:
        began = time.monotonic()
        self.logs.prepare()
        async with Launcher(make_run_directory()) as self.launcher:
            self.watchdog = Watchdog()
            games = asyncio.ensure_future(self._play_all())
            try:
                await asyncio.wait({games, self.launcher.lost}, return_when=asyncio.FIRST_COMPLETED)
                if not games.done() or (self.launcher.lost.done() and games.exception() is not None):
                    raise MtrefError("the process that starts the bots has died, and the bots with it")
                await games
            finally:
                games.cancel()
                await asyncio.gather(games, return_exceptions=True)
                self.watchdog.close()
                gc.unfreeze()
        seconds = time.monotonic() - began
        return MatchResult.of(self.options, "grpc", self.entries, self.results, self.times, seconds)

    async def _play_all(self) -> None:
        if self.options.tables == 1:
            for planned in self.plan:
                async with AsyncExitStack() as stack:
                    await self._play_game(planned, await self._team(stack))
            return
        waiting = iter(self.plan)
        async with AsyncExitStack() as stack:
            team = await self._team(stack)

            async def keep_a_table() -> None:
                for planned in waiting:
                    await self._play_game(planned, team)

            try:
                async with asyncio.TaskGroup() as tables:
                    for _ in range(min(self.options.tables, len(self.plan))):
                        tables.create_task(keep_a_table())
            except ExceptionGroup as group:
                raise group.exceptions[0] from group  # one line about the first is what a user can use

    async def _team(self, stack: AsyncExitStack) -> list[Member]:
        """A fresh process for each bot, all of them ready; the stack ends them."""
        team = [
            Member(entry, self.launcher, self.watchdog, self.options, self._new_folder, self.note)
            for entry in self.entries
        ]
        for member in team:
            stack.push_async_callback(member.stop)
        outcomes = await asyncio.gather(*(member.start() for member in team), return_exceptions=True)
        failures: list[tuple[int, Entry, StartError]] = []
        for index, outcome in enumerate(outcomes):
            if isinstance(outcome, StartError):
                failures.append((index, self.entries[index], outcome))
            elif outcome is not None:
                raise outcome
        if failures:
            raise NotReadyError(failures)
        gc.collect()
        gc.freeze()  # or a collection would take a tenth of a second out of somebody's time
        return team

    async def _play_game(self, planned: PlannedGame, team: Sequence[Member]) -> None:
        seated = [team[bot] for bot in planned.bots]
        infos = [
            BotInfo(member.entry.name, member.entry.command, member.entry.content_hash) for member in seated
        ]
        log = self.logs.open(planned)
        log.watch = self.on_record
        try:
            run = TableRun(planned, self.options, infos, log)
            host = Host(run, [member.link for member in seated])
            for member in seated:
                await member.told()
            host.begin()
            await host.done
            if self.reveal:
                run.reveal_seed()
        finally:
            log.close()
        for seat in run.seats:
            self.times[planned.bots[seat.number]] += seat.times_ms
        result = GameResult.of(run, log.game_digest, str(log.path) if log.path else None)
        self.results.append(result)
        self.on_game(result)

    def _new_folder(self) -> Path:
        """A directory that was never used before: a socket's path must not be."""
        folder = self.launcher.directory / str(next(self.folders))
        folder.mkdir(mode=0o700)
        return folder

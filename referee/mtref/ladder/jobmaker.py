"""Makes the jobs of a run: which games, which bots, where their logs go at first, and what is hidden from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mtref.ladder.config import BotEntry, LadderConfig
from mtref.ladder.course import Course
from mtref.ladder.job import Job, JobBot, JobGame
from mtref.ladder.roster import Roster
from mtref.ladder.schedule import ScheduledGame

__all__ = ["JobMaker", "job_bot", "job_of"]

_TOGETHER: Final = 32
"""The most tables one set of processes plays side by side."""


def job_bot(entry: BotEntry, content: str) -> JobBot:
    """A bot as a job takes it."""
    folder = None if entry.folder is None else str(entry.folder.absolute())
    return JobBot(entry.name, content, entry.command, entry.argv, entry.env, folder)


def job_of(
    config: LadderConfig, entries: Sequence[BotEntry], bots: Sequence[JobBot], games: Sequence[JobGame]
) -> Job:
    """Games of some bots (given in both forms) at a ladder's terms.

    No bot may read journal and logs, the ladder's file (it may hold the seed), or bots of it that sit elsewhere.
    """
    own = {path for entry in entries for path in entry.files}
    elsewhere = {path for bot in config.bots for path in bot.files} - own
    return Job(
        rules=config.rules,
        clock=config.clock,
        faults=config.faults,
        skip_forced=config.skip_forced,
        seed_text=config.seed,
        bots=tuple(bots),
        games=tuple(games),
        together=min(len(games), _TOGETHER),
        sandbox=config.sandbox,
        secret=tuple(str(path.absolute()) for path in (config.state, config.path, *sorted(elsewhere))),
    )


class JobMaker:
    """Makes jobs of one run. Each log gets a file of its own in the folder `playing`."""

    def __init__(self, config: LadderConfig, course: Course, roster: Roster, playing: Path) -> None:
        self._config, self._course, self._roster, self._playing = config, course, roster, playing
        self._files = 0

    def job(self, games: dict[str, ScheduledGame], table: list[int], paths: dict[str, Path]) -> Job:
        """The job of some games; `paths` learns where each log will be."""
        entries = [self._roster.entry(bot) for bot in table]
        bots = [
            job_bot(entry, self._course.bots[bot].content) for entry, bot in zip(entries, table, strict=True)
        ]
        planned: list[JobGame] = []
        self._playing.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, game in games.items():
            self._files += 1
            paths[name] = self._playing / f"{self._files}.jsonl.zst"
            shown, seed = self._course.shown_id(name, game.deal), self._course.seed(game.deal).hex()
            seats = tuple(table.index(bot) for bot in game.bots)
            planned.append(JobGame(name, shown, game.deal, seed, seats, str(paths[name].absolute())))
        return job_of(self._config, entries, bots, planned)

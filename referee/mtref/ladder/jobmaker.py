"""Makes the jobs of a run: which games, which bots, where their logs go at first, and what is hidden from them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mtref.ladder.config import LadderConfig
from mtref.ladder.course import Course
from mtref.ladder.job import Job, JobBot, JobGame
from mtref.ladder.schedule import ScheduledGame

__all__ = ["JobMaker"]

_TOGETHER: Final = 8
"""The most tables one set of processes plays side by side."""


class JobMaker:
    """Makes jobs of one run. Each log gets a file of its own in the folder `playing`."""

    def __init__(self, config: LadderConfig, course: Course, playing: Path) -> None:
        self._config, self._course, self._playing = config, course, playing
        self._files = 0

    def job(self, games: dict[str, ScheduledGame], table: list[int], paths: dict[str, Path]) -> Job:
        """The job of some games; `paths` learns where each log will be."""
        config = self._config
        bots: list[JobBot] = []
        for bot in table:
            entry = config.bots[bot]
            bots.append(
                JobBot(entry.name, self._course.bots[bot].content, entry.command, entry.argv, entry.env)
            )
        planned: list[JobGame] = []
        self._playing.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, game in games.items():
            self._files += 1
            paths[name] = self._playing / f"{self._files}.jsonl.zst"
            shown, seed = self._course.shown_id(name, game.deal), self._course.seed(game.deal).hex()
            seats = tuple(table.index(bot) for bot in game.bots)
            planned.append(JobGame(name, shown, game.deal, seed, seats, str(paths[name].absolute())))
        return Job(
            rules=config.rules,
            clock=config.clock,
            faults=config.faults,
            skip_forced=config.skip_forced,
            seed_text=config.seed,
            bots=tuple(bots),
            games=tuple(planned),
            together=min(len(planned), _TOGETHER),
            sandbox=config.sandbox,
            secret=self._secret(table),
        )

    def _secret(self, table: list[int]) -> tuple[str, ...]:
        """What no bot at a table may read: journal and logs, the ladder file (it may hold the seed), bots that sit elsewhere."""
        own = {path for bot in table for path in self._config.bots[bot].files}
        elsewhere = {path for bot in self._config.bots for path in bot.files} - own
        return tuple(
            str(path.absolute()) for path in (self._config.state, self._config.path, *sorted(elsewhere))
        )

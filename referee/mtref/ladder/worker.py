"""A referee process of a ladder: plays the jobs it reads from stdin, one at a time, and answers on stdout, a line each.

It ends when stdin does, and its bots with it: a driver that dies takes everything along. Run as ``python -m``.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mtref.ladder.job import Answer, Job, JobGame, seat_records
from mtref.match.logs import LOG_DELAY, GameLog, LogPlace
from mtref.match.plan import PlannedGame
from mtref.match.result import GameResult
from mtref.rules import fairdeal
from mtref.server.isolation import Isolation
from mtref.server.runner import MatchSetup, NotReadyError, play_match
from mtref.server.sandbox.choose import Sandbox, choose_sandbox
from mtref.server.sandbox.levels import AUTO, Level
from mtref_sdk.errors import MtrefError

__all__ = ["Sandboxes", "main", "play"]

LINE_LIMIT = 64 * 1024 * 1024
"""The longest job, in bytes."""


@dataclass(frozen=True)
class _Files(LogPlace):
    """The log file of each game as the job names it."""

    paths: dict[str, Path] = field(default_factory=dict)

    def prepare(self) -> None:
        """Nothing to do: the driver made the folder."""

    def open(self, game: PlannedGame) -> GameLog:
        """The log of a game."""
        return GameLog(self.paths[game.game], delay=LOG_DELAY)


class Sandboxes:
    """The sandboxes this process has chosen, one for each level asked for. Close it when no bot is running."""

    def __init__(self) -> None:
        self._chosen: dict[str, Sandbox] = {}

    def isolation(self, level: str, secret: Sequence[str]) -> Isolation:
        """The strongest isolation there is, at least `level` unless that is ``auto``; none for ``none``. Raises MtrefError."""
        if level not in self._chosen:
            if level == Level.NONE:
                self._chosen[level] = choose_sandbox(Level.NONE)
            else:
                self._chosen[level] = choose_sandbox(AUTO, require=None if level == AUTO else level)
        isolation = Isolation(self._chosen[level])
        for path in secret:
            isolation = isolation.with_secret(path)
        return isolation

    def close(self) -> None:
        """Clear away what was made for them."""
        for sandbox in self._chosen.values():
            sandbox.close()


async def play(job: Job, sandboxes: Sandboxes, say: Callable[[Answer], None]) -> None:
    """Play a job and say what came of it, the last answer being that it is over."""
    began = time.monotonic()
    by_shown = {game.shown: game for game in job.games}

    def finished(result: GameResult) -> None:
        nonlocal began
        now = time.monotonic()
        seconds, began = now - began, now
        game = by_shown[result.game]
        say(Answer(game.id, result.digest, seat_records(result, job.bots), round(seconds, 3)))

    files = _Files(paths={game.shown: Path(game.log) for game in job.games})
    plan = [_planned(number, game) for number, game in enumerate(job.games, 1)]
    entries = [bot.entry() for bot in job.bots]
    try:
        isolation = sandboxes.isolation(job.sandbox, job.secret)
        setup = MatchSetup(isolation=isolation, plan=plan, reveal=False)
        await play_match(job.options(), entries, files, on_game=finished, setup=setup)
    except NotReadyError as error:
        say(Answer(reason=str(error), blamed=error.bots))
    except MtrefError as error:
        say(Answer(reason=str(error)))
    else:
        say(Answer(isolation=str(isolation.facts()["line"])))


def _planned(number: int, game: JobGame) -> PlannedGame:
    seed, deal = bytes.fromhex(game.seed), str(game.deal)
    return PlannedGame(number, deal, game.shown, seed, fairdeal.commitment(seed, deal), game.bots)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints by accident is no answer

    def say(answer: Answer) -> None:
        answers.write(answer.to_json() + "\n")

    sandboxes = Sandboxes()
    line = asyncio.ensure_future(reader.readline())
    while text := await line:
        line = asyncio.ensure_future(reader.readline())  # one job at a time: it can only be the end
        job = asyncio.ensure_future(play(Job.from_json(text.decode()), sandboxes, say))
        await asyncio.wait({job, line}, return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            job.cancel()
            await asyncio.gather(job, return_exceptions=True)
            break
        job.result()
    sandboxes.close()


def main() -> None:
    """Serve until stdin ends. Signals of the terminal are for the driver."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    asyncio.run(_serve())


if __name__ == "__main__":
    main()

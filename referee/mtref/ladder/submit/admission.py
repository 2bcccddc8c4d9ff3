"""Takes one bot in: reads it, tries it out, lets it play a game, and enters it as a new version. Reports every step."""

from __future__ import annotations

import re
import secrets
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mtref.ladder.config import BotEntry, LadderConfig
from mtref.ladder.configbots import NAME_PATTERN
from mtref.ladder.job import Answer, JobBot, JobGame
from mtref.ladder.jobmaker import job_bot, job_of
from mtref.ladder.journal import Journal
from mtref.ladder.listing import read_listing
from mtref.ladder.records import Bot
from mtref.ladder.roster import Roster
from mtref.ladder.submit.collect import BotFiles
from mtref.ladder.submit.limits import RefusedError
from mtref.ladder.submit.package import Package, read_package
from mtref.ladder.submit.store import Store, content_of
from mtref.ladder.worker import Sandboxes, play
from mtref.server.checkup import Step, check_bot
from mtref.text import plural
from mtref_sdk.errors import MtrefError

__all__ = ["Admitted", "admit", "default_name", "friendly_game"]

_GAME: Final = "plays the ladder's game"


@dataclass(frozen=True, slots=True)
class Admitted:
    """A bot is in the ladder under this label. It was ``already`` there: then nothing was entered."""

    label: str
    content: str
    already: bool


async def admit(
    config: LadderConfig,
    journal: Journal,
    files: BotFiles,
    name: str | None,
    author: str | None,
    tell: Callable[[Step], None],
    default: str = "",
) -> Admitted:
    """Enter the bot of these files under a name; without one, under that in its manifest, or else `default`.

    `tell` is told of each step. Raises RefusedError when the bot cannot be taken, or a step failed.
    """
    package = read_package(files)
    called = _checked_name(config, journal, name or package.name or default, author)
    content = content_of(files)
    last = read_listing(journal).current.get(called)
    if last is not None and last.bot.content == content and last.parked is None:
        return Admitted(last.label, content, already=True)
    store = Store(config.store)
    with store.staged(files) as place:
        entry = package.entry(called, author, place)
        sandboxes = Sandboxes()
        try:
            await _try_out(config, job_bot(entry, content), entry, sandboxes, tell)
            await _validate(config, journal, entry, content, sandboxes, tell)
        finally:
            sandboxes.close()
        store.keep(place, content)
    bot = _bot(called, content, author, package)
    return Admitted(journal.register.enter(called, bot).label, content, already=False)


def default_name(file: str) -> str:
    """What a bot is called that came as a file or folder of this name, if nobody says."""
    return re.sub(r"(\.tar)?\.(py|zip|tar|gz|tgz|xz|txz|zst)$", "", file)


async def friendly_game(
    config: LadderConfig,
    seated: Sequence[tuple[BotEntry, str]],
    log: Path,
    sandboxes: Sandboxes,
) -> tuple[Answer, bytes]:
    """Play one game that counts nowhere, at the ladder's terms, on a deal that has nothing to do with the ladder's.

    `seated` are the bots on the seats, each with its content. What came of it (`Answer.game` is None when it was not played), and the deal's seed. The log is written to `log`, an absolute path.
    """
    # A seed of its own, not one that is made from the ladder's: whoever sees it learns nothing.
    seed = secrets.token_bytes(32)
    entries = [entry for entry, _ in seated]
    bots = [job_bot(entry, content) for entry, content in seated]
    name = secrets.token_hex(8)
    game = JobGame(name, name, 0, seed.hex(), tuple(range(len(bots))), str(log))
    answers: list[Answer] = []
    await play(job_of(config, entries, bots, [game]), sandboxes, answers.append)
    return next((answer for answer in answers if answer.game is not None), answers[-1]), seed


def _checked_name(config: LadderConfig, journal: Journal, name: str, author: str | None) -> str:
    if not re.fullmatch(NAME_PATTERN, name):
        raise RefusedError(
            "cannot be a name: letters, digits and . _ + - only, 40 at most, a letter or digit first", name
        )
    if any(bot.name == name for bot in config.bots):
        raise RefusedError("is a bot of the ladder's file; give another name", name)
    if config.expected.get(name, author) != author:
        raise RefusedError(f"is kept for {config.expected[name]}; give another name", name)
    if any(version.name == name and version.bot.author != author for version in journal.register.versions()):
        raise RefusedError("belongs to another author; give another name", name)
    return name


def _bot(name: str, content: str, author: str | None, package: Package) -> Bot:
    return Bot(name, content, author, package.command, package.deterministic)


async def _try_out(
    config: LadderConfig, bot: JobBot, entry: BotEntry, sandboxes: Sandboxes, tell: Callable[[Step], None]
) -> None:
    """The steps of `mtref check`, by the ladder's rules and clock."""
    secret = job_of(config, [entry], [bot], []).secret
    isolation = sandboxes.isolation(config.sandbox, secret)
    steps: list[Step] = []
    async for step in check_bot(bot.entry(), [config.rules], config.clock, isolation):
        steps.append(step)
        tell(step)
    failed = sum(not step.passed for step in steps)
    if failed:
        raise RefusedError(f"{failed} of {plural(len(steps), 'step')} failed")


async def _validate(
    config: LadderConfig,
    journal: Journal,
    entry: BotEntry,
    content: str,
    sandboxes: Sandboxes,
    tell: Callable[[Step], None],
) -> None:
    """A game with bots of the ladder, or where they cannot play, with itself."""
    roster = Roster(config, journal)
    others = [bot for bot in roster.playing() if not roster.bots[bot].name.startswith(f"{entry.name}@")]
    company = [(roster.entry(bot), roster.bots[bot].content) for bot in others[: config.seats - 1]]
    with tempfile.TemporaryDirectory(prefix="mtref-trial-") as folder:

        async def game(others: Sequence[tuple[BotEntry, str]]) -> Answer:
            seated = [*[(entry, content)] * (config.seats - len(others)), *others]
            log = Path(folder) / f"{len(others)}.jsonl.zst"
            return (await friendly_game(config, seated, log, sandboxes))[0]

        answer = await game(company)
        if answer.blamed and 0 not in answer.blamed:
            answer = await game([])  # somebody else was not ready
    step = _judged(answer)
    tell(step)
    if not step.passed:
        raise RefusedError(f"{_GAME}: {step.found}")


def _judged(answer: Answer) -> Step:
    """What a game has shown of the bot on its first seat."""
    if answer.game is None:
        if not answer.blamed:
            raise MtrefError(answer.reason)
        first, *lines = answer.reason.splitlines()
        return Step(_GAME, passed=False, found=first, output=tuple(lines))
    seat, *others = answer.seats
    faults = ", ".join(f"{kind} {count}" for kind, count in seat.faults.items())
    if faults:
        return Step(_GAME, passed=False, found=f"{faults}{', and it forfeited' if seat.forfeited else ''}")
    against = ", ".join(other.bot for other in others)
    return Step(
        _GAME,
        passed=True,
        found=f"place {seat.place} of {len(answer.seats)}, with {seat.total}, against {against}",
    )

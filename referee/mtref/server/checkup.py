"""Checking one bot: it is started, plays, is started again, and every step says what was found.

It plays in good company: the others are first_legal.py of the shipped programs, playing greedily.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.incident import last_lines
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.result import MatchResult
from mtref.server.drill import short
from mtref.server.isolation import Isolation
from mtref.server.leftovers import left_behind, marked, new_mark
from mtref.server.pack import program
from mtref.server.processtree import below
from mtref.server.runner import MatchSetup, NotReadyError, play_match
from mtref.text import escape, plural
from mtref_sdk.ruleset import RuleSet

__all__ = ["Step", "check_bot"]

SAMPLE = 0.05
"""Seconds between two looks at a bot's memory."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was tried, whether it went well, what was found, and the last lines the bot printed if it did not."""

    name: str
    passed: bool
    found: str
    output: tuple[str, ...] = ()


@dataclass(slots=True)
class _Notes:
    """What the runner tells of the bot's processes."""

    name: str
    ready: list[float] = field(default_factory=list)
    statuses: list[int | None] = field(default_factory=list)
    pids: set[int] = field(default_factory=set)
    memory: int = 0
    starved: bool = False  # some process of it ended because its memory was used up

    def __call__(self, event: str, **facts: Any) -> None:
        if facts.get("bot") != escape(self.name):
            return
        match event:
            case "process started":
                self.pids.add(facts["pid"])
            case "bot ready":
                self.ready.append(facts["seconds"])
            case "process ended":
                self.pids.discard(facts["pid"])
                self.statuses.append(facts["status"])
                self.starved = self.starved or "memory" in facts

    async def watch_memory(self) -> None:
        """Note the most memory that all processes of the bot together have had."""
        while True:
            taken = sum(
                _resident(pid) for pid in self.pids | {one for pid in self.pids for one in below(pid)}
            )
            self.memory = max(self.memory, taken)
            await asyncio.sleep(SAMPLE)


async def check_bot(
    entry: Entry, rules: Sequence[RuleSet], clock: ClockSettings, isolation: Isolation
) -> AsyncIterator[Step]:
    """The steps, one after another as they are done. When the bot cannot even be started there is only one."""
    mark = new_mark()
    bot = marked(entry, mark)
    notes = _Notes(entry.name)
    watch = asyncio.ensure_future(notes.watch_memory())
    limit_s = clock.startup_ms / 1000
    results: list[MatchResult] = []
    try:
        for chosen in rules:
            try:
                result = await _game(bot, chosen, clock, isolation, notes)
            except NotReadyError as error:
                reason, *lines = error.reasons.splitlines()
                lines = [line.removeprefix("  | ") for line in lines]
                yield Step(f"starts for {chosen.name}", passed=False, found=reason, output=tuple(lines))
                return
            if not results:
                found = f"ready after {notes.ready[0]:.2f} s of {limit_s:g} s"
                yield Step("starts and connects", passed=True, found=found)
            results.append(result)
            yield _played(chosen, result)
        yield _in_time(results, clock)
        yield await _again(bot, rules[0], clock, isolation, notes, results[0])
        yield _memory(notes, isolation.in_force.memory)
        yield _ends(notes, mark)
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch


async def _game(
    bot: Entry, rules: RuleSet, clock: ClockSettings, isolation: Isolation, notes: _Notes
) -> MatchResult:
    name = f"company-{secrets.token_hex(8)}"
    company = [program(name, "first_legal.py 1000000")] * (max(2, rules.seats[0]) - 1)
    options = MatchOptions(short(rules), seed="check", clock=clock)
    setup = MatchSetup(isolation)
    return await play_match(options, [*company, bot], LogPlace(), note=notes, setup=setup)


def _played(rules: RuleSet, result: MatchResult) -> Step:
    bot = result.bots[-1]
    name = f"plays {rules.name}"
    for incident in result.facts.incidents:
        if incident.bot == len(result.bots) - 1:
            charged = ", ".join(f"{kind} {count}" for kind, count in bot.faults.items())
            return Step(name, passed=False, found=f"{charged}: {incident.message}", output=incident.output)
    seat = next(seat for seat in result.games[0].seats if seat.bot == len(result.bots) - 1)
    return Step(name, passed=True, found=f"{plural(seat.decisions, 'decision')}, place {seat.place}")


def _in_time(results: Sequence[MatchResult], clock: ClockSettings) -> Step:
    longest = max(result.bots[-1].times_ms.max for result in results)
    late = sum(result.bots[-1].faults.get("timeout", 0) for result in results)
    found = f"the longest decision took {longest:.0f} ms of {clock.move_ms:g} ms"
    if late:
        found += f"; {late} were too late"
    elif longest > clock.move_ms:
        found += ", and the rest came from the bank"
    return Step("answers in time", passed=not late, found=found)


async def _again(
    bot: Entry,
    rules: RuleSet,
    clock: ClockSettings,
    isolation: Isolation,
    notes: _Notes,
    first: MatchResult,
) -> Step:
    name = "can be started again"
    try:
        result = await _game(bot, rules, clock, isolation, notes)
    except NotReadyError as error:
        reason, *lines = error.reasons.splitlines()
        return Step(name, passed=False, found=reason, output=last_lines("\n".join(lines).encode()))
    same = result.games[0].digest == first.games[0].digest
    found = (
        "the same seed gave the same game"
        if same
        else "the same seed gave another game: it has chance of its own"
    )
    return Step(name, passed=result.bots[-1].faults == first.bots[-1].faults or same, found=found)


def _memory(notes: _Notes, limit: str) -> Step:
    found = f"at most {notes.memory / (1 << 20):.0f} MiB; the limit is {limit}"
    if notes.starved:
        found += ", and a process of the bot ended because that was used up"
    return Step("memory", passed=not notes.starved, found=found)


def _ends(notes: _Notes, mark: str) -> Step:
    name = "ends by itself and leaves nothing"
    left = left_behind(mark)
    if left:
        return Step(name, passed=False, found=f"still running: {', '.join(map(str, left))}")
    bad = [status for status in notes.statuses if status != 0]
    if bad:
        found = f"{len(bad)} of {len(notes.statuses)} processes failed, or had to be killed a second after their game"
        return Step(name, passed=False, found=found)
    return Step(
        name,
        passed=True,
        found=f"{plural(len(notes.statuses), 'process', 'processes')}, each with exit code 0",
    )


def _resident(pid: int) -> int:
    """The memory of a process in bytes, 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0

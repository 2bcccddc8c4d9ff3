"""Twin worlds: two deals that differ only in tiles a seat cannot see must be the same bytes to that seat.

Both are played in step, over real gRPC streams, with the same choices, until something differs that the seat may know. Up
to there every message it gets must be equal in both, byte by byte; only what is random by design is masked: the ids of game
and decisions, the commitment and the private seed, each of a width of its own that never changes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from mtref.match.entry import Entry
from mtref.match.plan import PlannedGame
from mtref.server.hidden import hidden_pair
from mtref.server.isolation import Isolation
from mtref.server.launching import make_run_directory, start_launcher
from mtref.server.processes import Launcher
from mtref.server.starters import LocalStarter
from mtref.server.worlds import BotWorld, ClientWorld, World
from mtref_sdk.ruleset import RuleSet

__all__ = ["Compared", "Leak", "compare_bot", "compare_worlds"]


@dataclass(frozen=True, slots=True)
class Leak:
    """The first message that was not the same in both worlds, as hex, masked.

    Or with ``chose`` the codes that a bot chose after that message, though it had been told the same.
    """

    message: int
    first: str
    second: str
    chose: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """What was compared for one seat: so many messages, with so many decisions and bytes. ``leak`` None: all were equal.

    ``swapped`` are the two tiles (codes) that change places, None when no two tiles are hidden from the seat.
    """

    seat: int
    swapped: tuple[int, int] | None
    messages: int
    decisions: int
    size: int
    leak: Leak | None


async def compare_worlds(
    rules: RuleSet, planned: PlannedGame, seat: int, folder: Path, *, views: bool = False
) -> Compared:
    """Play both worlds of a planned game as far as they are the same to `seat`.

    `folder` is empty and its path short, for sockets; with `views` the seat asks to be shown whole tables. The choices are drawn
    from the deal's seed too; some of the seat's answers are wrong on purpose, so that what it is told about faults is compared.
    """
    rng = random.Random(planned.deal_seed)  # noqa: S311 - choices of a test
    swapped = hidden_pair(rules, planned, seat, rng)
    if swapped is None:
        return Compared(seat, None, 0, 0, 0, None)
    async with AsyncExitStack() as stack:
        worlds = [
            await stack.enter_async_context(
                ClientWorld(rules, planned, seat, swap, folder / str(number), views=views)
            )
            for number, swap in enumerate((None, swapped), 1)
        ]
        return await _in_step(worlds, seat, swapped, rng)


async def compare_bot(
    rules: RuleSet, planned: PlannedGame, seat: int, entry: Entry, isolation: Isolation
) -> Compared:
    """The same with a bot on the seat, a process of its own in each world: it must be told the same, and choose the same.

    A bot that is told the same and chooses differently knows what it was not told, or has chance of its own.
    Raises StartError when it is not ready.
    """
    rng = random.Random(planned.deal_seed)  # noqa: S311 - choices of a test
    swapped = hidden_pair(rules, planned, seat, rng)
    if swapped is None:
        return Compared(seat, None, 0, 0, 0, None)
    folders = count(1)
    async with Launcher(start_launcher(make_run_directory())) as launcher, AsyncExitStack() as stack:

        def fresh() -> Path:
            folder = launcher.directory / str(next(folders))
            folder.mkdir(mode=0o700)
            return folder

        starter = LocalStarter(entry, (), launcher, isolation, 30.0)
        worlds = [
            await stack.enter_async_context(BotWorld(rules, planned, seat, swap, entry, starter, fresh))
            for swap in (None, swapped)
        ]
        return await _watched(worlds[0], worlds[1], swapped, rng)


async def _in_step(
    worlds: Sequence[World], seat: int, swapped: tuple[int, int], rng: random.Random
) -> Compared:
    decisions = size = 0
    for world in worlds:
        world.host.begin()
    while True:
        for world in worlds:
            await world.settled()
        one, other = worlds
        same = one.visible() == other.visible() and not one.run.finished
        if same and one.seat_asked == seat:
            decisions += 1
            for world in worlds:
                await world.heard(decisions)
        common_count = min(len(one.messages), len(other.messages))
        for number in range(common_count if same else min(common_count, one.equal_until)):
            first, second = one.messages[number], other.messages[number]
            if first != second:
                leak = Leak(number + 1, first.hex(" "), second.hex(" "))
                return Compared(seat, swapped, number + 1, decisions, size, leak)
        if not same:
            return Compared(seat, swapped, one.equal_until, decisions, size, None)
        one.equal_until = common_count
        size = sum(map(len, one.messages[:common_count]))
        if one.seat_asked == seat:
            kind, pick = rng.random(), rng.randrange(1 << 16)
            for world in worlds:
                await world.reply(kind, pick)
            continue
        common = [code for code in one.legal if code in other.legal and code >> 6 not in swapped]
        if not common:
            return Compared(seat, swapped, common_count, decisions, size, None)
        code = rng.choice(common)
        for world in worlds:
            world.host.answered(code, 1.0)


async def _watched(one: BotWorld, other: BotWorld, swapped: tuple[int, int], rng: random.Random) -> Compared:
    """Play both worlds in step; the bots answer by themselves, and every decision is compared afterwards."""
    worlds = (one, other)
    compared = 0

    def found(leak: Leak | None = None) -> Compared:
        messages = one.moments[compared - 1][0] if compared else 0
        size = sum(map(len, one.messages[:messages]))
        return Compared(one.seat, swapped, messages, compared, size, leak)

    for world in worlds:
        world.host.begin()
    while True:
        for world in worlds:
            await world.settled()
        for number in range(compared, max(len(one.moments), len(other.moments))):
            if number >= min(len(one.moments), len(other.moments)):
                return found()
            (told, events), (_, others) = one.moments[number], other.moments[number]
            if one.visible(events) != other.visible(others):
                return found()
            compared += 1
            for place in range(told):
                if one.messages[place] != other.messages[place]:
                    return found(
                        Leak(place + 1, one.messages[place].hex(" "), other.messages[place].hex(" "))
                    )
            chosen = [str(world.answer(number)) for world in worlds]
            if chosen[0] != chosen[1]:
                return found(Leak(told, chosen[0], chosen[1], chose=True))
        common = [code for code in one.legal if code in other.legal and code >> 6 not in swapped]
        if one.run.finished or one.visible() != other.visible() or not common:
            return found()
        code = rng.choice(common)
        for world in worlds:
            world.host.answered(code, 1.0)

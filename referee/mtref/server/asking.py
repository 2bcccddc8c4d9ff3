"""Asks a bot again what it was asked in a recorded game: as a process over gRPC, or in this process for a debugger."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from itertools import count
from pathlib import Path
from typing import Any

from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.options import MatchOptions
from mtref.match.retelling import Retelling
from mtref.server.isolation import Isolation
from mtref.server.launching import make_run_directory, start_launcher
from mtref.server.link import Link
from mtref.server.member import Member
from mtref.server.processes import Launcher
from mtref.server.starters import LocalStarter
from mtref.server.teller import Reply, Teller
from mtref.server.watchdog import Watchdog
from mtref_sdk.bot import Bot
from mtref_sdk.errors import MtrefError
from mtref_sdk.messages import handle
from mtref_sdk.session import BotSession

__all__ = ["ask_here", "ask_process"]


async def ask_process(
    entry: Entry,
    retelling: Retelling,
    isolation: Isolation,
    until: int | None = None,
    printed: Callable[[bytes], object] = lambda _: None,
    *,
    limit_s: float = 30.0,
) -> list[Reply]:
    """The replies of a bot, started as in a match, to every question of `retelling` up to the first one in line `until` or later.

    With `until` None it is told the whole game. No clock runs; to get ready it has `limit_s` seconds. `printed` is given what it
    has printed. The last reply is ``gone`` if it ended before its time. Raises StartError, MtrefError, LogError.
    """
    replies: list[Reply] = []
    folders = count(1)
    async with Launcher(start_launcher(make_run_directory())) as launcher, AsyncExitStack() as stack:

        def fresh() -> Path:
            folder = launcher.directory / str(next(folders))
            folder.mkdir(mode=0o700)
            return folder

        heard = asyncio.Event()
        watchdog = Watchdog()
        stack.callback(watchdog.close)
        starter = LocalStarter(entry, (), launcher, isolation, limit_s)
        options = _options(retelling, limit_s)
        member = Member(entry, starter, watchdog, options, fresh, lambda *_, **__: None, printed)
        stack.push_async_callback(member.stop)
        await member.start()
        teller = Teller(retelling, member.link, heard.set)
        await member.told()
        for told in retelling.told():
            heard.clear()
            teller.tell(told, time.monotonic())
            if told.question is None:
                await member.told()
                continue
            await _either(heard, launcher.lost)
            if teller.reply is None:
                raise teller.failure or MtrefError("the process that starts the bot has died")
            replies.append(teller.reply)
            if teller.reply.gone or (until is not None and told.question.line >= until):
                break
    return replies


def ask_here(
    bot: Bot,
    retelling: Retelling,
    until: int | None = None,
    around: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> list[Reply]:
    """The same with `bot` in this very process, given the same messages. It chooses at the last question inside `around`.

    Raises what the bot raises, and LogError.
    """
    link = Link(lambda: None, lambda: None, _options(retelling, 0.0))
    teller = Teller(retelling, link)
    session = BotSession(bot)
    replies: list[Reply] = []

    def carry() -> None:
        data = link.compose(time.monotonic())
        for answer in () if data is None else handle(session, data):
            link.received(answer, time.monotonic())

    carry()
    for told in retelling.told():
        last = until is not None and told.question is not None and told.question.line >= until
        teller.tell(told, time.monotonic())
        with around() if last else nullcontext():
            carry()
        if teller.failure is not None:
            raise teller.failure
        if teller.reply is not None:
            replies.append(teller.reply)
        if last:
            break
    return replies


def _options(retelling: Retelling, limit_s: float) -> MatchOptions:
    """Of a match without a clock; the bot is told the clock of the recorded game all the same."""
    return MatchOptions(
        retelling.table.options.rules, clock=ClockSettings(enabled=False, startup_ms=limit_s * 1000)
    )


async def _either(heard: asyncio.Event, lost: asyncio.Future[None]) -> None:
    waiting = asyncio.ensure_future(heard.wait())
    either: set[asyncio.Future[Any]] = {waiting, lost}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()

"""A member whose bot comes and goes at the worst moments: who waits for it sees its end, however that falls together with others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mtref.match.clock import ClockSettings
from mtref.match.fault import FaultKind
from mtref.match.options import Limits, MatchOptions
from mtref.server.endpoint import UnixEndpoint
from mtref.server.member import Member
from mtref.server.notready import StartError
from mtref.server.stream import BotServer
from mtref.server.watchdog import Watchdog
from mtref.server.wiring import grpc
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.ruleset import preset
from mtref_sdk.wire import METHOD
from tests.bots.villains import bot

HELLO = pb.FromBot(hello=pb.Hello(protocol=1)).SerializeToString()


async def until(condition: Callable[[], bool]) -> None:
    """Let everybody go on until this holds."""
    while not condition():
        await asyncio.sleep(0)


class FakeBot:
    """A process that is none: it calls when it is started, and does what the test says."""

    def __init__(self, server: BotServer) -> None:
        self.pid = 0
        self.limit_s: float | None = 30.0
        self.exited: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.released = False
        self.waiting = 0
        self._address, self._token = server.endpoint.address, server.endpoint.token

    async def call(self) -> None:
        self._channel: Any = grpc.aio.insecure_channel(self._address)
        metadata = [("authorization", f"Bearer {self._token}")]
        stream: Any = self._channel.stream_stream(METHOD)(metadata=metadata)
        await stream.write(HELLO)

    async def lose(self) -> None:
        await self._channel.close()

    async def waiters(self, number: int) -> None:
        """So many wait for its end."""
        await until(lambda: self.waiting == number)

    async def ended(self) -> None:
        self.waiting += 1
        try:
            await asyncio.shield(self.exited)
        finally:
            self.waiting -= 1

    def kill(self) -> None:
        if not self.exited.done():
            self.exited.set_result(-9)

    def output(self) -> bytes:
        return b"printed"

    def verdict(self) -> tuple[FaultKind, str]:
        assert not self.released
        return FaultKind.CRASH, f"ended with {self.exited.result()}"

    def release(self) -> None:
        self.released = True


class FakeStarter:
    """Starts bots that are no processes, and keeps them. With ``lost`` their streams count as lost at once; the next one,
    if it is ``short_lived``, ends when it has said hello.
    """

    def __init__(self) -> None:
        self.bots: list[FakeBot] = []
        self.lost = self.short_lived = False

    def has(self, number: int) -> bool:
        return len(self.bots) == number

    def endpoint(self, folder: Path) -> UnixEndpoint:
        return UnixEndpoint(folder / f"s{len(self.bots)}")

    async def start(self, server: BotServer) -> FakeBot:
        self.bots.append(FakeBot(server))
        await self.bots[-1].call()
        if self.lost:
            server.lost.set()
        if self.short_lived:
            self.short_lived = False
            await server.ready
            self.bots[-1].exited.set_result(0)
        return self.bots[-1]


async def a_started_member(folder: Path) -> tuple[FakeStarter, Member, FakeBot]:
    """A member whose first bot has said hello, with who starts its bots, and that bot."""
    starter = FakeStarter()
    clock, limits = ClockSettings(enabled=False), Limits(news_ms=0.0, leave_ms=0.0)
    options = MatchOptions(preset("playboard"), clock=clock, limits=limits)
    member = Member(bot("greedy"), starter, Watchdog(), options, lambda: folder, lambda *_, **__: None)
    await member.start()
    (first,) = starter.bots
    return starter, member, first


def test_a_bot_that_ends_while_it_is_waited_for_is_started_again(folder: Path) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            starter, member, first = await a_started_member(folder)
            await first.lose()
            assert member._server is not None
            await member._server.lost.wait()
            await first.waiters(1)  # who watches it waits for its return
            again = asyncio.create_task(member.ready_again())
            await first.waiters(2)
            first.exited.set_result(4)
            await again
            assert len(starter.bots) == 2 and await member.told() == ""
            await starter.bots[1].lose()
            await member.stop()
        assert all(each.released for each in starter.bots)

    asyncio.run(run())


def test_a_bot_that_ends_before_the_deal_is_told_of_with_how_it_did(folder: Path) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            _, member, first = await a_started_member(folder)
            first.exited.set_result(4)
            assert await member.told() == "ended with 4"
            await member.stop()
            assert await member.told() == "ended with 4"
            await first.lose()

    asyncio.run(run())


def test_a_bot_that_ends_for_another_table_before_the_deal_is_there_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            starter, member, first = await a_started_member(folder)
            blamed: list[object] = []
            place: Any = SimpleNamespace(number=1, host=SimpleNamespace(failed=lambda *_: blamed.append(_)))
            member.link.places.update({1: place, 2: place})
            monkeypatch.setattr(member.link, "resume", lambda _: None)
            first.exited.set_result(4)
            assert await member.told() == ""
            assert len(starter.bots) == 2 and len(blamed) == 1
            member.link.places.clear()
            starter.bots[1].exited.set_result(5)
            assert await member.told() == "ended with 5"
            await member.stop()
            for each in starter.bots:
                await each.lose()

    asyncio.run(run())


def test_a_bot_that_was_ready_has_been_though_it_has_ended_by_the_time_that_is_heard(folder: Path) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            starter, member, first = await a_started_member(folder)
            starter.short_lived = True
            first.exited.set_result(4)
            await member.ready_again()
            assert starter.bots[1].exited.done()
            await member.stop()
            for each in starter.bots:
                await each.lose()

    asyncio.run(run())


def test_what_was_made_for_a_bot_goes_even_if_its_end_is_cut_short(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        ending, may_end = asyncio.Event(), asyncio.Event()

        async def slow(self: FakeBot) -> None:
            ending.set()
            await may_end.wait()

        async with asyncio.timeout(30):
            _, member, first = await a_started_member(folder)
            await first.waiters(1)
            monkeypatch.setattr(FakeBot, "ended", slow)
            first.exited.set_result(0)
            await ending.wait()
            stopping = asyncio.create_task(member.stop())
            await asyncio.sleep(0)
            may_end.set()
            await stopping
            assert first.released
            await first.lose()

    asyncio.run(run())


def test_a_bot_that_ends_again_and_again_is_not_started_for_ever(folder: Path) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            starter, member, first = await a_started_member(folder)
            await first.waiters(1)
            starter.lost = True
            first.exited.set_result(4)
            again = asyncio.create_task(member.ready_again())
            for number in (1, 2):
                await until(partial(starter.has, number + 1))
                await starter.bots[number].waiters(2)
                starter.bots[number].exited.set_result(4)
            with pytest.raises(StartError, match="ended with 4 before the deal, again and again"):
                await again
            await member.stop()
            for each in starter.bots:
                await each.lose()

    asyncio.run(run())


@pytest.mark.parametrize("steps", range(1, 13))
def test_a_stop_that_is_cancelled_at_any_step_leaves_nothing(folder: Path, steps: int) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            _, member, first = await a_started_member(folder)
            server = member._server
            assert server is not None and isinstance(server.endpoint, UnixEndpoint)
            stopping = asyncio.create_task(member.stop())
            for _ in range(steps):
                await asyncio.sleep(0)
            stopping.cancel()
            await asyncio.gather(stopping, return_exceptions=True)
            assert first.released
            assert not server.endpoint.path.exists()  # nobody listens
            await first.lose()

    asyncio.run(run())

"""Twin worlds: two deals that differ only in tiles a seat cannot see must be the same bytes to that seat.

Both are played in step, over real gRPC streams, with the same choices, until something differs that the seat may know. Up
to there every message it gets must be equal in both, byte by byte; only what is random by design is masked: the ids of game
and decisions, the commitment and the private seed, each of a width of its own that never changes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from mtref.match.clock import ClockSettings
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.table import TableRun
from mtref.replay.records import BotInfo, Record
from mtref.server.endpoint import UnixEndpoint
from mtref.server.hidden import hidden_pair, seen
from mtref.server.host import Host
from mtref.server.link import Link
from mtref.server.stream import BotServer
from mtref.server.wiring import METHOD, SERVICE, grpc
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.events import Event
from mtref_sdk.moves import STOP_CODE
from mtref_sdk.ruleset import RuleSet

__all__ = ["Compared", "Leak", "compare_worlds"]

WAIT = 60.0
"""Seconds for a message that must come."""


@dataclass(frozen=True, slots=True)
class Leak:
    """The first message that was not the same in both worlds, as hex, masked."""

    message: int
    first: str
    second: str


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
            await stack.enter_async_context(_World(rules, planned, seat, folder / str(number), swap, views))
            for number, swap in enumerate((None, swapped), 1)
        ]
        return await _in_step(worlds, seat, swapped, rng)


async def _in_step(
    worlds: Sequence[_World], seat: int, swapped: tuple[int, int], rng: random.Random
) -> Compared:
    decisions = size = 0
    for world in worlds:
        world.host.begin()
    while True:
        for world in worlds:
            await world.settled()
        one, other = worlds
        same = one.visible(seat) == other.visible(seat) and not one.run.finished
        if same and one.seat_asked == seat:
            decisions += 1
            for world in worlds:
                await world.heard(decisions)
        count = min(len(one.messages), len(other.messages))
        for number in range(count if same else min(count, one.equal_until)):
            first, second = one.messages[number], other.messages[number]
            if first != second:
                leak = Leak(number + 1, first.hex(" "), second.hex(" "))
                return Compared(seat, swapped, number + 1, decisions, size, leak)
        if not same:
            return Compared(seat, swapped, one.equal_until, decisions, size, None)
        one.equal_until = count
        size = sum(map(len, one.messages[:count]))
        if one.seat_asked == seat:
            kind, pick = rng.random(), rng.randrange(1 << 16)
            for world in worlds:
                await world.reply(kind, pick)
            continue
        common = [code for code in one.legal if code in other.legal and code >> 6 not in swapped]
        if not common:
            return Compared(seat, swapped, count, decisions, size, None)
        chosen = rng.choice(common)
        for world in worlds:
            world.host.answered(chosen, 1.0)


class _SwappedRun(TableRun):
    """A table at which two tiles have changed places in every deck."""

    swap: tuple[int, int] | None = None

    def _deck(self, tile_set: int, round_number: int) -> list[int]:
        deck = super()._deck(tile_set, round_number)
        if self.swap is not None:
            one, other = map(deck.index, self.swap)
            deck[one], deck[other] = deck[other], deck[one]
        return deck


class _World:
    """One of the two: a table, the seat's server, and a client of it that writes down what it gets, masked."""

    def __init__(
        self,
        rules: RuleSet,
        planned: PlannedGame,
        seat: int,
        folder: Path,
        swap: tuple[int, int] | None,
        views: bool,  # noqa: FBT001 - passed on
    ) -> None:
        self._options = MatchOptions(rules, clock=ClockSettings(enabled=False))
        self._seats, self._seat, self._views = len(planned.bots), seat, views
        self._folder = folder
        self._planned = planned
        self._events: list[Event] = []
        self.run = _SwappedRun(
            self._planned, self._options, [BotInfo(str(n), "-") for n in planned.bots], self._take
        )
        self.run.swap = swap
        self.messages: list[bytes] = []
        self.equal_until = 0
        self._asked = 0
        self._last: pb.TableUpdate | None = None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._folder.mkdir(mode=0o700)
        link = Link(lambda: self._server.wake(), lambda: None, self._options)  # noqa: PLW0108 - made after it
        self._server = server = BotServer(UnixEndpoint(self._folder / "s"), link, lambda _: None, 0)
        await server.start()
        self._stack.push_async_callback(server.stop)
        others = [
            link if n == self._seat else Link(lambda: None, lambda: None, self._options)
            for n in range(self._seats)
        ]
        channel = await self._stack.enter_async_context(grpc.aio.insecure_channel(server.endpoint.address))
        call: Any = channel.stream_stream(f"/{SERVICE}/{METHOD}")
        self._call = call(metadata=[("authorization", f"Bearer {server.endpoint.token}")])
        view = pb.VIEW_MODE_FULL if self._views else pb.VIEW_MODE_EVENTS
        await self._call.write(pb.FromBot(hello=pb.Hello(protocol=1, view=view)).SerializeToString())
        await self._read()
        self.host = Host(self.run, others)
        await server.flushed()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._call.cancel()
        await self._stack.aclose()

    def _take(self, record: Record) -> None:
        if isinstance(record, Event):
            self._events.append(record)

    @property
    def seat_asked(self) -> int:
        """Who has to decide; -1 when nobody."""
        return -1 if self.run.ask is None else self.run.ask.seat

    @property
    def legal(self) -> tuple[int, ...]:
        """What may be played now."""
        return () if self.run.ask is None else self.run.ask.legal

    async def settled(self) -> None:
        """Somebody is asked, or the game is over; and all there was to be said has been said."""
        while self.run.ask is None and not self.run.finished:  # noqa: ASYNC110 - the host goes on by itself
            await asyncio.sleep(0)
        await self._server.flushed()

    def visible(self, seat: int) -> list[Event]:
        """The events as `seat` may know them. Written apart from `mtref.rules.projection`, which is under test."""
        return [event for event in (seen(event, seat) for event in self._events) if event is not None]

    async def heard(self, decisions: int) -> None:
        """So many decisions have reached the client."""
        while self._asked < decisions:
            await self._read()

    async def reply(self, kind: float, pick: int) -> None:
        """The seat's answer to its last decision: a legal move, or something wrong, and then the default move is played."""
        update = self._last
        assert update is not None
        legal = list(update.decision.legal)
        answer = pb.Answer(table=update.table, decision=update.decision.id, move=legal[pick % len(legal)])
        data = pb.FromBot(answers=[answer]).SerializeToString()
        if self.run.seats[self._seat].strikes < 2 and kind < 0.2:
            if kind < 0.1:
                data = b"\xff\xff"
            else:
                answer.move = STOP_CODE if STOP_CODE not in legal else 31 << 11
                data = pb.FromBot(answers=[answer]).SerializeToString()
        elif kind > 0.9:
            data = pb.FromBot(answers=[pb.Answer(table=1, decision=1, move=0), answer]).SerializeToString()
        before = self.run.ask
        await self._call.write(data)
        async with asyncio.timeout(WAIT):
            while self.run.ask is before:  # noqa: ASYNC110 - the answer comes over a real stream
                await asyncio.sleep(0.001)

    async def _read(self) -> None:
        async with asyncio.timeout(WAIT):
            data = await self._call.read()
        assert isinstance(data, bytes), "the stream has ended"
        message = pb.FromReferee.FromString(data)
        secrets = [self._planned.commitment, self.run.private_seed(self._seat)]
        secrets += [start.game.encode() for start in message.starts]
        for update in message.updates:
            if update.HasField("decision"):
                self._asked += 1
                self._last = update
                secrets.append(update.decision.id.to_bytes(8, "little"))
        secrets += [fault.decision.to_bytes(8, "little") for fault in message.faults if fault.decision]
        for secret in secrets:
            data = data.replace(secret, bytes(len(secret)))
        self.messages.append(data)

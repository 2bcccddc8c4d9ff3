"""A world of the twins: one table with real streams, and everything that one seat was sent, masked.

The seat is played by a client of ours (`ClientWorld`), or by a bot in a process of its own (`BotWorld`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Self

from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.table import TableRun
from mtref.replay.records import BotInfo, Record
from mtref.server.endpoint import UnixEndpoint
from mtref.server.hidden import seen
from mtref.server.host import Host
from mtref.server.link import Link
from mtref.server.member import Member
from mtref.server.messages import parse
from mtref.server.starters import Starter
from mtref.server.stream import BotServer
from mtref.server.watchdog import Watchdog
from mtref.server.wiring import grpc
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.errors import MtrefError, ProtocolError
from mtref_sdk.events import Event
from mtref_sdk.moves import STOP_CODE
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.wire import METHOD

__all__ = ["WAIT", "BotWorld", "ClientWorld", "World"]

WAIT = 60.0
"""Seconds for a message that must come."""


class _SwappedRun(TableRun):
    """A table at which two tiles have changed places in every deck."""

    swap: tuple[int, int] | None = None

    def _deck(self, tile_set: int, round_number: int) -> list[int]:
        deck = super()._deck(tile_set, round_number)
        if self.swap is not None:
            one, other = map(deck.index, self.swap)
            deck[one], deck[other] = deck[other], deck[one]
        return deck


class World:
    """A table in which `swap` may have changed places. Use as ``async with``.

    ``messages`` are those the seat was sent, masked; ``moments`` tells for each of its decisions how many messages had been sent, the
    one with it among them, and how many events had happened.
    """

    host: Host

    def __init__(self, rules: RuleSet, planned: PlannedGame, seat: int, swap: tuple[int, int] | None) -> None:
        self.options = MatchOptions(rules, clock=ClockSettings(enabled=False))
        self.planned, self.seat = planned, seat
        self._events: list[Event] = []
        names = [BotInfo(str(n), "-") for n in planned.bots]
        self.run = _SwappedRun(planned, self.options, names, self._take)
        self.run.swap = swap
        self.messages: list[bytes] = []
        self.moments: list[tuple[int, int]] = []
        self.equal_until = 0
        self._asked = 0
        self._last: pb.TableUpdate | None = None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _open(self) -> None:
        """Seat everybody."""
        raise RuntimeError("a world needs somebody on the seat")

    async def _flushed(self) -> None:
        """All there was to be said has been said."""

    async def heard(self, decisions: int) -> None:
        """So many decisions have been sent to the seat."""

    async def reply(self, kind: float, pick: int) -> None:
        """The seat has answered. `kind`, 0 to 1, and `pick` say what a client of ours answers."""

    def _links(self, link: Link) -> list[Link]:
        """The links of all seats: `link`, and some that lead nowhere."""
        quiet = [Link(lambda: None, lambda: None, self.options) for _ in self.planned.bots]
        quiet[self.seat] = link
        return quiet

    def _take(self, records: Sequence[Record]) -> None:
        self._events += [record for record in records if isinstance(record, Event)]

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
        await self._flushed()

    def visible(self, until: int | None = None) -> list[Event]:
        """The events as the seat may know them; the first `until` if that is given."""
        told = (seen(event, self.seat) for event in self._events[:until])
        return [event for event in told if event is not None]

    def _note(self, data: bytes) -> None:
        """Keep a message to the seat, masked."""
        message = pb.FromReferee.FromString(data)
        secrets = [self.planned.commitment, self.run.private_seed(self.seat)]
        secrets += [start.game.encode() for start in message.starts]
        for update in message.updates:
            if update.HasField("decision"):
                self._asked += 1
                self._last = update
                self.moments.append((len(self.messages) + 1, len(self._events)))
                secrets.append(update.decision.id.to_bytes(8, "little"))
        secrets += [fault.decision.to_bytes(8, "little") for fault in message.faults if fault.decision]
        for secret in secrets:
            data = data.replace(secret, bytes(len(secret)))
        self.messages.append(data)

    async def _answered(self, before: object) -> None:
        async with asyncio.timeout(WAIT):
            while self.run.ask is before:  # noqa: ASYNC110 - the answer comes over a real stream
                await asyncio.sleep(0.001)


class ClientWorld(World):
    """The seat is a client here, over a real stream. `folder` is to be made for its socket; with `views` it asks for whole tables."""

    def __init__(
        self,
        rules: RuleSet,
        planned: PlannedGame,
        seat: int,
        swap: tuple[int, int] | None,
        folder: Path,
        *,
        views: bool,
    ) -> None:
        super().__init__(rules, planned, seat, swap)
        self._folder, self._views = folder, views

    async def _open(self) -> None:
        self._folder.mkdir(mode=0o700)
        link = Link(lambda: self._server.wake(), lambda: None, self.options)  # noqa: PLW0108 - made after it
        self._server = server = BotServer(UnixEndpoint(self._folder / "s"), link, lambda _: None, 0)
        server.start()
        self._stack.push_async_callback(server.stop)
        channel = await self._stack.enter_async_context(grpc.aio.insecure_channel(server.endpoint.address))
        call: Any = channel.stream_stream(METHOD)
        self._call = call(metadata=[("authorization", f"Bearer {server.endpoint.token}")])
        self._stack.push_async_callback(self._part)
        view = pb.VIEW_MODE_FULL if self._views else pb.VIEW_MODE_EVENTS
        await self._call.write(pb.FromBot(hello=pb.Hello(protocol=1, view=view)).SerializeToString())
        await self._read()
        self.host = Host(self.run, self._links(link))
        await server.flushed()

    async def _part(self) -> None:
        """End the stream in good order: of a call that is cancelled gRPC prints a traceback when the loop ends soon after."""
        self._server.close()
        async with asyncio.timeout(WAIT):
            while await self._call.read() is not grpc.aio.EOF:
                pass

    async def _flushed(self) -> None:
        await self._server.flushed()

    async def heard(self, decisions: int) -> None:
        """See `World`: they have reached the client."""
        while self._asked < decisions:
            await self._read()

    async def reply(self, kind: float, pick: int) -> None:
        """See `World`: a legal move, or something wrong, and then the default move is played."""
        update = self._last
        assert update is not None
        legal = list(update.decision.legal)
        answer = pb.Answer(table=update.table, decision=update.decision.id, move=legal[pick % len(legal)])
        data = pb.FromBot(answers=[answer]).SerializeToString()
        if self.run.seats[self.seat].strikes < 2 and kind < 0.2:
            if kind < 0.1:
                data = b"\xff\xff"
            else:
                answer.move = STOP_CODE if STOP_CODE not in legal else 31 << 11
                data = pb.FromBot(answers=[answer]).SerializeToString()
        elif kind > 0.9:
            data = pb.FromBot(answers=[pb.Answer(table=1, decision=1, move=0), answer]).SerializeToString()
        before = self.run.ask
        await self._call.write(data)
        await self._answered(before)

    async def _read(self) -> None:
        async with asyncio.timeout(WAIT):
            data = await self._call.read()
        assert isinstance(data, bytes), "the stream has ended"
        self._note(data)


class _Tap(Link):
    """A link that shows what goes through it."""

    told: Callable[[bytes], None] = lambda _: None
    heard: Callable[[bytes], None] = lambda _: None

    def compose(self, now: float) -> bytes | None:
        """See `Link`."""
        data = super().compose(now)
        if data is not None:
            self.told(data)
        return data

    def received(self, data: bytes, now: float) -> None:
        """See `Link`."""
        self.heard(data)
        super().received(data, now)


class BotWorld(World):
    """The seat is a bot in a process of its own, which `starter` starts."""

    def __init__(
        self,
        rules: RuleSet,
        planned: PlannedGame,
        seat: int,
        swap: tuple[int, int] | None,
        entry: Entry,
        starter: Starter,
        folder: Callable[[], Path],
    ) -> None:
        super().__init__(rules, planned, seat, swap)
        self._watchdog = Watchdog()
        self._chosen: dict[int, int] = {}
        self._ids: list[int] = []
        self._member = Member(
            entry, starter, self._watchdog, self.options, folder, lambda *_, **__: None, link=_Tap
        )

    async def _open(self) -> None:
        link = self._member.link
        assert isinstance(link, _Tap)
        link.told, link.heard = self._note, self._hear
        self._stack.callback(self._watchdog.close)
        self._stack.push_async_callback(self._member.stop)
        await self._member.start()
        self.host = Host(self.run, self._links(link))
        await self._member.told()

    async def settled(self) -> None:
        """Somebody else than the bot is asked, or the game is over. Raises MtrefError when the bot takes too long."""
        limit = asyncio.get_running_loop().time() + WAIT
        while not self.run.finished and self.seat_asked in {-1, self.seat}:
            if asyncio.get_running_loop().time() > limit:
                raise MtrefError(f"took more than {WAIT:g} s for a decision")
            await asyncio.sleep(0.001)
        await self._member.told()

    def answer(self, decision: int) -> int | None:
        """The code the bot chose at one of its decisions, counted from 0; None if it has not."""
        return self._chosen.get(self._ids[decision])

    def _note(self, data: bytes) -> None:
        message = pb.FromReferee.FromString(data)
        self._ids += [update.decision.id for update in message.updates if update.HasField("decision")]
        super()._note(data)

    def _hear(self, data: bytes) -> None:
        with suppress(ProtocolError):  # bytes that are no message choose nothing
            for answer in parse(data).answers:
                self._chosen.setdefault(answer.decision, answer.move)

"""The byte-level side of a seat under whatever a bot may do: games end, and no other bot is blamed or charged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mtref.match.fault import LENIENT, STRICT, FaultPolicy
from mtref.match.options import MatchOptions
from mtref.match.plan import draw_master_seed, plan_games
from mtref.match.table import TableRun
from mtref.replay.digest import GameDigest
from mtref.replay.records import BotInfo, LogDecision, LogFault, Record
from mtref.server.host import Host
from mtref.server.link import Link
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.ruleset import preset

VILLAIN, HONEST = 0, 1


class SeatProtocol(RuleBasedStateMachine):
    """Two bots at one or more tables: one does what hypothesis likes, the other always answers at once."""

    @initialize(tables=st.integers(1, 3), policy=st.sampled_from([LENIENT, STRICT]), full=st.booleans())
    def begin(self, tables: int, policy: FaultPolicy, full: bool) -> None:
        self.now = 1000.0
        self.asked: list[pb.TableUpdate] = []
        self.old: list[int] = []
        self.records: list[Record] = []
        self.loop = asyncio.new_event_loop()
        rules = preset("playboard").with_overrides({"rounds": "1"})
        options = MatchOptions(rules, tables=tables, policy=policy, seed="x")
        self.due: float | None = None  # when a watchdog will look at the villain
        self.deaf = False
        self.links = [Link(changed, self.hung, options) for changed in (self.look, lambda: None)]
        self.links[VILLAIN].full_views = full
        plan = plan_games(draw_master_seed("x"), 2, tables)
        self.digests = [GameDigest() for _ in plan]

        def host(number: int) -> Host:
            def sink(records: Sequence[Record]) -> None:
                self.records += records
                self.digests[number].add_all(records)

            run = TableRun(plan[number], options, [BotInfo("", "")] * 2, sink)
            return Host(run, [self.links[bot] for bot in plan[number].bots], lambda: self.now)

        async def start() -> None:
            self.hosts = [host(number) for number in range(tables)]
            for started in self.hosts:
                started.begin()

        self.loop.run_until_complete(start())
        self.settle()

    def look(self) -> None:
        """What a watchdog does when it is told to."""
        deadline = self.links[VILLAIN].queue.deadline()
        if deadline is not None and (self.due is None or deadline < self.due):
            self.due = deadline

    def hung(self) -> None:
        """The referee kills a process that hangs; it dies at once."""
        self.dead = True

    def act(self, action: Callable[[], object]) -> None:
        async def run() -> None:
            action()
            await asyncio.sleep(0)

        self.dead = False
        self.loop.run_until_complete(run())
        if self.dead:
            self.crash()
        self.settle()

    def settle(self) -> None:
        """Deliver what there is to deliver; the honest bot answers, again and again."""
        while True:
            data = None if self.deaf else self.links[VILLAIN].compose(self.now)
            if data is not None:
                self.asked += [u for u in pb.FromReferee.FromString(data).updates if u.HasField("decision")]
            data = self.links[HONEST].compose(self.now)
            if data is None:
                break
            for update in pb.FromReferee.FromString(data).updates:
                if update.HasField("decision"):
                    self.answer(HONEST, update, update.decision.legal[-1])

    def answer(self, bot: int, update: pb.TableUpdate, move: int) -> None:
        answer = pb.Answer(table=update.table, decision=update.decision.id, move=move)
        data = pb.FromBot(answers=[answer]).SerializeToString()

        async def run() -> None:
            self.links[bot].received(data, self.now)
            self.look()
            await asyncio.sleep(0)

        self.loop.run_until_complete(run())

    def send(self, data: bytes) -> None:
        """The villain sends a message; the watchdog is told to look, as it is after each."""

        def arrives() -> None:
            self.links[VILLAIN].received(data, self.now)
            self.look()

        self.act(arrives)

    # -- what the villain may do

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def answers_something(self, data: st.DataObject) -> None:
        update = self.asked.pop(data.draw(st.integers(0, len(self.asked) - 1)))
        self.old.append(update.decision.id)
        move = data.draw(st.sampled_from(list(update.decision.legal)) | st.integers(0, 2**32 - 1))
        self.answer(VILLAIN, update, move)
        self.settle()

    @precondition(lambda self: self.old)
    @rule(data=st.data(), table=st.integers(0, 4), move=st.integers(0, 2**17))
    def answers_again(self, data: st.DataObject, table: int, move: int) -> None:
        answer = pb.Answer(table=table, decision=data.draw(st.sampled_from(self.old)), move=move)
        self.send(pb.FromBot(answers=[answer]).SerializeToString())

    @rule(data=st.binary(max_size=40))
    def sends_bytes(self, data: bytes) -> None:
        self.send(data)

    @rule(count=st.integers(1, 80), number=st.integers(0, 2**64 - 1))
    def answers_nothing(self, count: int, number: int) -> None:
        data = pb.FromBot(answers=[pb.Answer(table=1, decision=number, move=0)] * count).SerializeToString()
        self.send(data)

    @rule()
    def says_hello_again(self) -> None:
        data = pb.FromBot(hello=pb.Hello(protocol=1)).SerializeToString()
        self.send(data)

    @rule(seconds=st.sampled_from([0.01, 1.0, 1.2, 12.0]))
    def is_silent(self, seconds: float) -> None:
        self.now += seconds
        self.act(lambda: self.expire(VILLAIN))

    @rule()
    def stops_reading_or_goes_on(self) -> None:
        self.deaf = not self.deaf
        self.settle()

    @rule()
    def loses_its_stream(self) -> None:
        self.asked.clear()
        self.act(self.links[VILLAIN].disconnected)
        self.act(lambda: self.links[VILLAIN].resume(self.now))

    @rule()
    def dies(self) -> None:
        self.dead = True
        self.crash()
        self.settle()

    def crash(self) -> None:
        """As a member does: blame, and a fresh process if there are tables left."""
        self.dead = False
        self.asked.clear()
        link = self.links[VILLAIN]

        async def run() -> None:
            link.crashed("gone")
            link.suspend()
            await asyncio.sleep(0)
            link.resume(self.now)

        self.loop.run_until_complete(run())

    def expire(self, bot: int) -> None:
        while self.links[bot].expire(self.now):
            pass
        self.due = None
        self.look()

    # -- what must hold

    @invariant()
    def the_honest_bot_is_never_blamed_and_never_charged(self) -> None:
        for host in getattr(self, "hosts", []):
            seat = host.run.seats[host.run.planned.seat_of(HONEST)]
            assert not seat.faults and not seat.forfeited
            assert not seat.times_ms or max(seat.times_ms) < 1
        assert all(host.done.exception() is None for host in getattr(self, "hosts", []) if host.done.done())

    @invariant()
    def the_watchdog_knows_when_the_time_of_a_decision_is_over(self) -> None:
        deadline = self.links[VILLAIN].queue.deadline() if hasattr(self, "hosts") else None
        assert deadline is None or (self.due is not None and self.due <= deadline)

    @invariant()
    def every_table_waits_for_the_villain_or_is_over(self) -> None:
        for host in getattr(self, "hosts", []):
            ask = host.run.ask
            assert host.run.finished or (ask is not None and ask.seat == host.run.planned.seat_of(VILLAIN))

    def teardown(self) -> None:
        """Left alone, every game ends, with the faults that were recorded."""
        for _ in range(400):
            if all(host.run.finished for host in getattr(self, "hosts", [])):
                break
            self.now += 60.0
            self.act(lambda: self.expire(VILLAIN))
        else:
            raise AssertionError("a game does not end")
        if hasattr(self, "hosts"):
            assert all(host.done.done() for host in self.hosts)
            self.loop.close()
            faults = sum(isinstance(record, LogFault) for record in self.records)
            assert faults == sum(sum(seat.faults.values()) for host in self.hosts for seat in host.run.seats)
            assert any(isinstance(record, LogDecision) for record in self.records)


TestSeatProtocol = SeatProtocol.TestCase
TestSeatProtocol.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_a_decision_that_a_fault_has_answered_costs_no_second_strike_when_nobody_answers_it() -> None:
    protocol = SeatProtocol()
    protocol.begin(tables=1, policy=LENIENT, full=False)
    protocol.is_silent(12.0)  # the first decision: too late, and the bot is busy with it
    protocol.sends_bytes(b"garbage")  # takes its place, and answers the second by default
    protocol.is_silent(1.0)
    protocol.answer(VILLAIN, protocol.asked[-1], protocol.asked[-1].decision.legal[0])  # the third, in time
    protocol.settle()
    protocol.is_silent(0.5)  # the second would be late by now
    faults = [record.kind for record in protocol.records if isinstance(record, LogFault)]
    protocol.teardown()
    assert faults == ["timeout", "malformed_reply"]


def test_of_thousands_of_answers_to_nothing_no_more_are_looked_at_than_can_be_blamed() -> None:
    options = MatchOptions(preset("playboard"))
    link = Link(lambda: None, lambda: None, options)
    link.received(pb.FromBot(answers=[pb.Answer()]).SerializeToString() * 30_000, 0.0)
    assert link._useless == options.limits.flood + 1


def test_a_bot_that_comes_back_gets_the_view_it_asks_for_now() -> None:
    protocol = SeatProtocol()
    protocol.begin(tables=1, policy=LENIENT, full=True)
    link = protocol.links[VILLAIN]
    views = []
    for full in (False, True):
        link.suspend()
        link.full_views = full
        link.resume(protocol.now)
        message = link.compose(protocol.now)
        assert message is not None
        updates = pb.FromReferee.FromString(message).updates
        views += [(update.HasField("view"), bool(update.events)) for update in updates]
    protocol.teardown()
    assert views == [(False, True), (True, False)]


def test_bytes_that_are_no_message_are_malformed_whatever_words_are_in_them() -> None:
    protocol = SeatProtocol()
    protocol.begin(tables=1, policy=LENIENT, full=False)
    protocol.sends_bytes(b"\xffa second hello")
    faults = [record.kind for record in protocol.records if isinstance(record, LogFault)]
    protocol.teardown()
    assert faults == ["malformed_reply"]


def _times_after(honest: int) -> list[float]:
    """What decisions were charged that nobody chose, if a bot that has answered so often floods with its next answer."""
    protocol = SeatProtocol()
    protocol.begin(tables=1, policy=LENIENT, full=False)
    link = protocol.links[VILLAIN]
    for number in range(honest + 1):
        update = protocol.asked[-1]
        answers = [pb.Answer(table=update.table, decision=update.decision.id, move=update.decision.legal[0])]
        if number == honest:
            answers += [pb.Answer(table=update.table, decision=1)] * 100
        before = protocol.now
        protocol.now += 1.0  # so late is it asked again
        link.received(pb.FromBot(answers=answers).SerializeToString(), before)
        protocol.settle()
    made = [record for record in protocol.records if isinstance(record, LogDecision)]
    protocol.teardown()
    return [record.ms for record in made if record.by == "default" and record.ms is not None]


def test_a_decision_that_was_asked_while_a_message_was_looked_at_took_no_time() -> None:
    times = map(_times_after, range(30))
    assert next(filter(None, times)) == [0]  # the first time that it is on move again

"""One game at a table, driven by hand: answers, faults, forfeits, and what the bots are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from mtref.match.clock import ClockSettings
from mtref.match.fault import LENIENT, STRICT, FaultKind, FaultPolicy, Treatment
from mtref.match.options import MatchOptions
from mtref.match.plan import draw_master_seed, plan_games
from mtref.match.question import Ask
from mtref.match.table import TableRun
from mtref.replay.digest import GameDigest
from mtref.replay.records import BotInfo, LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref_sdk.events import BoneyardStacked, HandDealt, RoundStarted, TileDrawn
from mtref_sdk.moves import STOP_CODE
from mtref_sdk.ruleset import preset
from mtref_sdk.varint import numbers
from mtref_sdk.wire import unpack

Policy = Callable[[Ask], int]


class Table:
    """A table and everything it recorded."""

    def __init__(
        self,
        rules: str = "playboard",
        seats: int = 3,
        *,
        policy: FaultPolicy = LENIENT,
        clock: ClockSettings | None = None,
        skip_forced: bool = False,
    ) -> None:
        options = MatchOptions(
            preset(rules), seed="t", policy=policy, clock=clock or ClockSettings(), skip_forced=skip_forced
        )
        planned = plan_games(draw_master_seed("t"), seats, 1)[0]
        self.records: list[Record] = []
        self.digest = GameDigest()
        self.run = TableRun(planned, options, [BotInfo(str(n), "-") for n in range(seats)], self.take)

    def take(self, records: Sequence[Record]) -> None:
        self.records += records
        self.digest.add_all(records)

    @property
    def ask(self) -> Ask:
        assert self.run.ask is not None
        return self.run.ask

    def until_asked(self, seat: int) -> Ask:
        while self.ask.seat != seat:
            self.run.answer(best(self.ask), 1.0)
        return self.ask

    def play_out(self, policy: Policy) -> None:
        while not self.run.finished:
            if self.run.ask is None:
                self.run.advance()
            else:
                self.run.answer(policy(self.run.ask), 1.0)

    def faults(self) -> list[tuple[int, str, str]]:
        return [(r.seat, r.kind, r.done) for r in self.records if isinstance(r, LogFault)]

    def decisions(self) -> list[LogDecision]:
        return [record for record in self.records if isinstance(record, LogDecision)]


def best(ask: Ask) -> int:
    return max(ask.legal, key=lambda code: 0 if code == STOP_CODE else (code >> 11) + (code >> 6 & 31))


def first(ask: Ask) -> int:
    return ask.legal[0]


def noting(asked: list[Ask], policy: Policy) -> Policy:
    """A policy that plays as another and notes what it was asked."""

    def note(ask: Ask) -> int:
        asked.append(ask)
        return policy(ask)

    return note


def only(seat: int, there: Policy, elsewhere: Policy = best) -> Policy:
    return lambda ask: there(ask) if ask.seat == seat else elsewhere(ask)


def test_a_game_ends_with_an_end_record_and_the_seed_after_it() -> None:
    table = Table()
    table.run.start()
    table.play_out(best)
    table.run.reveal_seed()
    header, end, seed = table.records[0], table.records[-2], table.records[-1]
    assert isinstance(header, LogHeader) and isinstance(end, LogEnd) and isinstance(seed, SeedRevealed)
    assert header.commitment == table.run.planned.commitment
    assert seed.seed == table.run.planned.deal_seed
    assert end.totals == table.run.game.totals and len(end.scores) == 4
    assert end.faults == ({}, {}, {})


def test_decision_ids_are_random_and_never_repeated() -> None:
    asked: list[Ask] = []
    for _ in range(2):
        table = Table()
        table.run.start()
        table.play_out(noting(asked, best))
    ids = [ask.id for ask in asked]
    assert len(set(ids)) == len(ids)
    assert max(ids) > 2**60


@pytest.mark.parametrize("code", [STOP_CODE | 1, 5 << 6 | 31 << 1, 2**32 - 1, 31 << 11])
def test_a_number_that_is_no_move_is_malformed(code: int) -> None:
    table = Table()
    table.run.start()
    asked = table.ask
    table.run.answer(code, 1.0)
    assert table.faults() == [(asked.seat, "malformed_reply", "default_move")]
    assert table.decisions()[-1].move == asked.legal[0]
    assert table.decisions()[-1].by == "default"


def test_an_illegal_move_costs_a_strike_and_the_default_move_is_played() -> None:
    table = Table()
    table.run.start()
    asked = table.ask
    table.run.answer(STOP_CODE, 1.0)
    assert table.faults() == [(asked.seat, "illegal_move", "default_move")]
    message = next(record.message for record in table.records if isinstance(record, LogFault))
    assert "may not play stop" in message and "R-" in message
    assert table.ask.id != asked.id


def test_a_lift_is_legal_only_where_it_is_offered() -> None:
    table = Table()
    table.run.start()
    assert not table.ask.may_lift
    table.run.answer(table.ask.legal[0] | 1, 1.0)
    assert [kind for _, kind, _ in table.faults()] == ["illegal_move"]


def test_the_third_strike_forfeits_and_the_seat_is_not_asked_again() -> None:
    table = Table()
    table.run.start()
    seen: list[Ask] = []
    table.play_out(only(1, noting(seen, lambda _: STOP_CODE)))
    assert len(seen) == 3
    assert [done for _, _, done in table.faults()] == ["default_move", "default_move", "forfeit"]
    assert table.run.places[1] == 3
    assert all(decision.by == "default" for decision in table.decisions() if decision.seat == 1)


@pytest.mark.parametrize("rules", ["playboard", "traditional", "cubano-no-cover", "cubano-forgetful"])
def test_a_forfeited_game_equals_one_in_which_the_default_policy_plays(rules: str) -> None:
    control, villain = Table(rules), Table(rules)
    for table in (control, villain):
        table.run.start()
    control.play_out(only(1, first))
    villain.play_out(only(1, lambda _: 31 << 11))
    assert villain.digest.hexdigest() == control.digest.hexdigest()
    assert villain.run.game.totals == control.run.game.totals


def test_strict_forfeits_at_the_first_fault() -> None:
    table = Table(policy=STRICT)
    table.run.start()
    seat = table.ask.seat
    table.run.answer(STOP_CODE, 1.0)
    assert table.faults() == [(seat, "illegal_move", "forfeit")]
    assert table.run.seats[seat].forfeited


def test_a_crash_out_of_turn_forfeits_without_touching_the_decision_at_hand() -> None:
    table = Table()
    table.run.start()
    asked = table.ask
    other = (asked.seat + 1) % 3
    assert table.run.fail(other, FaultKind.CRASH, "gone") is Treatment.FORFEIT
    assert table.run.ask is asked
    table.play_out(best)
    assert table.run.places[other] == 3


def test_a_counted_fault_leaves_the_decision_open() -> None:
    table = Table()
    table.run.start()
    asked = table.ask
    table.run.fail(asked.seat, FaultKind.STALE_REPLY, "old")
    assert table.run.ask is asked
    assert table.faults() == [(asked.seat, "stale_reply", "counted")]


@pytest.mark.parametrize("kind", list(FaultKind))
def test_a_fault_that_only_counts_never_keeps_a_game_from_going_on(kind: FaultKind) -> None:
    free = FaultPolicy("free", 3, dict.fromkeys(FaultKind, Treatment.COUNTED))
    table = Table(policy=free)
    table.run.start()
    asked = table.ask
    assert table.run.fail(asked.seat, kind, "wrong") is Treatment.COUNTED
    open_still = kind in (FaultKind.STALE_REPLY, FaultKind.DISCONNECT)
    assert (table.run.ask is asked) == open_still
    done = "counted" if open_still else "default_move"
    assert table.faults() == [(asked.seat, kind.value, done)]
    assert not table.run.seats[asked.seat].forfeited


def test_who_has_forfeited_has_no_more_faults() -> None:
    table = Table()
    table.run.start()
    seat = table.ask.seat
    for _ in range(3):
        table.run.fail(seat, FaultKind.CRASH, "gone")
    assert table.faults() == [(seat, "crash", "forfeit")]


def test_when_everybody_forfeits_the_game_still_ends_and_all_share_the_place() -> None:
    table = Table("traditional", 10)
    table.run.start()
    for seat in range(10):
        table.run.fail(seat, FaultKind.CRASH, "gone")
    slices = 0  # it goes in slices, so that other tables are not held up
    while not table.run.finished:
        table.run.advance()
        slices += 1
    assert slices > 10
    assert table.run.places == (1,) * 10


def test_a_late_answer_is_a_timeout_and_empties_the_bank() -> None:
    table = Table(clock=ClockSettings(move_ms=100, bank_ms=50, margin_ms=10))
    table.run.start()
    asked = table.ask
    table.run.answer(best(asked), 161.0)
    assert table.faults() == [(asked.seat, "timeout", "default_move")]
    assert table.run.seats[asked.seat].clock.bank_ms == 0
    assert table.decisions()[0].move == asked.legal[0]


def test_the_bank_is_told_with_each_decision_and_grows_each_round() -> None:
    table = Table(clock=ClockSettings(move_ms=100, bank_ms=50, margin_ms=0, increment_ms=7))
    table.run.start()
    seat = table.ask.seat
    assert (table.ask.move_ms, table.ask.bank_ms) == (100, 50)
    table.run.answer(best(table.ask), 130.0)
    assert table.until_asked(seat).bank_ms == 20
    rounds = 1
    while rounds == 1:
        table.run.answer(best(table.ask), 1.0)
        rounds = table.run.game.round_number
    assert table.until_asked(seat).bank_ms == 27


def test_without_a_clock_no_times_are_told() -> None:
    table = Table(clock=ClockSettings(enabled=False))
    table.run.start()
    assert (table.ask.move_ms, table.ask.bank_ms) == (None, None)


def test_forced_moves_are_not_asked_with_skip_forced_and_the_game_is_the_same() -> None:
    asking, skipping = Table(), Table(skip_forced=True)
    asked: list[Ask] = []
    for table in (asking, skipping):
        table.run.start()
    asking.play_out(best)
    skipping.play_out(noting(asked, best))
    assert min(len(ask.legal) for ask in asked) > 1
    assert {decision.by for decision in skipping.decisions()} == {"bot", "forced"}
    assert asking.digest.hexdigest() == skipping.digest.hexdigest()


@pytest.mark.parametrize("rules", ["playboard", "traditional", "online-table-family"])
def test_a_seat_is_told_all_events_but_what_is_hidden_from_it(rules: str) -> None:
    table = Table(rules)
    table.run.start()
    table.play_out(best)
    for seat in table.run.seats:
        told = unpack(numbers(seat.take_news()))
        assert not seat.take_news()
        public = [record for record in table.records if type(record) in {type(event) for event in told}]
        assert len(told) == len(public)
        for event, truth in zip(told, public, strict=True):
            if isinstance(truth, HandDealt) and isinstance(event, HandDealt):
                assert event.tiles == (truth.tiles if truth.seat == seat.number else None)
            elif isinstance(truth, TileDrawn) and isinstance(event, TileDrawn):
                assert event.tile == (truth.tile if truth.seat == seat.number else None)
            elif isinstance(truth, RoundStarted) or event.name != "engine_search_drawn":
                assert event == truth
        assert not any(isinstance(event, BoneyardStacked) for event in told)

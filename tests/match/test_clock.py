"""The clock as a value: move time, bank, margin, increment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mtref.match.clock import Clock, ClockSettings

SETTINGS = ClockSettings(move_ms=1000, bank_ms=10_000, increment_ms=500, margin_ms=100)


def test_the_defaults_are_the_documented_ones() -> None:
    settings = ClockSettings()
    assert (settings.move_ms, settings.bank_ms, settings.increment_ms) == (1000, 10_000, 0)
    assert (settings.margin_ms, settings.startup_ms, settings.enabled) == (100, 30_000, True)


def test_the_bank_is_untouched_within_the_move_time_and_the_margin() -> None:
    clock = Clock.full(SETTINGS)
    assert clock.after(1000).bank_ms == 10_000
    assert clock.after(1100).bank_ms == 10_000


def test_the_bank_pays_for_what_lies_beyond() -> None:
    assert Clock.full(SETTINGS).after(1101).bank_ms == 9999
    assert Clock.full(SETTINGS).after(3100).after(2100).bank_ms == 7000


def test_an_answer_counts_up_to_move_time_bank_and_margin() -> None:
    clock = Clock(SETTINGS, 50)
    assert clock.allowed_ms == 1150
    assert clock.in_time(1150) and not clock.in_time(1150.1)
    assert clock.after(5000).bank_ms == 0


def test_a_round_adds_the_increment() -> None:
    assert Clock(SETTINGS, 50).next_round().bank_ms == 550
    assert Clock.full(ClockSettings()).next_round() == Clock.full(ClockSettings())


def test_without_a_clock_nothing_is_charged_and_nothing_is_late() -> None:
    clock = Clock.full(ClockSettings(enabled=False))
    assert clock.allowed_ms is None and clock.settings.to_dict() is None
    assert clock.in_time(1e9) and clock.after(1e9) is clock


@given(
    st.lists(st.floats(0, 20_000), max_size=40), st.floats(0, 5000), st.floats(0, 20_000), st.floats(0, 500)
)
def test_the_bank_is_what_the_formula_says_and_never_negative(
    times: list[float], move_ms: float, bank_ms: float, margin_ms: float
) -> None:
    settings = ClockSettings(move_ms=move_ms, bank_ms=bank_ms, margin_ms=margin_ms)
    clock, expected = Clock.full(settings), bank_ms
    for elapsed in times:
        in_time = clock.in_time(elapsed)
        clock = clock.after(elapsed)
        expected = max(0.0, expected - max(0.0, elapsed - move_ms - margin_ms))
        assert 0 <= clock.bank_ms <= bank_ms
        assert abs(clock.bank_ms - expected) < 1e-6
        assert in_time or clock.bank_ms == 0


@given(st.floats(0, 1000))
def test_hundreds_of_moves_within_the_move_time_cost_nothing(elapsed: float) -> None:
    clock = Clock.full(SETTINGS)
    for _ in range(300):
        assert clock.in_time(elapsed)
        clock = clock.after(elapsed)
    assert clock.bank_ms == SETTINGS.bank_ms

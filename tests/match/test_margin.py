"""Margins between bots: one observation for each deal, and an interval that keeps its promise."""

from __future__ import annotations

from random import Random
from statistics import NormalDist

import pytest

from mtref.match.margin import Margin, margins


def test_a_margin_is_the_mean_difference_over_deals() -> None:
    (margin,) = margins([("1", (10, 30)), ("2", (20, 30)), ("3", (30, 60))])
    assert (margin.bot, margin.other, margin.deals, margin.mean) == (0, 1, 3, -20.0)
    assert margin.low == pytest.approx(-20 - 4.3027 * 10 / 3**0.5)
    assert margin.high == pytest.approx(-20 + 4.3027 * 10 / 3**0.5)
    assert str(margin) == "-20.0 ± 24.8"
    assert not margin.is_clear


def test_games_of_one_deal_are_one_observation() -> None:
    """Seats moved over the same cards: what the cards gave the one they gave the other too."""
    single = margins([("1", (40, 20)), ("2", (70, 40))])
    double = margins([("1", (0, 100)), ("1", (80, -60)), ("2", (100, 10)), ("2", (40, 70))])
    assert double == single
    assert double[0].deals == 2


def test_a_single_deal_has_no_error_bar() -> None:
    (margin,) = margins([("1", (10, 30)), ("1", (20, 30))])
    assert (margin.deals, margin.mean, margin.low, margin.high) == (1, -15.0, None, None)
    assert str(margin) == "-15.0"
    assert not margin.is_clear


def test_every_pair_has_a_margin() -> None:
    found = margins([("1", (1, 2, 4)), ("2", (1, 2, 4))])
    assert [(margin.bot, margin.other, margin.mean) for margin in found] == [
        (0, 1, -1.0),
        (0, 2, -3.0),
        (1, 2, -2.0),
    ]
    assert all(margin.is_clear for margin in found)


def test_no_games_have_no_margins() -> None:
    assert margins([]) == ()


def test_a_margin_told_of_the_other_bot() -> None:
    margin = Margin(0, 1, 5, -3.0, -4.0, -2.0)
    assert margin.reversed == Margin(1, 0, 5, 3.0, 2.0, 4.0)
    assert margin.reversed.reversed == margin
    assert margin.is_clear and margin.reversed.is_clear


@pytest.mark.parametrize(
    ("deals", "quantile"),
    [
        (2, 12.7062),
        (3, 4.3027),
        (11, 2.2281),
        (12, 2.2010),
        (13, 2.1788),
        (31, 2.0423),
        (200, 1.9720),
        (5000, 1.9604),
    ],
)
def test_the_interval_uses_students_t(deals: int, quantile: float) -> None:
    differences = [1.0, -1.0] * (deals // 2) + [0.0] * (deals % 2)
    margin = Margin.of(0, 1, differences)
    spread = (sum(value**2 for value in differences) / (deals - 1)) ** 0.5
    assert margin.high == pytest.approx(quantile * spread / deals**0.5, rel=1e-4)


@pytest.mark.parametrize("deals", [4, 15, 60])
def test_nineteen_of_twenty_intervals_hold_the_truth(deals: int) -> None:
    rng = Random(deals)
    tries = 2000
    held = 0
    for _ in range(tries):
        margin = Margin.of(0, 1, [rng.gauss(5, 40) for _ in range(deals)])
        assert margin.low is not None and margin.high is not None
        held += margin.low <= 5 <= margin.high
    doubt = NormalDist().inv_cdf(0.9999) * (0.95 * 0.05 / tries) ** 0.5
    assert abs(held / tries - 0.95) < doubt

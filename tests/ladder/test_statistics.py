"""Tables are functions of the set of games: order-free, over deals, with ties, and honest about what they do not know."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.ladder.intervals import Moments, estimate, t_quantile
from mtref.ladder.rating import ELO, groups, rate
from mtref.ladder.records import GameRecord
from mtref.ladder.standings import OrderBy, Standings, compare, crosstable, standings
from mtref.ladder.tally import Tally
from tests.ladder.journals import game


def some_games(seed: int, bots: int, seats: int, count: int, spread: int = 40) -> list[GameRecord]:
    """Random games in which the bot with the lower number tends to score less, with some ties and forfeits."""
    rng = random.Random(seed)
    games = []
    for number in range(count):
        table = rng.sample(range(bots), seats)
        totals = {f"b{bot}": max(0, 3 * bot + rng.randint(0, spread)) for bot in table}
        gone = [bot for bot in totals if rng.random() < 0.05]
        games.append(game(number, number // 4, totals, forfeited=gone))
    return games


def table_of(tally: Tally, order_by: OrderBy = "score") -> Standings:
    return standings(tally.sums(), tally.seats, order_by)


def moments(deals: Iterable[tuple[int, int]]) -> Moments:
    """Of deals, each with its number of games and the sum of their values."""
    found = Moments()
    for games, total in deals:
        found.add_deal(games, total)
    return found


@given(st.integers(0, 99), st.integers(2, 6), st.sampled_from(["score", "rating"]))
@settings(max_examples=30)
def test_shuffling_the_games_changes_nothing(seed: int, seats: int, order_by: OrderBy) -> None:
    games = some_games(seed, 6, seats, 60)
    shuffled = random.Random(seed + 1).sample(games, len(games))
    one, two = (Tally(seats, found) for found in (games, shuffled))
    assert table_of(one, order_by) == table_of(two, order_by)
    assert crosstable(one.sums(), ["b0", "b1", "b2"]) == crosstable(two.sums(), ["b0", "b1", "b2"])


def test_a_row_says_what_happened() -> None:
    tally = Tally(
        2,
        [
            game(1, 1, {"a": 10, "b": 30}),
            game(2, 1, {"b": 20, "a": 20}),
            game(3, 2, {"a": 0, "b": 50}, forfeited=["a"], faults={"a": {"crash": 1}}),
        ],
    )
    a, b = sorted(table_of(tally, "score").rows, key=lambda row: row.bot)
    assert (a.games, a.wins, a.forfeits, a.faults, a.decisions) == (3, 2, 1, {"crash": 1}, 30)
    assert a.mean_place == pytest.approx((1 + 1 + 2) / 3)
    assert a.relative.mean == pytest.approx((-10 + 0 + 0) / 3), (
        "a forfeiter counts as the highest of the table"
    )
    assert b.relative.mean == pytest.approx(10 / 3)
    assert (b.wins, b.faults) == (2, {})
    assert (a.place, b.place) == (1, 2)


def test_equal_bots_share_a_place() -> None:
    tally = Tally(
        2, [game(1, 1, {"a": 1, "b": 2}), game(2, 1, {"b": 1, "a": 2}), game(3, 1, {"c": 9, "a": 0})]
    )
    tally.add(game(4, 1, {"c": 9, "b": 0}))
    orders: tuple[OrderBy, ...] = ("score", "rating")
    for order_by in orders:
        rows = table_of(tally, order_by).rows
        assert [(row.place, row.bot) for row in rows] == [(1, "a"), (1, "b"), (3, "c")]


def test_identical_bots_on_rotated_deals_differ_by_exactly_zero() -> None:
    rng = random.Random(3)
    tally = Tally(3)
    for deal in range(20):
        by_seat = [rng.randint(0, 99) for _ in range(3)]
        for turn in range(3):
            bots = [f"b{(seat - turn) % 3}" for seat in range(3)]
            tally.add(game(3 * deal + turn, deal, dict(zip(bots, by_seat, strict=True))))
    for cell in crosstable(tally.sums(), ["b0", "b1", "b2"]).values():
        assert (cell.difference.mean, cell.difference.half) == (0.0, 0.0)
    for row in table_of(tally, "score").rows:
        assert (row.place, row.relative.mean, row.relative.half) == (1, 0.0, 0.0)
        assert row.relative.gain is None, "a gain without end is not a number"


def test_one_deal_has_no_interval_however_many_games_were_played_on_it() -> None:
    tally = Tally(2, [game(n, 1, {"a": n, "b": 2 * n}) for n in range(50)])
    [first, _] = table_of(tally, "score").rows
    assert first.relative.half is None and first.rating.half is None and not first.relative.significant


def test_the_interval_is_over_deals_not_over_games() -> None:
    few = estimate(moments([(1, 0), (1, 10)]))
    many = estimate(moments([(50, 0), (50, 500)]))
    assert few.mean == many.mean == 5
    assert few.half == many.half == pytest.approx(12.706 * 5)


def test_quantiles_of_student() -> None:
    known = {1: 12.706, 5: 2.571, 11: 2.201, 15: 2.131, 30: 2.042, 60: 2.000, 120: 1.980, 10**9: 1.960}
    for freedom, value in known.items():
        assert t_quantile(freedom) == pytest.approx(value, abs=6e-4)


@pytest.mark.parametrize("deals", [3, 8, 40])
def test_ninety_five_percent_of_intervals_hold_the_truth(deals: int) -> None:
    rng = random.Random(deals)
    held = 0
    for _ in range(2000):
        blocks = []
        for _ in range(deals):
            luck = rng.gauss(0, 20)  # of the deal: all its games share it
            blocks.append((4, round(sum(luck + rng.gauss(5, 10) for _ in range(4)))))
        found = estimate(moments(blocks))
        assert found.half is not None
        held += abs(found.mean - 5) <= found.half
    assert 0.935 <= held / 2000 <= 0.965


def test_the_gain_of_duplicates_is_measured() -> None:
    rng = random.Random(1)
    alike, opposed = [], []
    for _ in range(400):
        luck = rng.randint(-20, 20)
        alike.append([luck, luck])
        opposed.append([luck, 3 - luck])
    gains = []
    for deals in (alike, opposed):
        squares = sum(value * value for deal in deals for value in deal)
        gains.append(estimate(moments((2, sum(deal)) for deal in deals), 1, squares).gain)
    assert gains[0] == pytest.approx(0.5, rel=0.05), "two games alike are worth one"
    assert gains[1] is None, "games that cancel exactly leave no error to compare with"


def play(rng: random.Random, strengths: dict[str, float], seats: int, number: int) -> GameRecord:
    """A game in which the finishing order is drawn from the strengths (Plackett and Luce)."""
    table = rng.sample(sorted(strengths), seats)
    order = sorted(table, key=lambda bot: rng.expovariate(1) / math.exp(strengths[bot]))
    return game(number, number // 4, {bot: 10 * order.index(bot) for bot in table})


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_recover_strengths_and_their_intervals_hold_them(seats: int) -> None:
    rng = random.Random(seats)
    strengths = {f"b{n}": (n - 4.5) / 4 for n in range(10)}
    held = wanted = 0
    for _ in range(12):
        tally = Tally(seats, [play(rng, strengths, seats, number) for number in range(1200)])
        for bot, rating in rate(sorted(strengths), tally.sums()).items():
            assert rating.points / ELO == pytest.approx(strengths[bot], abs=0.35)
            assert rating.half is not None
            wanted += 1
            held += abs(rating.points / ELO - strengths[bot]) <= rating.half / ELO
    assert held / wanted >= 0.9


@pytest.mark.parametrize("seats", range(2, 11))
def test_bots_that_always_share_a_place_have_the_same_rating(seats: int) -> None:
    totals = {f"b{n}": 10 * max(0, n - 1) for n in range(seats)}  # two winners, then 10, 20, …
    tally = Tally(seats, [game(n, n, totals) for n in range(20)])
    ratings = rate(sorted(totals), tally.sums())
    assert ratings["b0"].points == pytest.approx(ratings["b1"].points, abs=1e-9)
    order = sorted(ratings, key=lambda bot: -ratings[bot].points)
    assert set(order[:2]) == {"b0", "b1"} and order[2:] == sorted(order[2:])
    assert math.fsum(rating.points for rating in ratings.values()) == pytest.approx(0, abs=1e-6)


def test_all_draws_are_all_zero() -> None:
    tally = Tally(3, [game(n, n, {"a": 5, "b": 5, "c": 5}) for n in range(5)])
    assert {rating.points for rating in rate(["a", "b", "c"], tally.sums()).values()} == {0.0}


def test_a_bot_that_won_everything_has_a_finite_rating() -> None:
    tally = Tally(2, [game(n, n, {"a": 1, "b": 5}) for n in range(1000)])
    ratings = rate(["a", "b"], tally.sums())
    assert 800 < ratings["a"].points - ratings["b"].points < 4000


def test_a_newcomer_that_played_few_deals_has_no_narrow_interval() -> None:
    rng = random.Random(5)
    games = [play(rng, {"a": 0.5, "b": 0.0, "c": -0.5}, 2, number) for number in range(200)]
    one = [*games, game(1000, 900, {"a": 1, "new": 5}), game(1001, 900, {"b": 5, "new": 1})]
    two = [*one, game(1002, 901, {"a": 5, "new": 1}), game(1003, 901, {"c": 1, "new": 5})]
    after_one, after_two = (rate(["a", "b", "c", "new"], Tally(2, played).sums()) for played in (one, two))
    assert after_one["new"].half is None
    old, new = after_two["a"].half, after_two["new"].half
    assert old is not None and new is not None and new > 3 * old


def test_bots_that_never_met_are_in_different_groups() -> None:
    tally = Tally(
        2, [game(1, 1, {"a": 1, "b": 5}), game(2, 1, {"c": 1, "d": 5}), game(3, 1, {"d": 1, "e": 2})]
    )
    assert groups(sorted(tally.sums().bots), tally.sums().pairs) == [["c", "d", "e"], ["a", "b"]]
    table = table_of(tally, "score")
    assert table.groups == 2
    assert [(row.group, row.place, row.bot) for row in table.rows] == [
        (1, 1, "c"),
        (1, 2, "e"),
        (1, 3, "d"),
        (2, 1, "a"),
        (2, 2, "b"),
    ]
    assert compare(tally.sums(), "a", "c") is None


def test_a_comparison_reads_the_same_from_both_sides() -> None:
    games = some_games(5, 4, 3, 80)
    tally = Tally(3, games)
    there, back = compare(tally.sums(), "b0", "b3"), compare(tally.sums(), "b3", "b0")
    assert there is not None and back is not None
    assert there.difference.mean == -back.difference.mean and there.difference.half == back.difference.half
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    assert there.wins + there.ties + there.losses == there.difference.games
    shared = [
        {seat.bot: seat.counted for seat in found.seats}
        for found in games
        if {"b0", "b3"} <= {seat.bot for seat in found.seats}
    ]
    assert there.difference.mean == pytest.approx(sum(s["b0"] - s["b3"] for s in shared) / len(shared))


def test_an_empty_ladder_has_an_empty_table() -> None:
    table = table_of(Tally(2))
    assert (table.rows, table.games, table.gain, table.groups) == ((), 0, None, 0)


def test_the_normal_quantile_is_the_limit_of_student() -> None:
    assert t_quantile(10**12) == pytest.approx(NormalDist().inv_cdf(0.975))

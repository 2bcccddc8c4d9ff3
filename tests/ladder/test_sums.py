"""Intervals from sums are those that the deals, looked at one by one, would give."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence

import pytest

from mtref.ladder.intervals import t_quantile
from mtref.ladder.rating import ELO, rate
from mtref.ladder.records import GameRecord
from mtref.ladder.standings import compare, standings
from mtref.ladder.sums import Sums
from mtref.ladder.sumsplain import sums_from_plain, sums_to_plain
from mtref.ladder.tally import Tally
from tests.ladder.journals import game


def some_games(seed: int, seats: int, deals: int, *, alike: bool) -> list[GameRecord]:
    """Games in which later bots score more. With `alike` all deals have the same tables, as in a plan; else any."""
    rng = random.Random(seed)
    bots = [f"b{number}" for number in range(5)]
    tables = [rng.sample(bots, seats) for _ in range(6)]
    games: list[GameRecord] = []
    for deal in range(deals):
        luck = {bot: rng.randint(0, 20) for bot in bots}
        played = tables if alike else [rng.sample(bots, seats) for _ in range(rng.randint(1, 6))]
        for table in played:
            totals = {bot: 4 * int(bot[1]) + luck[bot] + rng.randint(0, 20) for bot in table}
            games.append(game(len(games), deal, totals, forfeited=[b for b in table if rng.random() < 0.05]))
    return games


def half_of(deviations: Sequence[float], deals: int) -> float:
    squares = math.fsum(value * value for value in deviations)
    return t_quantile(deals - 1) * math.sqrt(squares * deals / (deals - 1))


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_interval_of_a_score_is_that_of_its_deals_one_by_one(seats: int, alike: bool) -> None:
    games = some_games(seats, seats, 30, alike=alike)
    for row in standings(Tally(seats, games).sums(), seats, "score").rows:
        by_deal: dict[int, list[float]] = defaultdict(list)
        for found in games:
            mean = sum(seat.counted for seat in found.seats) / seats
            by_deal[found.deal] += [seat.counted - mean for seat in found.seats if seat.bot == row.bot]
        values = [score for scores in by_deal.values() for score in scores]
        mean = sum(values) / len(values)
        deviations = [sum(score - mean for score in scores) for scores in by_deal.values() if scores]
        assert row.relative.mean == pytest.approx(mean)
        assert row.relative.half == pytest.approx(half_of(deviations, len(deviations)) / len(values))


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_interval_of_a_rating_is_that_of_its_deals_one_by_one(seats: int, alike: bool) -> None:
    games = some_games(seats, seats, 30, alike=alike)
    bots = sorted({seat.bot for found in games for seat in found.seats})
    ratings = rate(bots, Tally(seats, games).sums())
    strength = {bot: rating.points / ELO for bot, rating in ratings.items()}
    # Raw strengths are such that the imaginary games that all have drawn cancel.
    low, high, offset = -9.0, 9.0, 0.0
    for _ in range(100):
        offset = (low + high) / 2
        drawn = sum(0.5 - _chance(strength[bot] + offset, 0.0) for bot in bots)
        low, high = (offset, high) if drawn > 0 else (low, offset)
    pull: dict[tuple[str, str], float] = defaultdict(float)
    for bot in bots:
        chance = _chance(strength[bot] + offset, 0.0)
        pull[bot, bot] = chance * (1 - chance)
    moved: dict[int, dict[str, float]] = defaultdict(lambda: dict.fromkeys(bots, 0.0))
    for found in games:
        for one in found.seats:
            for two in found.seats:
                if one.bot != two.bot:
                    chance = _chance(strength[one.bot], strength[two.bot])
                    score = 1.0 if one.place < two.place else 0.5 if one.place == two.place else 0.0
                    moved[found.deal][one.bot] += score - chance
                    weight = chance * (1 - chance)
                    pull[one.bot, two.bot] -= weight
                    pull[one.bot, one.bot] += weight
    present = {
        bot: {found.deal for found in games for seat in found.seats if seat.bot == bot} for bot in bots
    }
    moves = [_solution(pull, bots, push) for push in moved.values()]
    for number, bot in enumerate(bots):
        deviations = [move[number] - sum(move) / len(move) for move in moves]
        assert ratings[bot].half == pytest.approx(half_of(deviations, len(present[bot])) * ELO)


def _chance(one: float, two: float) -> float:
    return 1 / (1 + math.exp(two - one))


def _solution(pull: dict[tuple[str, str], float], bots: Sequence[str], push: dict[str, float]) -> list[float]:
    """The solution of pull · x = push, by Gauss and Jordan: by how much strengths move when scores do."""
    size = len(bots)
    rows = [[pull[a, b] for b in bots] + [push[a]] for a in bots]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("alike", [True, False])
def test_sums_of_parts_add_up_and_survive_being_written_down(alike: bool) -> None:
    games = some_games(1, 3, 40, alike=alike)
    whole = Tally(3, games).sums()
    rng = random.Random(2)
    parts: list[list[GameRecord]] = [[] for _ in range(4)]
    of_deal = {deal: rng.randrange(4) for deal in range(40)}
    for found in rng.sample(games, len(games)):
        parts[of_deal[found.deal]].append(found)
    added = Sums()
    for part in parts:
        added.add(sums_from_plain(sums_to_plain(Tally(3, part).sums())))
    assert added == whole
    assert len(whole.alike) == 1 if alike else len(whole.alike) > 30


def test_settling_deals_changes_nothing_and_they_take_no_more_games() -> None:
    games = some_games(3, 3, 10, alike=False)
    tally = Tally(3)
    for found in games:
        tally.add(found)
        tally.sums()
    for deal in (3, 7, 99):
        tally.settle(deal)
    assert tally.sums() == Tally(3, games).sums()
    assert tally.games == len(games)
    with pytest.raises(ValueError, match="deal 7 is settled"):
        tally.add(next(found for found in games if found.deal == 7))


def test_bots_that_always_tie_have_a_difference_without_any_error() -> None:
    tally = Tally(2, [game(n, n, {"a": n % 7, "b": n % 7}) for n in range(100)])
    cell = compare(tally.sums(), "a", "b")
    assert cell is not None and (cell.difference.mean, cell.difference.half) == (0.0, 0.0)
    assert [rating.half for rating in rate(["a", "b"], tally.sums()).values()] == [0.0, 0.0]

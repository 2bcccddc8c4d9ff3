"""The plan is balanced by construction: for any bots, seats, deals and format."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations, product
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.ladder.balance import balanced_seats
from mtref.ladder.config import LadderConfig
from mtref.ladder.schedule import ScheduledGame, batches, games, tables_of
from mtref.ladder.swiss import swiss_tables
from mtref.ladder.tables import all_tables, seat_order
from mtref_sdk.errors import ConfigError
from tests.ladder.ladders import make_config

SIZES = st.integers(2, 8).flatmap(lambda bots: st.tuples(st.just(bots), st.integers(2, min(bots, 5))))


def starter_from(seed: int, seats: int) -> Callable[[int], int]:
    return lambda deal: random.Random(f"{seed}/{deal}").randrange(seats)


def planned(config: LadderConfig, seed: int = 0) -> list[ScheduledGame]:
    deals = range(1, config.deals + 1)
    return list(games(batches(tables_of(config), deals, config, starter_from(seed, config.seats))))


def spread(counts: Iterable[int]) -> int:
    found = list(counts)
    return max(found) - min(found)


def meetings(plan: Sequence[ScheduledGame]) -> Counter[tuple[int, ...]]:
    return Counter(pair for game in plan for pair in combinations(sorted(game.bots), 2))


def seat_counts(plan: Sequence[ScheduledGame], bots: int, seats: int) -> list[list[int]]:
    return [[sum(game.bots[seat] == bot for game in plan) for seat in range(seats)] for bot in range(bots)]


def starts(plan: Sequence[ScheduledGame], starter: Callable[[int], int]) -> Counter[int]:
    return Counter(game.bots[starter(game.deal)] for game in plan)


@given(SIZES, st.integers(1, 5), st.sampled_from([1, 2, 16]), st.integers(0, 99))
def test_with_rotations_everything_is_exactly_equal(
    sizes: tuple[int, int], deals: int, reuse: int, seed: int
) -> None:
    bots, seats = sizes
    plan = planned(make_config(bots, seats, settings=f"deals: {deals}\nreuse: {reuse}"), seed)
    assert len(plan) == comb(bots, seats) * deals * seats
    assert spread(Counter(bot for game in plan for bot in game.bots)[bot] for bot in range(bots)) == 0
    assert spread(meetings(plan)[pair] for pair in combinations(range(bots), 2)) == 0
    assert spread(count for counts in seat_counts(plan, bots, seats) for count in counts) == 0
    assert spread(starts(plan, starter_from(seed, seats))[bot] for bot in range(bots)) == 0


@given(SIZES, st.integers(1, 9), st.integers(0, 99))
def test_with_random_seats_starts_differ_by_one_at_most_and_seats_too_where_that_is_possible(
    sizes: tuple[int, int], deals: int, seed: int
) -> None:
    bots, seats = sizes
    plan = planned(make_config(bots, seats, settings=f"deals: {deals}\nrotation: random"), seed)
    assert len(plan) == comb(bots, seats) * deals
    starter = starter_from(seed, seats)
    assert spread(starts(plan, starter)[bot] for bot in range(bots)) <= 1
    by_starter = Counter(starter(deal) for deal in range(1, deals + 1))
    # With two seats and an odd number of games from each starting seat, equal starts mean unequal seats.
    impossible = seats == 2 and all(by_starter[seat] * (bots - 1) % 2 for seat in range(2))
    impossible = impossible or bots == seats  # a few games of one table: see the next test
    counts = seat_counts(plan, bots, seats)
    assert max(spread(row[seat] for row in counts) for seat in range(seats)) <= (2 if impossible else 1)


@settings(max_examples=40)
@given(st.data())
def test_random_seats_are_as_fair_as_any_seats_could_be(data: st.DataObject) -> None:
    bots = data.draw(st.integers(2, 4))
    seats = data.draw(st.integers(2, min(bots, 3)))
    tables = all_tables(bots, seats)
    most = next(n for n in range(6, 0, -1) if factorial(seats) ** (len(tables) * n) <= 5_000 or n == 1)
    drawn = data.draw(st.lists(st.integers(0, seats - 1), min_size=1, max_size=most))
    played = [(table, seat) for seat in drawn for table in tables]

    def unfairness(seated: Sequence[Sequence[int]]) -> tuple[int, int]:
        share = len(played) * seats // bots / seats
        starting = Counter(order[seat] for order, (_, seat) in zip(seated, played, strict=True))
        sitting = Counter((bot, seat) for order in seated for seat, bot in enumerate(order))
        outside = [abs(starting[bot] - share) >= 1 for bot in range(bots)]
        return sum(outside), sum(
            abs(sitting[bot, seat] - share) >= 1 for bot in range(bots) for seat in range(seats)
        )

    if factorial(seats) ** len(played) <= 50_000:
        best = min(
            unfairness(choice) for choice in product(*(list(permutations(table)) for table, _ in played))
        )
        assert unfairness(balanced_seats(played, bots)) == best


@given(SIZES, st.integers(1, 4), st.integers(0, 7))
def test_in_a_gauntlet_everybody_else_meets_the_challenger_equally_often(
    sizes: tuple[int, int], deals: int, challenger: int
) -> None:
    bots, seats = sizes
    name = f"b{challenger % bots}"
    plan = planned(
        make_config(bots, seats, settings=f"deals: {deals}\nformat: {{gauntlet: {{challenger: {name}}}}}")
    )
    assert len(plan) == comb(bots - 1, seats - 1) * deals * seats
    assert all(challenger % bots in game.bots for game in plan)
    others = [bot for bot in range(bots) if bot != challenger % bots]
    assert spread(Counter(bot for game in plan for bot in game.bots)[bot] for bot in others) == 0
    assert spread(meetings(plan)[pair] for pair in combinations(others, 2)) == 0 if len(others) > 1 else True
    counts = seat_counts(plan, bots, seats)
    assert all(spread(row) == 0 for row in counts)


@given(SIZES, st.sampled_from(["rotations", "random"]))
def test_any_first_part_of_a_plan_is_nearly_fair(sizes: tuple[int, int], rotation: str) -> None:
    bots, seats = sizes
    plan = planned(make_config(bots, seats, settings=f"deals: 3\nrotation: {rotation}"))
    counts = [0] * bots
    for game in plan:
        for bot in game.bots:
            counts[bot] += 1
        assert spread(counts) <= 2


@given(SIZES, st.integers(1, 6), st.sampled_from(["rotations", "random"]), st.sampled_from([1, 3]))
def test_numbers_deals_and_seatings_are_in_order_and_never_repeat(
    sizes: tuple[int, int], deals: int, rotation: str, reuse: int
) -> None:
    config = make_config(*sizes, settings=f"deals: {deals}\nrotation: {rotation}\nreuse: {reuse}")
    plan = planned(config)
    assert [game.number for game in plan] == list(range(1, len(plan) + 1))
    assert {game.deal for game in plan} == set(range(1, deals + 1))
    assert len({(game.deal, game.bots) for game in plan}) == len(plan)
    per_deal = Counter(game.deal for game in plan)
    assert len(set(per_deal.values())) == 1, "all pairings share one list of deals"


@given(SIZES, st.integers(1, 6), st.sampled_from(["rotations", "random"]))
def test_a_batch_holds_one_table_and_no_deal_twice(sizes: tuple[int, int], deals: int, rotation: str) -> None:
    config = make_config(*sizes, settings=f"deals: {deals}\nrotation: {rotation}\nreuse: 4")
    for batch in batches(tables_of(config), range(1, deals + 1), config, lambda _: 0):
        assert len({frozenset(game.bots) for game in batch.games}) == 1
        assert len({game.deal for game in batch.games}) == len(batch.games) <= 4


@given(SIZES, st.integers(1, 6), st.sampled_from(["rotations", "random"]))
def test_reuse_changes_the_order_and_never_the_games(
    sizes: tuple[int, int], deals: int, rotation: str
) -> None:
    plans = [
        planned(make_config(*sizes, settings=f"deals: {deals}\nrotation: {rotation}\nreuse: {reuse}"))
        for reuse in (1, 3)
    ]
    assert {(game.deal, game.bots) for game in plans[0]} == {(game.deal, game.bots) for game in plans[1]}


def test_more_deals_add_games_and_change_none() -> None:
    short, long = (planned(make_config(5, 3, settings=f"deals: {deals}")) for deals in (2, 5))
    assert long[: len(short)] == short


def test_the_order_around_a_table_changes_from_deal_to_deal() -> None:
    orders = {seat_order((0, 1, 2, 3), deal) for deal in range(1, 7)}
    assert len(orders) == 6
    assert seat_order((0, 1, 2, 3), 7) == seat_order((0, 1, 2, 3), 1)


def test_bots_of_one_author_never_share_a_table_unless_the_file_allows() -> None:
    authors = ["x", "x", "y", "z", "z"]
    plan = planned(make_config(5, 3, authors=authors))
    assert plan and all(len({authors[bot] for bot in game.bots}) == 3 for game in plan)
    allowed = planned(make_config(5, 3, authors=authors, settings="same_author: true"))
    assert len(allowed) == comb(5, 3) * 3


def test_authors_that_leave_no_table_are_an_error() -> None:
    with pytest.raises(ConfigError, match=r"ladder.yaml:5: bots: no table of 2 can be made"):
        tables_of(make_config(2, 2, authors=["x", "x"]))


@given(st.integers(2, 13), st.integers(2, 5), st.integers(1, 8), st.integers(0, 99))
def test_swiss_stages_keep_numbers_of_games_within_one(bots: int, seats: int, stages: int, seed: int) -> None:
    seats = min(seats, bots)
    rng = random.Random(seed)
    played: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for _ in range(stages):
        standing = rng.sample(range(bots), bots)
        tables = swiss_tables(standing, seats, played, met)
        seated = [bot for table in tables for bot in table]
        assert len(tables) == bots // seats and len(set(seated)) == len(seated)
        played.update(seated)
        met.update(pair for table in tables for pair in combinations(table, 2))
        assert spread(played[bot] for bot in range(bots)) <= 1


def test_swiss_neighbours_meet_and_do_not_meet_again_while_others_wait() -> None:
    met: Counter[tuple[int, int]] = Counter()
    for expected in ([(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]):
        tables = swiss_tables([0, 1, 2, 3], 2, {}, met)
        assert tables == expected
        met.update((min(table), max(table)) for table in tables)


@given(st.data())
def test_swiss_tables_keep_authors_apart_and_seat_everybody_they_can(data: st.DataObject) -> None:
    tables_wanted, seats = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 4))
    authors: list[str | None] = []
    for seat in range(seats):  # as many bots of an author as there are tables can always be seated
        authors += [f"author {seat}" if data.draw(st.booleans()) else None] * tables_wanted
    standing = data.draw(st.permutations(range(len(authors))))
    tables = swiss_tables(standing, seats, {}, {}, authors)
    assert len(tables) == tables_wanted
    for table in tables:
        known = [authors[bot] for bot in table if authors[bot]]
        assert len(known) == len(set(known))

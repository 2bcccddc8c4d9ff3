"""Whom a new bot meets, and which tables tell neighbours in the standings apart."""

from __future__ import annotations

from collections import Counter

import pytest

from mtref.ladder.pairing import Standing, arrival_tables, separating_tables


def order(*places: tuple[float, float | None], authors: str = "", contents: str = "") -> list[Standing]:
    return [
        Standing(
            bot=number,
            content=contents[number] if contents else str(number),
            author=authors[number] if authors else None,
            group=1,
            points=points,
            half=half,
        )
        for number, (points, half) in enumerate(places)
    ]


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("count", [5, 6, 9, 20])
def test_a_new_bot_meets_all_others_equally_often_at_different_tables(count: int, seats: int) -> None:
    tables = arrival_tables(count, range(count), seats, lambda _: None)
    assert len(set(tables)) == len(tables) == (1 if seats == count + 1 else count)
    assert all(count in table and len(set(table)) == seats for table in tables)
    sat = Counter(bot for table in tables for bot in table if bot != count)
    assert len(sat) == count and max(sat.values()) - min(sat.values()) <= 1


def test_there_is_no_table_for_a_new_bot_when_there_are_too_few_it_may_meet() -> None:
    assert arrival_tables(2, [0, 1], 4, lambda _: None) == []
    assert arrival_tables(2, [0, 1], 2, lambda _: "ann") == []
    assert arrival_tables(2, [0, 1], 2, {0: "ann", 1: "bob", 2: "ann"}.get) == [(1, 2)]


def test_the_neighbours_whose_intervals_overlap_most_meet() -> None:
    standing = order((200, 10), (150, 60), (120, 60), (-100, 10))
    assert separating_tables(standing, 2) == [(1, 2)]


def test_nobody_meets_who_is_told_apart_or_equal_by_content() -> None:
    assert separating_tables(order((200, 10), (100, 10), (0, 10)), 2) == []
    assert separating_tables(order((0, 10), (0, 10), contents="xx"), 2) == []


def test_what_is_not_known_comes_first() -> None:
    assert separating_tables(order((100, 90), (90, 90), (0, None), (-300, 5)), 2)[0] in {(1, 2), (2, 3)}
    lone = [Standing(0, "a", None, 1, 0.0, 5.0), Standing(1, "b", None, 2, 0.0, 5.0)]
    assert separating_tables(lone, 2) == [(0, 1)]


def test_larger_tables_take_the_nearest_and_everybody_sits_once() -> None:
    standing = order((50, 60), (40, 60), (30, 60), (-200, 60), (-210, 60), (-220, 60))
    assert sorted(separating_tables(standing, 3)) == [(0, 1, 2), (3, 4, 5)]
    assert separating_tables(standing[:2], 3) == []


def test_authors_stay_apart() -> None:
    assert separating_tables(order((10, 60), (0, 60), (-10, 60), authors="aab"), 2) == [(1, 2)]


def test_neighbours_who_are_as_good_as_equal_play_no_more() -> None:
    assert separating_tables(order((1, 10.1), (0, 10.1)), 2) == [(0, 1)]
    assert separating_tables(order((1, 10), (0, 10)), 2) == []

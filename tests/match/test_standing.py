"""Places and counted scores."""

from __future__ import annotations

import pytest

from mtref.match.standing import counted_totals, places_of


@pytest.mark.parametrize(
    ("totals", "forfeited", "places", "counted"),
    [
        ((10, 20, 30), (0, 0, 0), (1, 2, 3), (10, 20, 30)),
        ((10, 10, 30), (0, 0, 0), (1, 1, 3), (10, 10, 30)),
        ((10, 20, 30), (1, 0, 0), (3, 1, 2), (30, 20, 30)),
        ((10, 20, 30), (1, 0, 1), (2, 1, 2), (30, 20, 30)),
        ((10, 20, 20, 5), (0, 0, 0, 1), (1, 2, 2, 4), (10, 20, 20, 20)),
        ((7, 7), (1, 1), (1, 1), (7, 7)),
        ((0, 0, 0), (0, 0, 1), (1, 1, 3), (0, 0, 0)),
    ],
)
def test_forfeiters_share_the_last_place_and_the_highest_score(
    totals: tuple[int, ...], forfeited: tuple[int, ...], places: tuple[int, ...], counted: tuple[int, ...]
) -> None:
    gone = [bool(flag) for flag in forfeited]
    assert places_of(totals, gone) == places
    assert counted_totals(totals, gone) == counted

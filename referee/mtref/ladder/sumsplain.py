"""Sums as plain JSON values and back, as they are kept in a journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from mtref.ladder.intervals import Moments
from mtref.ladder.sums import Alike, BotSums, PairSums, Played, Sums

__all__ = ["sums_from_plain", "sums_to_plain"]


def sums_to_plain(sums: Sums) -> dict[str, Any]:
    """Everything in it; numbers stand in the order of the fields of their classes."""
    return {
        "games": sums.games,
        "milliseconds": sums.milliseconds,
        "bots": {
            bot: [*_numbers(found.played), dict(found.played.faults), *astuple(found.relative)]
            for bot, found in sums.bots.items()
        },
        "pairs": [
            [*names, found.wins, found.ties, found.losses, *astuple(found.difference)]
            for names, found in sums.pairs.items()
        ],
        "alike": [
            [line_up, found.deals, found.points, found.products] for line_up, found in sums.alike.items()
        ],
    }


def sums_from_plain(plain: Mapping[str, Any]) -> Sums:
    """The sums that `sums_to_plain` made it of."""
    sums = Sums(plain["games"], plain["milliseconds"])
    for bot, row in plain["bots"].items():
        played = Played(*[*row[:8], Counter(row[8])])
        sums.bots[bot] = BotSums(played, Moments(*row[9:]))
    for one, two, wins, ties, losses, *moments in plain["pairs"]:
        sums.pairs[one, two] = PairSums(wins, ties, losses, Moments(*moments))
    for line_up, deals, points, products in plain["alike"]:
        sums.alike[tuple([(one, two, games) for one, two, games in line_up])] = Alike(deals, points, products)
    return sums


def _numbers(played: Played) -> tuple[float, ...]:
    return (
        played.games,
        played.places,
        played.wins,
        played.forfeits,
        played.decisions,
        played.microseconds,
        played.longest_ms,
        played.squares,
    )

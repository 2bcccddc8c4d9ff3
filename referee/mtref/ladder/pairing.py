"""Who sits together once bots come in: a new one with all the others, and neighbours that are not told apart yet. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Standing", "arrival_tables", "separating_tables"]


CLOSE = 10.0
"""Points of rating: neighbours who are both known as exactly as that are as good as equal, and not worth more games."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot's place: its rating with half of its interval, None where there is none, and the group it can be compared in."""

    bot: int
    content: str
    author: str | None
    group: int
    points: float
    half: float | None


def arrival_tables(
    new: int, others: Sequence[int], seats: int, author: Callable[[int], str | None]
) -> list[tuple[int, ...]]:
    """Different tables of a new bot with others, each as ascending indices: with two seats one for each of the others.

    With more seats each of the others begins a table, joined by those who come after it, all around; so they sit equally often.
    No two bots of one `author`, who is not None, share a table: whoever may not join is passed over.
    """
    found: dict[tuple[int, ...], None] = {}
    for start in range(len(others)):
        table = [new]
        for bot in (*others[start:], *others[:start]):
            apart = author(bot) is None or all(author(one) != author(bot) for one in table)
            if len(table) < seats and apart:
                table.append(bot)
        if len(table) == seats and others[start] in table:
            found[tuple(sorted(table))] = None
    return list(found)


def separating_tables(order: Sequence[Standing], seats: int) -> list[tuple[int, ...]]:
    """Tables for bots that stand in this order, best first, each as ascending indices; no bot sits at two of them.

    Each table holds two neighbours, those with the largest overlap first, and the bots nearest to them. There is none
    for neighbours whose intervals lie apart or are as narrow as `CLOSE`, nor for bots of the same content, which are equal. Bots of one author, who is not None,
    never share a table.
    """
    found: list[tuple[int, ...]] = []
    free = set(range(len(order)))
    places = [place for place in range(len(order) - 1) if _overlap(order[place], order[place + 1]) > 0]
    for place in sorted(places, key=lambda place: (-_overlap(order[place], order[place + 1]), place)):
        table: list[int] = []
        for other in sorted(free, key=lambda other: (abs(2 * (other - place) - 1), other)):
            if len(table) < seats and _may_join(order, table, other):
                table.append(other)
        if len(table) == seats and {place, place + 1} <= set(table):
            free -= set(table)
            found.append(tuple(sorted(order[one].bot for one in table)))
    return found


def _overlap(one: Standing, two: Standing) -> float:
    """By how many points the intervals of two neighbours overlap; without end where nothing is known."""
    if one.content == two.content:
        return -math.inf
    if one.group != two.group or one.half is None or two.half is None:
        return math.inf
    if max(one.half, two.half) <= CLOSE:
        return -math.inf
    return one.half + two.half - abs(one.points - two.points)


def _may_join(order: Sequence[Standing], table: Sequence[int], other: int) -> bool:
    author = order[other].author
    return author is None or all(order[one].author != author for one in table)

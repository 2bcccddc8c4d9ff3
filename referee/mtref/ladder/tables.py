"""Which bots sit together: every table of k bots, in an order in which any first part of it is nearly fair. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, factorial

__all__ = ["Authors", "all_tables", "count_tables", "seat_order", "tables_against"]

Authors = Sequence[str | None]
"""The author of each bot, or None where none is known."""


def all_tables(bots: int, seats: int, authors: Authors | None = None) -> list[tuple[int, ...]]:
    """Every table of `seats` out of `bots`, as ascending indices; with `authors`, at most one bot of each at a table.

    In any first part of the list the numbers of tables of the bots lie close together.
    """
    return list(_interleaved(bots, seats, authors))


def tables_against(
    challenger: int, bots: int, seats: int, authors: Authors | None = None
) -> list[tuple[int, ...]]:
    """Every table of `seats` at which the challenger sits, in such an order too."""
    others = [bot for bot in range(bots) if bot != challenger]
    tables = (
        tuple(sorted((challenger, *(others[i] for i in table))))
        for table in _interleaved(bots - 1, seats - 1, None)
    )
    return [table for table in tables if authors is None or _allowed(table, authors)]


def count_tables(bots: int, seats: int) -> int:
    """How many tables `all_tables` gives without authors."""
    return comb(bots, seats)


def seat_order(table: Sequence[int], deal: int) -> tuple[int, ...]:
    """The bots of a table in the order they sit in at the first rotation of a deal (1, 2, …).

    The order around the table changes from deal to deal, through all of them in turn, so that nobody always plays
    right after the same other bot.
    """
    first, *rest = table
    index = (deal - 1) % factorial(len(rest))
    order = [first]
    while rest:
        position, index = divmod(index, factorial(len(rest) - 1))
        order.append(rest.pop(position))
    return tuple(order)


def _allowed(table: Iterable[int], authors: Authors) -> bool:
    known = [authors[bot] for bot in table if authors[bot] is not None]
    return len(known) == len(set(known))


def _interleaved(bots: int, seats: int, authors: Authors | None) -> Iterator[tuple[int, ...]]:
    """The tables circle by circle (those that differ only by moving every bot on), each circle in the fairest order."""
    counts = [0] * bots
    for first in combinations(range(bots), seats):
        if first[0] != 0 or not _is_least(first, bots):
            continue
        circle = {tuple(sorted((bot + step) % bots for bot in first)) for step in range(bots)}
        waiting = sorted(table for table in circle if authors is None or _allowed(table, authors))
        while waiting:
            chosen = min(waiting, key=lambda table: (sum(counts[bot] for bot in table), table))
            waiting.remove(chosen)
            for bot in chosen:
                counts[bot] += 1
            yield chosen


def _is_least(table: tuple[int, ...], bots: int) -> bool:
    """Whether no table of its circle that holds bot 0 comes before it."""
    return all(table <= tuple(sorted((bot - start) % bots for bot in table)) for start in table)

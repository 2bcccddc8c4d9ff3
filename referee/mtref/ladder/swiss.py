"""Who sits together in the next stage of a swiss ladder: neighbours in the standings who have met least. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mtref.ladder.tables import Authors

__all__ = ["swiss_tables"]


def swiss_tables(
    standing: Sequence[int],
    seats: int,
    games: Mapping[int, int],
    meetings: Mapping[tuple[int, int], int],
    authors: Authors | None = None,
) -> list[tuple[int, ...]]:
    """The tables of the next stage, each as ascending indices.

    `standing` holds every bot, best first; `games` how many games each has been given so far, `meetings` how many of
    them a pair (lower index first) shared. When the bots do not fill whole tables, those with most games sit out, the
    lowest in the standings first among equals; so numbers of games stay within one stage's of each other. With
    `authors`, at most one bot of each at a table; a bot for which that leaves no table sits out too.
    """
    rank = {bot: place for place, bot in enumerate(standing)}
    sit_out = sorted(standing, key=lambda bot: (-games.get(bot, 0), -rank[bot]))[: len(standing) % seats]
    waiting = [bot for bot in standing if bot not in sit_out]
    tables: list[tuple[int, ...]] = []
    while len(waiting) >= seats:
        table = [_first(waiting, seats, authors)]
        waiting.remove(table[0])
        while len(table) < seats:
            partner = _partner(table, waiting, seats, meetings, authors)
            if partner is None:
                break
            table.append(partner)
            waiting.remove(partner)
        if len(table) == seats:
            tables.append(tuple(sorted(table)))
        else:
            waiting = sorted([*waiting, *table[1:]], key=rank.__getitem__)
    return tables


def _first(waiting: Sequence[int], seats: int, authors: Authors | None) -> int:
    """The best bot that waits, or one of an author who needs a seat at every table that is left."""
    urgent = _urgent(waiting, len(waiting) // seats, authors)
    return next((bot for bot in waiting if bot in urgent), waiting[0])


def _partner(
    table: Sequence[int],
    waiting: Sequence[int],
    seats: int,
    meetings: Mapping[tuple[int, int], int],
    authors: Authors | None,
) -> int | None:
    """The bot to join a table: one who must, then who has met its bots least, then the best."""
    taken = set() if authors is None else {authors[bot] for bot in table} - {None}
    allowed = [bot for bot in waiting if authors is None or authors[bot] not in taken]
    urgent = _urgent(allowed, (len(waiting) + len(table)) // seats, authors)

    def met(bot: int) -> int:
        return sum(meetings.get((min(bot, other), max(bot, other)), 0) for other in table)

    return min(allowed, key=lambda bot: (bot not in urgent, met(bot), waiting.index(bot)), default=None)


def _urgent(bots: Sequence[int], tables: int, authors: Authors | None) -> set[int]:
    """The bots of authors with as many bots as there are tables left to make."""
    if authors is None:
        return set()
    counts = Counter(authors[bot] for bot in bots)
    return {bot for bot in bots if authors[bot] is not None and counts[authors[bot]] >= tables}

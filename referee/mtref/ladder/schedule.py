"""What a ladder plays and in which order, as a pure function of its settings. Results matter to swiss ladders alone.

A *batch* is the unit of work: one table's games on some different deals, so that the bots' processes can be the same
and yet never meet a deal twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mtref.ladder.balance import balanced_seats
from mtref.ladder.config import LadderConfig
from mtref.ladder.tables import Authors, all_tables, seat_order, tables_against

__all__ = ["Batch", "ScheduledGame", "authors_of", "batches", "games", "tables_of"]


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game: its number in the plan from 1, its deal from 1, and the index of the bot on each seat."""

    number: int
    deal: int
    bots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Games of the same bots, not always on the same seats, each on a deal of its own, in the order of their numbers."""

    games: tuple[ScheduledGame, ...]


def authors_of(config: LadderConfig) -> Authors | None:
    """The authors that have to be kept apart, or None if nobody is."""
    return None if config.same_author else [bot.author for bot in config.bots]


def tables_of(config: LadderConfig) -> list[tuple[int, ...]]:
    """The tables of every deal of a round robin or a gauntlet. Raises ConfigError when the authors leave none."""
    bots, seats, authors = len(config.bots), config.seats, authors_of(config)
    if config.format.kind == "gauntlet":
        assert config.format.challenger is not None
        tables = tables_against(config.index_of(config.format.challenger), bots, seats, authors)
    else:
        tables = all_tables(bots, seats, authors)
    if not tables:
        raise config.error("bots", f"no table of {config.seats} can be made of bots of different authors")
    return tables


def batches(
    tables: Sequence[tuple[int, ...]],
    deals: Sequence[int],
    config: LadderConfig,
    starter: Callable[[int], int],
    first_number: int = 1,
) -> Iterator[Batch]:
    """The batches in which every table plays every deal.

    Deals come in groups of ``config.reuse``; within a group, each rotation in turn is played at all tables. So any
    first part of the plan is nearly fair, and a deal's last table is played soon after its first. `starter` tells the
    seat drawn to start a deal; only random seats ask for it.
    """
    number = first_number
    for seated in _groups(tables, deals, config, starter):
        yield Batch(tuple(ScheduledGame(number + n, deal, bots) for n, (deal, bots) in enumerate(seated)))
        number += len(seated)


def games(found: Iterator[Batch]) -> Iterator[ScheduledGame]:
    """The games of some batches, in the order of their numbers."""
    return (game for batch in found for game in batch.games)


_Seated = tuple[int, tuple[int, ...]]
"""A deal, and the bots of a table in some order."""


def _groups(
    tables: Sequence[tuple[int, ...]],
    deals: Sequence[int],
    config: LadderConfig,
    starter: Callable[[int], int],
) -> Iterator[list[_Seated]]:
    """The games of each batch."""
    drawn: dict[_Seated, tuple[int, ...]] = {}
    if config.rotation == "random":
        pairs = [(deal, table) for deal in deals for table in tables]
        bots = max(len(config.bots), 1 + max(map(max, tables), default=0))
        seated = balanced_seats([(table, starter(deal)) for deal, table in pairs], bots)
        drawn = dict(zip(pairs, seated, strict=True))
    for start in range(0, len(deals), config.reuse):
        group = deals[start : start + config.reuse]
        if config.rotation == "random":
            for table in tables:
                yield [(deal, drawn[deal, table]) for deal in group]
        else:
            for rotation in range(config.seats):
                for table in tables:
                    yield [(deal, _turned(seat_order(table, deal), rotation)) for deal in group]


def _turned(bots: tuple[int, ...], rotation: int) -> tuple[int, ...]:
    """Every bot moved on by so many seats."""
    return bots[len(bots) - rotation :] + bots[: len(bots) - rotation]

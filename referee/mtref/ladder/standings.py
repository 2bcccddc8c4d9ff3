"""The table of a ladder, the crosstable and the comparison of two bots, all from `Sums`. Nothing is stored here."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mtref.ladder.intervals import Estimate, estimate
from mtref.ladder.rating import Rating, groups, rate
from mtref.ladder.sums import BotSums, PairSums, Sums

__all__ = ["Cell", "OrderBy", "Row", "Standings", "compare", "crosstable", "order_of", "standings"]

OrderBy = Literal["score", "rating"]


@dataclass(frozen=True, slots=True)
class Row:
    """One bot. ``place`` counts within its group, equal ones share it; ``group`` is 1 for the largest.

    ``relative`` is the mean of its score minus the mean score of the table, in pips a game: low is good. ``wins``
    counts first places, shared ones too. ``faults`` stand apart: they have changed the rest only through forfeits.
    """

    place: int
    group: int
    bot: str
    games: int
    mean_place: float
    relative: Estimate
    rating: Rating
    wins: int
    forfeits: int
    faults: Mapping[str, int]
    decisions: int
    seconds: float
    longest_ms: float


@dataclass(frozen=True, slots=True)
class Standings:
    """Every bot that has a result, group by group. With more than one group, bots of different ones do not compare.

    ``gain`` is the median over the bots of what playing deals more than once has gained; see `Estimate`.
    """

    order_by: OrderBy
    rows: tuple[Row, ...]
    games: int
    gain: float | None

    @property
    def groups(self) -> int:
        """How many groups there are that never met."""
        return max((row.group for row in self.rows), default=0)


@dataclass(frozen=True, slots=True)
class Cell:
    """Two bots at one table: the mean of the first's score minus the second's, and how often who came before whom."""

    difference: Estimate
    wins: int
    ties: int
    losses: int


def order_of(kind: str) -> OrderBy:
    """What a format's places go by: where not everybody meets everybody, only the rating is fair to all."""
    return "score" if kind == "round-robin" else "rating"


def standings(sums: Sums, seats: int, order_by: OrderBy, shown: Container[str] | None = None) -> Standings:
    """The table of all bots with a result, or of those that are `shown`; `seats` is how many sit at each table.

    The others' games count for who met whom, and how.
    """
    rows: list[Row] = []
    number = 0
    for group in groups(list(sums.bots), sums.pairs):
        listed = [bot for bot in group if shown is None or bot in shown]
        if not listed:
            continue
        number += 1
        ratings = rate(group, sums, listed)
        unplaced = [_row(number, bot, sums.bots[bot], ratings[bot], seats) for bot in listed]
        keys = {row.bot: row.relative.mean if order_by == "score" else -row.rating.points for row in unplaced}
        for row in sorted(unplaced, key=lambda row: (keys[row.bot], row.bot)):
            place = 1 + sum(key < keys[row.bot] for key in keys.values())
            rows.append(replace(row, place=place))
    gains = sorted(row.relative.gain for row in rows if row.relative.gain is not None)
    return Standings(order_by, tuple(rows), sums.games, gains[len(gains) // 2] if gains else None)


def crosstable(sums: Sums, order: Sequence[str]) -> dict[tuple[str, str], Cell]:
    """For every two of these bots that met, in both directions, how the first did against the second."""
    cells: dict[tuple[str, str], Cell] = {}
    for one in order:
        for two in order:
            cell = compare(sums, one, two)
            if cell is not None:
                cells[one, two] = cell
    return cells


def compare(sums: Sums, one: str, two: str) -> Cell | None:
    """How the first did against the second, or None if they never met."""
    if one > two:
        cell = compare(sums, two, one)
        return None if cell is None else _mirrored(cell)
    pair = sums.pairs.get((one, two))
    return None if pair is None else _cell(pair)


def _cell(pair: PairSums) -> Cell:
    return Cell(estimate(pair.difference), pair.wins, pair.ties, pair.losses)


def _mirrored(cell: Cell) -> Cell:
    was = cell.difference
    difference = Estimate(0.0 - was.mean, was.half, was.games, was.deals)
    return Cell(difference, cell.losses, cell.ties, cell.wins)


def _row(group: int, bot: str, sums: BotSums, rating: Rating, seats: int) -> Row:
    played = sums.played
    return Row(
        place=0,
        group=group,
        bot=bot,
        games=played.games,
        mean_place=played.places / played.games,
        relative=estimate(sums.relative, seats, played.squares),
        rating=rating,
        wins=played.wins,
        forfeits=played.forfeits,
        faults=dict(sorted(played.faults.items())),
        decisions=played.decisions,
        seconds=played.microseconds / 1e6,
        longest_ms=played.longest_ms,
    )

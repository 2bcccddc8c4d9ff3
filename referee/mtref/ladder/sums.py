"""Sums over the games of whole deals: all that tables and ratings are computed from, and nothing about single deals.

They are whole numbers (and largest ones) that add up, so it makes no difference in which order games come, or in which
parts they are added. What a rating needs of a deal depends on who met whom on it; deals with the same line-up share a sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from mtref.ladder.intervals import Moments

__all__ = ["Alike", "BotSums", "DealSums", "LineUp", "PairSums", "Played", "Sums", "bots_of"]

LineUp = tuple[tuple[str, str, int], ...]
"""Who met whom on a deal and how often, in order; the first of two is the one whose name comes first."""


def bots_of(line_up: LineUp) -> list[str]:
    """The bots of a line-up, in order."""
    return sorted({bot for one, two, _ in line_up for bot in (one, two)})


@dataclass(slots=True)
class Played:
    """What one bot did. ``squares`` is the sum of the squares of its relative scores; see `BotSums`."""

    games: int = 0
    places: int = 0
    wins: int = 0
    forfeits: int = 0
    decisions: int = 0
    microseconds: int = 0
    longest_ms: float = 0.0
    squares: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, other: Played) -> None:
        """The games of another one."""
        self.games += other.games
        self.places += other.places
        self.wins += other.wins
        self.forfeits += other.forfeits
        self.decisions += other.decisions
        self.microseconds += other.microseconds
        self.longest_ms = max(self.longest_ms, other.longest_ms)
        self.squares += other.squares
        self.faults.update(other.faults)


@dataclass(slots=True)
class BotSums:
    """What one bot did, and its relative scores by deal, in parts of a pip: as many as a table has seats."""

    played: Played = field(default_factory=Played)
    relative: Moments = field(default_factory=Moments)


@dataclass(slots=True)
class PairSums:
    """What happened when two bots sat at one table; the first is the one whose name comes first.

    ``difference`` is of the first one's score minus the second's, by deal.
    """

    wins: int = 0
    ties: int = 0
    losses: int = 0
    difference: Moments = field(default_factory=Moments)

    @property
    def games(self) -> int:
        """How many games they shared."""
        return self.wins + self.ties + self.losses


@dataclass(slots=True)
class DealSums:
    """One deal, as its games come.

    ``scores`` are of each bot [sum of relative scores, points]: two points for everybody it came before, one for who shared
    its place. ``pairs`` are [games, difference, wins, ties] of the first.
    """

    games: int = 0
    milliseconds: int = 0
    bots: dict[str, Played] = field(default_factory=dict)
    scores: dict[str, list[int]] = field(default_factory=dict)
    pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Alike:
    """Deals with the same line-up. ``points`` are sums over them of the points of its bots, in order.

    ``products`` are sums of products of the points of two bots: of the first with itself, with the second, …, of the second with
    itself, and so on.
    """

    deals: int
    points: list[int]
    products: list[int]

    def add(self, other: Alike) -> None:
        """More deals with the same line-up."""
        self.deals += other.deals
        self.points = [a + b for a, b in zip(self.points, other.points, strict=True)]
        self.products = [a + b for a, b in zip(self.products, other.products, strict=True)]


@dataclass(slots=True)
class Sums:
    """Sums over games. ``pairs`` holds two bots that met under their names, in order."""

    games: int = 0
    milliseconds: int = 0
    bots: dict[str, BotSums] = field(default_factory=dict)
    pairs: dict[tuple[str, str], PairSums] = field(default_factory=dict)
    alike: dict[LineUp, Alike] = field(default_factory=dict)

    def add_deal(self, deal: DealSums) -> None:
        """A deal, with everything that was played on it."""
        self.games += deal.games
        self.milliseconds += deal.milliseconds
        for bot, played in deal.bots.items():
            sums = self._bot(bot)
            sums.played.add(played)
            sums.relative.add_deal(played.games, deal.scores[bot][0])
        for names, (games, difference, wins, ties) in deal.pairs.items():
            pair = self._pair(names)
            pair.wins += wins
            pair.ties += ties
            pair.losses += games - wins - ties
            pair.difference.add_deal(games, difference)
        line_up = tuple(sorted((one, two, found[0]) for (one, two), found in deal.pairs.items()))
        points = [deal.scores[bot][1] for bot in bots_of(line_up)]
        products = [one * two for number, one in enumerate(points) for two in points[number:]]
        self._add_alike(line_up, Alike(1, points, products))

    def add(self, other: Sums) -> None:
        """Other deals."""
        self.games += other.games
        self.milliseconds += other.milliseconds
        for bot, theirs in other.bots.items():
            sums = self._bot(bot)
            sums.played.add(theirs.played)
            sums.relative.add(theirs.relative)
        for names, met in other.pairs.items():
            pair = self._pair(names)
            pair.wins += met.wins
            pair.ties += met.ties
            pair.losses += met.losses
            pair.difference.add(met.difference)
        for line_up, found in other.alike.items():
            self._add_alike(line_up, found)

    def _bot(self, name: str) -> BotSums:
        sums = self.bots.get(name)
        if sums is None:
            sums = self.bots[name] = BotSums()
        return sums

    def _pair(self, names: tuple[str, str]) -> PairSums:
        sums = self.pairs.get(names)
        if sums is None:
            sums = self.pairs[names] = PairSums()
        return sums

    def _add_alike(self, line_up: LineUp, found: Alike) -> None:
        known = self.alike.get(line_up)
        if known is None:
            self.alike[line_up] = Alike(found.deals, found.points, found.products)
        else:
            known.add(found)

"""Adds up games as they come. All sums are whole numbers, so the order in which games are added changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from mtref.ladder.records import GameRecord

__all__ = ["BotSums", "PairSums", "Tally"]


@dataclass(slots=True)
class BotSums:
    """What one bot did. Relative scores are in parts of a pip, as many as a table has seats.

    ``by_deal`` maps a deal to [games, sum of relative scores]; ``squares`` is the sum of their squares.
    """

    games: int = 0
    places: int = 0
    wins: int = 0
    forfeits: int = 0
    decisions: int = 0
    microseconds: int = 0
    longest_ms: float = 0.0
    squares: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    by_deal: dict[int, list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class PairSums:
    """What happened when two bots sat at one table; the first is the one whose name comes first.

    ``by_deal`` maps a deal to [games, first score minus second, twice the wins of the first plus ties].
    """

    wins: int = 0
    ties: int = 0
    losses: int = 0
    by_deal: dict[int, list[int]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """How many games they shared."""
        return self.wins + self.ties + self.losses


class Tally:
    """Sums over games. ``seats`` is how many sit at each table."""

    def __init__(self, seats: int, games: Iterable[GameRecord] = ()) -> None:
        self.seats = seats
        self.games = 0
        self.milliseconds = 0
        self.bots: dict[str, BotSums] = {}
        self.pairs: dict[tuple[str, str], PairSums] = {}
        for game in games:
            self.add(game)

    def add(self, game: GameRecord) -> None:
        """Count one more game."""
        self.games += 1
        self.milliseconds += round(game.seconds * 1000)
        table = sum(seat.counted for seat in game.seats)
        for seat in game.seats:
            sums = self.bots.setdefault(seat.bot, BotSums())
            relative = self.seats * seat.counted - table
            sums.games += 1
            sums.places += seat.place
            sums.wins += seat.place == 1
            sums.forfeits += seat.forfeited
            sums.decisions += seat.decisions
            sums.microseconds += round(seat.time_ms * 1000)
            sums.longest_ms = max(sums.longest_ms, seat.longest_ms)
            sums.faults.update(seat.faults)
            sums.squares += relative * relative
            on_deal = sums.by_deal.setdefault(game.deal, [0, 0])
            on_deal[0] += 1
            on_deal[1] += relative
        for one, two in combinations(sorted(game.seats, key=lambda seat: seat.bot), 2):
            pair = self.pairs.setdefault((one.bot, two.bot), PairSums())
            pair.wins += one.place < two.place
            pair.ties += one.place == two.place
            pair.losses += one.place > two.place
            together = pair.by_deal.setdefault(game.deal, [0, 0, 0])
            together[0] += 1
            together[1] += one.counted - two.counted
            together[2] += 1 + (one.place < two.place) - (one.place > two.place)

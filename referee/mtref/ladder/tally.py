"""Adds up games as they come, deal by deal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from operator import attrgetter

from mtref.ladder.records import GameRecord
from mtref.ladder.sums import DealSums, Played, Sums

__all__ = ["Tally"]

_by_name = attrgetter("bot")


class Tally:
    """Sums over games. ``seats`` is how many sit at each table; ``games`` counts all so far.

    Deals are kept apart until they are settled, for what tables need of a deal can only be summed up when all of its games are
    there; so memory goes by the deals that are not.
    """

    def __init__(self, seats: int, games: Iterable[GameRecord] = ()) -> None:
        self.seats = seats
        self.games = 0
        self._settled = Sums()
        self._over: set[int] = set()
        self._open: dict[int, DealSums] = {}
        self._all: Sums | None = None
        for game in games:
            self.add(game)

    def add(self, game: GameRecord) -> None:
        """Count one more game. Raises ValueError if its deal is settled."""
        deal = self._open.get(game.deal)
        if deal is None:
            if game.deal in self._over:
                raise ValueError(f"deal {game.deal} is settled")
            deal = self._open[game.deal] = DealSums()
        self._all = None
        self.games += 1
        deal.games += 1
        deal.milliseconds += round(game.seconds * 1000)
        table = sum([seat.counted for seat in game.seats])
        for seat in game.seats:
            played = deal.bots.get(seat.bot)
            if played is None:
                played = deal.bots[seat.bot] = Played()
                deal.scores[seat.bot] = [0, 0]
            relative = self.seats * seat.counted - table
            deal.scores[seat.bot][0] += relative
            played.games += 1
            played.places += seat.place
            played.wins += seat.place == 1
            played.forfeits += seat.forfeited
            played.decisions += seat.decisions
            played.microseconds += round(seat.time_ms * 1000)
            played.longest_ms = max(played.longest_ms, seat.longest_ms)
            played.squares += relative * relative
            if seat.faults:
                played.faults.update(seat.faults)
        for one, two in combinations(sorted(game.seats, key=_by_name), 2):
            names = one.bot, two.bot
            met = deal.pairs.get(names)
            if met is None:
                met = deal.pairs[names] = [0, 0, 0, 0]
            met[0] += 1
            met[1] += one.counted - two.counted
            if one.place < two.place:
                met[2] += 1
                deal.scores[one.bot][1] += 2
            elif one.place > two.place:
                deal.scores[two.bot][1] += 2
            else:
                met[3] += 1
                deal.scores[one.bot][1] += 1
                deal.scores[two.bot][1] += 1

    def settle(self, deal: int) -> None:
        """All games of a deal have come."""
        self._over.add(deal)
        found = self._open.pop(deal, None)
        if found is not None:
            self._all = None
            self._settled.add_deal(found)

    def add_settled(self, sums: Sums) -> None:
        """Count other deals, all settled."""
        self._all = None
        self.games += sums.games
        self._settled.add(sums)

    def sums(self) -> Sums:
        """Everything so far; not to be changed, and not for keeping."""
        if not self._open:
            return self._settled
        if self._all is None:
            self._all = Sums()
            self._all.add(self._settled)
            for deal in self._open.values():
                self._all.add_deal(deal)
        return self._all

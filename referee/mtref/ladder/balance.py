"""Seats for games that are not replayed with every rotation: each bot as often on each seat, and as often first. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

__all__ = ["balanced_seats"]

_ATTEMPTS = 24
_SMALL = 2_000
"""Games up to which it is worth while to look again."""


def balanced_seats(games: Sequence[tuple[tuple[int, ...], int]], bots: int) -> list[tuple[int, ...]]:
    """For each game, given as its bots and the seat that starts: the bot on each seat.

    The starts of a bot and its games on a seat are a share of its games that is as equal as whole numbers allow,
    starts first. The same games give the same seats.
    """
    if not games:
        return []
    best = min(_attempts(games, bots), key=lambda attempt: attempt[0])
    return best[1]


def _attempts(
    games: Sequence[tuple[tuple[int, ...], int]], bots: int
) -> Iterator[tuple[tuple[int, int], list[tuple[int, ...]]]]:
    """Unfairness and seats, until nothing is unfair: where one order of looking at the games gets stuck, another may not."""
    for shift in range(min(_ATTEMPTS, len(games)) if len(games) <= _SMALL else 1):
        turned = [*games[shift:], *games[:shift]]
        by_seat = [
            [n for n, (_, seat) in enumerate(turned) if seat == first] for first in range(len(games[0][0]))
        ]
        for parts in ([list(range(len(turned)))], by_seat):
            board = _seated(turned, bots, [part for part in parts if part])
            orders = [tuple(order) for order in board.orders]
            unfairness = board.unfairness()
            yield unfairness, orders[len(orders) - shift :] + orders[: len(orders) - shift]
            if unfairness == (0, 0):
                return


def _seated(
    games: Sequence[tuple[tuple[int, ...], int]], bots: int, parts: Sequence[Sequence[int]]
) -> _Board:
    """Seats in which the starts are shared out evenly in each part of the games."""
    starters = [-1] * len(games)
    for part in parts:
        starts = _Starts([games[number][0] for number in part], bots)
        starts.even_out()
        for number, starter in zip(part, starts.who, strict=True):
            starters[number] = starter
    seats = len(games[0][0])
    board = _Board(games, starters, seats, bots)
    while sum(board.even_out(a, b) for a in range(seats) for b in range(a)):
        pass
    board.trade_starts()
    return board


class _Starts:
    """Who starts each game. A bot that starts too often hands a start on, along a chain of games if need be."""

    def __init__(self, tables: Sequence[tuple[int, ...]], bots: int) -> None:
        self.tables = tables
        self.who: list[int] = []
        self.counts = [0] * bots
        self.games = [0] * bots
        self.started: list[set[int]] = [set() for _ in range(bots)]
        for number, table in enumerate(self.tables):
            for bot in table:
                self.games[bot] += 1
            chosen = min(table, key=lambda bot: (self.counts[bot], self.games[bot], bot))
            self.who.append(chosen)
            self.counts[chosen] += 1
            self.started[chosen].add(number)

    def even_out(self) -> None:
        """Until no bot is above or below its share by one or more."""
        seats = len(self.tables[0])
        for low in (False, True):
            for bot in range(len(self.counts)):
                least, most = self.games[bot] // seats, -(-self.games[bot] // seats)
                while self.counts[bot] < least if low else self.counts[bot] > most:
                    if not self._pass_on(bot, seats, towards=low):
                        break

    def _pass_on(self, source: int, seats: int, *, towards: bool) -> bool:
        """Move one start away from (or `towards`) a bot, by the shortest chain that leaves nobody else off its share."""
        came: dict[int, tuple[int, int]] = {}
        waiting = deque([source])
        while waiting:
            bot = waiting.popleft()
            share = self.games[bot] / seats
            free = self.counts[bot] >= share if towards else self.counts[bot] <= share
            if bot != source and free and self.counts[bot] * seats != self.games[bot]:
                self._follow(bot, source, came, towards=towards)
                return True
            for other, game in self._neighbours(bot, towards=towards):
                if other != source and other not in came:
                    came[other] = (bot, game)
                    waiting.append(other)
        return False

    def _neighbours(self, bot: int, *, towards: bool) -> list[tuple[int, int]]:
        """The bots a start can be given to (or taken from), each with a game in which that is done."""
        if not towards:
            return [
                (other, game)
                for game in sorted(self.started[bot])
                for other in self.tables[game]
                if other != bot
            ]
        return [
            (other, game)
            for other in range(len(self.counts))
            if other != bot
            for game in sorted(self.started[other])
            if bot in self.tables[game]
        ]

    def _follow(self, bot: int, source: int, came: dict[int, tuple[int, int]], *, towards: bool) -> None:
        while bot != source:
            before, game = came[bot]
            giver, taker = (bot, before) if towards else (before, bot)
            self.started[giver].remove(game)
            self.started[taker].add(game)
            self.counts[giver] -= 1
            self.counts[taker] += 1
            self.who[game] = taker
            bot = before


class _Board:
    """Who sits where in each game, with starters fixed at first."""

    def __init__(
        self, games: Sequence[tuple[tuple[int, ...], int]], starters: Sequence[int], seats: int, bots: int
    ) -> None:
        self.first = [seat for _, seat in games]
        self.starters = list(starters)
        self.counts = [[0] * seats for _ in range(bots)]
        self.orders: list[list[int]] = []
        for (table, seat), starter in zip(games, starters, strict=True):
            order = [-1] * seats
            order[seat] = starter
            waiting = [bot for bot in table if bot != starter]
            for free in (seat for seat in range(seats) if order[seat] < 0):
                order[free] = min(waiting, key=lambda bot: (self.counts[bot][free], bot))
                waiting.remove(order[free])
            for place, bot in enumerate(order):
                self.counts[bot][place] += 1
            self.orders.append(order)

    def even_out(self, a: int, b: int) -> bool:
        """Exchange seats `a` and `b` in games where neither starts, until no chain of exchanges helps; was there any?"""
        edges: list[dict[int, int]] = [{} for _ in self.counts]
        changed = False
        movable = [n for n, first in enumerate(self.first) if first not in {a, b}]
        while True:
            for out in edges:
                out.clear()
            for number in movable:
                edges[self.orders[number][a]].setdefault(self.orders[number][b], number)
            chain = self._chain(a, b, edges)
            if not chain:
                return changed
            for number in chain:
                self._exchange(number, a, b)
            changed = True

    def _chain(self, a: int, b: int, edges: list[dict[int, int]]) -> list[int]:
        """Games that lead from a bot that sits too often on `a` to one that sits too often on `b`."""
        surplus = [counts[a] - counts[b] for counts in self.counts]
        for source in sorted(range(len(surplus)), key=lambda bot: -surplus[bot]):
            if surplus[source] <= 0:
                return []
            came: dict[int, tuple[int, int]] = {source: (-1, -1)}
            waiting = deque([source])
            while waiting:
                bot = waiting.popleft()
                if surplus[source] - surplus[bot] > 2 and surplus[bot] < 1:
                    chain = []
                    while bot != source:
                        bot, number = came[bot]
                        chain.append(number)
                    return chain
                for other, number in edges[bot].items():
                    if other not in came:
                        came[other] = (bot, number)
                        waiting.append(other)
        return []

    def _exchange(self, number: int, a: int, b: int) -> None:
        order = self.orders[number]
        for bot, old, new in ((order[a], a, b), (order[b], b, a)):
            self.counts[bot][old] -= 1
            self.counts[bot][new] += 1
        order[a], order[b] = order[b], order[a]

    def trade_starts(self) -> None:
        """Let two bots exchange a start where that brings their seats closer to equal."""
        improved = True
        while improved:
            improved = False
            for one, two in self._trades():
                improved = self._try(one, two) or improved

    def _trades(self) -> list[tuple[int, int]]:
        """Pairs of games, each at different starting seats, whose starters sit at both tables."""
        by_pair: dict[tuple[int, int], dict[int, int]] = {}
        for number, order in enumerate(self.orders):
            for bot in order:
                if bot != self.starters[number]:
                    by_pair.setdefault((self.starters[number], bot), {}).setdefault(
                        self.first[number], number
                    )
        return [
            (one, two)
            for (a, b), games in sorted(by_pair.items())
            if a < b
            for seat, one in games.items()
            for other, two in by_pair.get((b, a), {}).items()
            if seat != other
        ]

    def _try(self, one: int, two: int) -> bool:
        a, b = self.starters[one], self.starters[two]
        if a == b or b not in self.orders[one] or a not in self.orders[two]:
            return False
        before = self._cost(a, b)
        self._swap_start(one, b)
        self._swap_start(two, a)
        if self._cost(a, b) < before:
            return True
        self._swap_start(one, a)
        self._swap_start(two, b)
        return False

    def _cost(self, a: int, b: int) -> int:
        return sum(count * count for bot in (a, b) for count in self.counts[bot])

    def _swap_start(self, number: int, bot: int) -> None:
        seat, first = self.orders[number].index(bot), self.first[number]
        if seat != first:
            self._exchange(number, seat, first)
        self.starters[number] = bot

    def unfairness(self) -> tuple[int, int]:
        """By how much starts, and games on a seat, lie outside what whole numbers allow."""
        starts = [0] * len(self.counts)
        for bot in self.starters:
            starts[bot] += 1
        totals = [sum(counts) for counts in self.counts]
        seats = len(self.orders[0])

        def outside(count: int, total: int) -> int:
            return max(0, total // seats - count, count - -(-total // seats))

        return (
            sum(outside(starts[bot], total) for bot, total in enumerate(totals)),
            sum(
                outside(count, total)
                for counts, total in zip(self.counts, totals, strict=True)
                for count in counts
            ),
        )

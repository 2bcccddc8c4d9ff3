"""By how much one bot beat another, with an error bar. Pure arithmetic.

The cards make most of a game's result, so what is counted is **deals**: all games of one deal, whoever sat where,
are one observation together. Differences within a game are taken first, so that luck which all share cancels out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

__all__ = ["Margin", "margins"]

_T_975: Final = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
"""Student's t for two-sided 95 %, for 1 to 10 degrees of freedom."""

_Z_975: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Margin:
    """How many points a game the bot with index `bot` scored more than `other`; low wins, so below 0 it is better.

    ``mean`` is over ``deals``; ``low`` and ``high`` are the ends of its 95 % interval (Student's t over the deals),
    and None for a single deal, which tells nothing about the next.
    """

    bot: int
    other: int
    deals: int
    mean: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, bot: int, other: int, by_deal: Sequence[float]) -> Margin:
        """The margin of these differences, one for each deal."""
        from statistics import fmean, stdev  # noqa: PLC0415 - slow to import, and a match begins without it

        mean, deals = fmean(by_deal), len(by_deal)
        if deals < 2:
            return cls(bot, other, deals, mean, None, None)
        error = _student(deals - 1) * stdev(by_deal) / deals**0.5
        return cls(bot, other, deals, mean, mean - error, mean + error)

    @property
    def reversed(self) -> Margin:
        """The same margin, told of the other bot."""
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Margin(self.other, self.bot, self.deals, -self.mean, low, high)

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves no doubt which of the two is better: 0 lies outside it."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def __str__(self) -> str:
        """As ``+75.6 ± 14.5``; without the error bar for a single deal."""
        return f"{self.mean:+.1f}" + ("" if self.high is None else f" ± {self.high - self.mean:.1f}")


def margins(games: Iterable[tuple[str, Sequence[float]]]) -> tuple[Margin, ...]:
    """The margin of every pair of bots, the one with the lower index first.

    A game is its deal and the counted total of each bot; all have the same bots.
    """
    from statistics import fmean  # noqa: PLC0415

    by_deal: dict[str, list[Sequence[float]]] = defaultdict(list)
    for deal, totals in games:
        by_deal[deal].append(totals)
    deals = [[fmean(column) for column in zip(*rows, strict=True)] for rows in by_deal.values()]
    bots = range(len(deals[0]) if deals else 0)
    return tuple(
        Margin.of(bot, other, [totals[bot] - totals[other] for totals in deals])
        for bot, other in combinations(bots, 2)
    )


def _student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t: from the table, beyond it by Cornish and Fisher's expansion."""
    if freedom <= len(_T_975):
        return _T_975[freedom - 1]
    z = _Z_975
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3

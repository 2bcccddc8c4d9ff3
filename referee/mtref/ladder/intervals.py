"""Means with intervals in which a deal, with everything that was played on it, is one observation. Pure arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

__all__ = ["Estimate", "Moments", "estimate", "half_width", "t_quantile"]

_Z = NormalDist().inv_cdf(0.975)
_SMALL = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""The 97.5 % quantile of Student's t for 1 to 10 degrees of freedom; beyond them a series serves."""


@dataclass(slots=True)
class Moments:
    """All that an `Estimate` needs of some deals, each with its number of games c and the sum v of their values.

    ``games`` is Σ c, ``total`` Σ v; then Σ c², Σ c·v and Σ v². They are whole numbers and add up, so it makes no difference
    in which order deals come, or in which parts they are added.
    """

    deals: int = 0
    games: int = 0
    total: int = 0
    games_squared: int = 0
    products: int = 0
    total_squared: int = 0

    def add_deal(self, games: int, total: int) -> None:
        """One more deal."""
        self.deals += 1
        self.games += games
        self.total += total
        self.games_squared += games * games
        self.products += games * total
        self.total_squared += total * total

    def add(self, other: Moments) -> None:
        """The deals of another one."""
        self.deals += other.deals
        self.games += other.games
        self.total += other.total
        self.games_squared += other.games_squared
        self.products += other.products
        self.total_squared += other.total_squared

    def scatter(self) -> float:
        """The sum over deals of the squares of v - m·c, where m is the mean of a game: exact but for the last rounding."""
        games, total = self.games, self.total
        whole = (
            games * games * self.total_squared
            - 2 * games * total * self.products
            + total * total * self.games_squared
        )
        return whole / (games * games)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over games. ``half`` is half the width of its 95 % interval, None when there are not two deals.

    ``gain`` is how many times more games would have been needed had each been played on a deal of its own, as far as
    the data tell; None when they do not.
    """

    mean: float
    half: float | None
    games: int
    deals: int
    gain: float | None = None

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.half is not None and abs(self.mean) > self.half


def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, right to three digits."""
    if freedom <= len(_SMALL):
        return _SMALL[freedom - 1]
    z, n = _Z, freedom
    terms = (
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
    )
    return z + sum(terms)


def half_width(scatter: float, deals: int) -> float | None:
    """Half the 95 % interval of a sum over `deals` deals, from the sum of the squares of each one's deviation."""
    if deals < 2:
        return None
    return t_quantile(deals - 1) * math.sqrt(scatter * deals / (deals - 1))


def estimate(found: Moments, scale: int = 1, squares: int | None = None) -> Estimate:
    """The mean over all games of some deals. There must be a game.

    Values are whole numbers; a value of `scale` means 1. `squares`, the sum of the squares of the values of all games, is
    needed for the gain alone.
    """
    deals, games, total = found.deals, found.games, found.total
    scatter = found.scatter()
    half = half_width(scatter, deals)
    gain = None
    if squares is not None and deals > 1 and games > 1 and scatter > 0:
        clustered = scatter * deals / (deals - 1)
        independent = (squares * games - total * total) / (games - 1)
        gain = independent / clustered
    return Estimate(
        total / games / scale, None if half is None else half / (games * scale), games, deals, gain
    )

"""Means with intervals in which a deal, with everything that was played on it, is one observation. Pure arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

__all__ = ["Estimate", "estimate", "half_width", "t_quantile"]

_Z = NormalDist().inv_cdf(0.975)
_SMALL = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""The 97.5 % quantile of Student's t for 1 to 10 degrees of freedom; beyond them a series serves."""


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


def half_width(residuals: Iterable[float], weight: float, deals: int | None = None) -> float | None:
    """Half the 95 % interval of a sum divided by `weight`, from each deal's deviation from what was expected of it.

    `deals` is on how many of them the sum rests, if not on all: where it was fitted to few, they deviate little from it.
    """
    squares = [residual * residual for residual in residuals]
    deals = len(squares) if deals is None else deals
    if deals < 2:
        return None
    return t_quantile(deals - 1) * math.sqrt(math.fsum(squares) * deals / (deals - 1)) / weight


def estimate(blocks: Iterable[tuple[int, int]], scale: int = 1, squares: int | None = None) -> Estimate:
    """The mean over all games of some deals, each given as its number of games and the sum of their values.

    Values are whole numbers; a value of `scale` means 1. Sums being exact, the order of games and deals changes nothing.
    `squares`, the sum of the squares of all values, is needed for the gain alone. There must be a game.
    """
    counted = sorted(blocks)
    games = sum(count for count, _ in counted)
    total = sum(value for _, value in counted)
    mean = total / games
    residuals = [value - mean * count for count, value in counted]
    half = half_width(residuals, games * scale)
    gain = None
    if squares is not None and len(counted) > 1 and games > 1:
        clustered = (
            math.fsum(residual * residual for residual in residuals) * len(counted) / (len(counted) - 1)
        )
        independent = (squares - total * total / games) * games / (games - 1)
        gain = independent / clustered if clustered > 0 else None
    return Estimate(mean / scale, half, games, len(counted), gain)

"""One strength for each bot from all placings at once: pairwise Bradley and Terry, with ties. Pure arithmetic.

Every two bots at a table are one comparison; an equal place is half a win for both. All comparisons are fitted
together, so the order of games plays no part. Where zero is: at the mean of the bots that are listed together.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mtref.ladder.intervals import half_width
from mtref.ladder.sums import PairSums, Sums, bots_of

__all__ = ["ELO", "Rating", "groups", "rate"]

ELO = 400 / math.log(10)
"""Points for a strength of 1: with 400 points more a bot is ten times as likely to end before another as after it."""

_STEPS = 100
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class Rating:
    """Points, and half the width of their 95 % interval over deals (None when the bot did not play two)."""

    points: float
    half: float | None


Pairs = Mapping[tuple[str, str], PairSums]


def groups(bots: Sequence[str], pairs: Pairs) -> list[list[str]]:
    """The bots in groups within which all met, directly or through others; large groups first, then by name."""
    leader = {bot: bot for bot in bots}

    def find(bot: str) -> str:
        while leader[bot] != bot:
            leader[bot] = leader[leader[bot]]
            bot = leader[bot]
        return bot

    for one, two in pairs:
        leader[find(one)] = find(two)
    found: dict[str, list[str]] = {}
    for bot in sorted(bots):
        found.setdefault(find(bot), []).append(bot)
    return sorted(found.values(), key=lambda group: (-len(group), group))


def rate(group: Sequence[str], sums: Sums, listed: Sequence[str] | None = None) -> dict[str, Rating]:
    """The ratings of bots that can all be compared with each other; zero is the mean of those that are `listed`, or of all.

    Each bot is given one drawn comparison with an imaginary bot of strength 0, so that one that won or lost
    everything has a finite rating too.
    """
    position = {bot: number for number, bot in enumerate(sorted(group))}
    met = [
        (position[one], position[two], found)
        for (one, two), found in sorted(sums.pairs.items())
        if one in position and two in position
    ]
    strength = _fit(len(position), met)
    inverse = _inverted(_curvature(strength, met))
    spread = _spread(strength, position, sums)
    shown = sorted(position[bot] for bot in (group if listed is None else listed))
    middle = math.fsum(strength[number] for number in shown) / len(shown)
    mean = [
        math.fsum(column[number] for number in shown) / len(shown) for column in zip(*inverse, strict=True)
    ]
    ratings: dict[str, Rating] = {}
    for bot, number in position.items():
        # How much this bot's strength, measured from the mean of all, moves with a unit of each bot's score.
        weights = [a - b for a, b in zip(inverse[number], mean, strict=True)]
        moves = _dot(weights, [_dot(row, weights) for row in spread])  # the squares of it, summed over deals
        half = half_width(max(moves, 0.0), sums.bots[bot].relative.deals)
        ratings[bot] = Rating((strength[number] - middle) * ELO, None if half is None else half * ELO)
    return ratings


_Met = Sequence[tuple[int, int, PairSums]]


def _chance(one: float, two: float) -> float:
    """How likely the first comes before the second."""
    return 1 / (1 + math.exp(two - one))


def _fit(bots: int, met: _Met) -> list[float]:
    """The strengths that make the placings most likely (Newton's method on a concave function)."""
    strength = [0.0] * bots
    for _ in range(_STEPS):
        gradient = [0.5 - _chance(value, 0.0) for value in strength]
        for one, two, sums in met:
            surplus = sums.wins + sums.ties / 2 - sums.games * _chance(strength[one], strength[two])
            gradient[one] += surplus
            gradient[two] -= surplus
        step = _solved(_factor(_curvature(strength, met)), gradient)
        longest = max(map(abs, step))
        shorten = min(1.0, 1.0 / longest) if longest else 1.0
        strength = [value + shorten * change for value, change in zip(strength, step, strict=True)]
        if longest < _CLOSE:
            break
    return strength


def _curvature(strength: Sequence[float], met: _Met) -> list[list[float]]:
    """Minus the second derivatives of the logarithm of the likelihood."""
    size = len(strength)
    matrix = [[0.0] * size for _ in range(size)]
    for number, value in enumerate(strength):
        chance = _chance(value, 0.0)
        matrix[number][number] = chance * (1 - chance)
    for one, two, sums in met:
        chance = _chance(strength[one], strength[two])
        weight = sums.games * chance * (1 - chance)
        matrix[one][one] += weight
        matrix[two][two] += weight
        matrix[one][two] -= weight
        matrix[two][one] -= weight
    return matrix


def _spread(strength: Sequence[float], position: Mapping[str, int], sums: Sums) -> list[list[float]]:
    """For every two bots, the sum over deals of the product of by how much each one's score went beyond what was expected.

    What is expected depends on the line-up alone, so of deals with the same one their sums are enough.
    """
    chances = {
        (one, two): _chance(strength[position[one]], strength[position[two]])
        for one, two in sums.pairs
        if one in position and two in position
    }
    matrix = [[0.0] * len(position) for _ in position]
    for line_up, found in sorted(sums.alike.items(), key=operator.itemgetter(0)):
        expected = dict.fromkeys(bots_of(line_up), 0.0)
        for one, two, games in line_up:
            chance = chances.get((one, two), 0.0)  # who is in another group is left out below
            expected[one] += games * chance
            expected[two] += games * (1 - chance)
        surplus = [
            total / (2 * found.deals) - known  # a point is half a score
            for known, total in zip(expected.values(), found.points, strict=True)
        ]
        places = [position.get(bot, -1) for bot in expected]
        products = iter(found.products)
        for first, i in enumerate(places):
            for second in range(first, len(places)):
                product, j = next(products), places[second]
                if i < 0 or j < 0:
                    continue
                # Around their means, in whole numbers; then the means around what was expected.
                value = found.deals * surplus[first] * surplus[second]
                if found.deals > 1:
                    around = found.deals * product - found.points[first] * found.points[second]
                    value += around / (4 * found.deals)
                matrix[i][j] += value
    for i, row in enumerate(
        matrix
    ):  # names stand in order in a line-up as they do here, so the other half is empty
        for j in range(i):
            row[j] = matrix[j][i]
    return matrix


def _factor(matrix: list[list[float]]) -> list[list[float]]:
    """The lower triangle whose product with its mirror image is the matrix, which is positive definite (Cholesky)."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - _dot(lower[i][:j], lower[j][:j])
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def _solved(lower: list[list[float]], right: Sequence[float]) -> list[float]:
    """X with matrix · x = right, from the matrix's factor."""
    x = list(right)
    for i in range(len(x)):
        x[i] = (x[i] - _dot(lower[i][:i], x[:i])) / lower[i][i]
    for i in reversed(range(len(x))):
        x[i] = (x[i] - _dot([lower[j][i] for j in range(i + 1, len(x))], x[i + 1 :])) / lower[i][i]
    return x


def _inverted(matrix: list[list[float]]) -> list[list[float]]:
    lower = _factor(matrix)
    size = len(matrix)
    return [_solved(lower, [float(i == j) for j in range(size)]) for i in range(size)]


def _dot(one: Sequence[float], two: Sequence[float]) -> float:
    products: Iterable[float] = map(operator.mul, one, two)
    return sum(products)

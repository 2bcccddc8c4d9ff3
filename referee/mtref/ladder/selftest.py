"""The test the platform is always under: what is dealt and played alike must come out alike, to the last tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import InitVar, dataclass, field

from mtref.ladder.records import Bot, GameRecord

__all__ = ["Discrepancy", "SelfTest"]


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Two games of one deal with the same bots, by content, on the same seats, that were not the same game."""

    deal: int
    one: str
    two: str
    bots: tuple[tuple[str, ...], tuple[str, ...]]

    def __str__(self) -> str:
        """The games in a line."""
        one, two = ("-".join(names) for names in self.bots)
        return f"deal {self.deal}: {one} and {two} ({self.one[:12]}, {self.two[:12]})"


@dataclass(slots=True)
class SelfTest:
    """Compares the digests of games that must be equal. Feed it every game; the order does not matter.

    Only bots that are entered more than once under the same content, and are deterministic, can show anything, and only games
    without faults. ``compared`` counts the games that had a twin to be compared with.
    """

    bots: InitVar[Iterable[Bot]]
    compared: int = 0
    _counts: Counter[str] = field(default_factory=Counter)
    _sure: set[str] = field(default_factory=set)
    _groups: dict[tuple[int, tuple[str, ...]], list[tuple[str, str, tuple[str, ...]]]] = field(
        default_factory=dict
    )

    def __post_init__(self, bots: Iterable[Bot]) -> None:
        self.enter(bots)

    def enter(self, bots: Iterable[Bot]) -> None:
        """Bots that have no game yet come in."""
        for bot in bots:
            self._counts[bot.content] += 1
            if bot.deterministic:
                self._sure.add(bot.name)

    def add(self, game: GameRecord) -> None:
        """Take a game into account."""
        contents = tuple(seat.content for seat in game.seats)
        names = tuple(seat.bot for seat in game.seats)
        if all(self._counts[content] < 2 for content in contents) or not self._sure.issuperset(names):
            return
        if any(seat.faults for seat in game.seats):
            return
        group = self._groups.setdefault((game.deal, contents), [])
        self.compared += bool(group)
        group.append((game.id, game.digest, names))

    def discrepancies(self) -> list[Discrepancy]:
        """Every game that differs from the first of its twins, in the order of deals."""
        found: list[Discrepancy] = []
        for (deal, _), group in sorted(self._groups.items()):
            first, *others = sorted(group)
            found += [
                Discrepancy(deal, first[0], other[0], (first[2], other[2]))
                for other in others
                if other[1] != first[1]
            ]
        return found

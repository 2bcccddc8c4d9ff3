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


_Group = list[tuple[str, str, tuple[str, ...]]]
"""Games of one deal with the same contents on the same seats: id, digest, bots."""


@dataclass(slots=True)
class SelfTest:
    """Compares the digests of games that must be equal. Feed it every game; the order does not matter.

    Only bots that are entered more than once under the same content, and are deterministic, can show anything, and only games
    without faults.
    """

    bots: InitVar[Iterable[Bot]]
    _compared: int = 0
    _found: list[Discrepancy] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)
    _sure: set[str] = field(default_factory=set)
    _open: dict[int, dict[tuple[str, ...], _Group]] = field(default_factory=dict)

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
        contents = tuple([seat.content for seat in game.seats])
        if all(self._counts[content] < 2 for content in contents):
            return
        names = tuple([seat.bot for seat in game.seats])
        if not self._sure.issuperset(names) or any(seat.faults for seat in game.seats):
            return
        groups = self._open.setdefault(game.deal, {})
        groups.setdefault(contents, []).append((game.id, game.digest, names))

    def settle(self, deal: int) -> None:
        """All games of a deal have come."""
        for group in self._open.pop(deal, {}).values():
            self._compared += len(_twins(group))
            self._found += _differing(deal, group)

    def add_settled(self, compared: int, found: Iterable[Discrepancy]) -> None:
        """What came of other deals, all settled."""
        self._compared += compared
        self._found += found

    @property
    def compared(self) -> int:
        """How many games had a twin to be compared with."""
        return self._compared + sum(
            len(_twins(group)) for groups in self._open.values() for group in groups.values()
        )

    def discrepancies(self) -> list[Discrepancy]:
        """Every game that differs from the first of its twins, in the order of deals."""
        opened = [
            entry
            for deal, groups in self._open.items()
            for group in groups.values()
            for entry in _differing(deal, group)
        ]
        return sorted([*self._found, *opened], key=lambda entry: (entry.deal, entry.one, entry.two))


def _twins(group: _Group) -> _Group:
    """The games that are to be equal to the first one: those of the same contents under other names."""
    first = min(group)
    return [other for other in sorted(group) if other[2] != first[2]]


def _differing(deal: int, group: _Group) -> list[Discrepancy]:
    first = min(group)
    return [
        Discrepancy(deal, first[0], other[0], (first[2], other[2]))
        for other in _twins(group)
        if other[1] != first[1]
    ]

"""Which bots a ladder's tables list and how they are ordered, as the journal says: of a bot that was handed in, the last version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtref.ladder.count import count_games
from mtref.ladder.journal import Journal
from mtref.ladder.records import Bot
from mtref.ladder.register import Version, current
from mtref.ladder.selftest import SelfTest
from mtref.ladder.standings import OrderBy, Standings, order_of, standings
from mtref.ladder.sums import Sums
from mtref_sdk.errors import ConfigError

__all__ = ["Listing", "counted", "read_listing"]


@dataclass(frozen=True, slots=True)
class Listing:
    """The bots of the file, and all versions that were handed in."""

    file: Sequence[Bot]
    versions: Sequence[Version]
    format: str

    @property
    def bots(self) -> list[Bot]:
        """Everybody who ever took part."""
        return [*self.file, *(version.bot for version in self.versions)]

    @property
    def shown(self) -> list[str]:
        """Who stands in tables."""
        return [*(bot.name for bot in self.file), *(one.label for one in self.current.values())]

    @property
    def current(self) -> dict[str, Version]:
        """The last version of each name."""
        return current(self.versions)

    @property
    def order_by(self) -> OrderBy:
        """What places go by. Where bots were handed in, not everybody meets everybody equally often."""
        return "rating" if self.versions else order_of(self.format)

    def label(self, name: str) -> str:
        """Under which label a bot is listed that is called by its name, or by a version's label. Raises ConfigError."""
        names = [bot.name for bot in self.bots]
        label = self.current[name].label if name in self.current else name
        if label not in names:
            known = ", ".join(self.shown)
            raise ConfigError(f"takes no part in this ladder; there are {known}", key=name)
        return label

    def labels(self, name: str) -> list[str]:
        """All versions of a bot that is called by its name; else the one label. Raises ConfigError."""
        return [version.label for version in self.versions if version.name == name] or [self.label(name)]


def read_listing(journal: Journal) -> Listing:
    """The listing of a journal that has begun."""
    return Listing(journal.bots(), journal.register.versions(), journal.contract()["format"]["kind"])


def counted(journal: Journal, *, recompute: bool = False) -> tuple[Sums, Standings, SelfTest]:
    """Everything counted, from the journal alone; with `recompute` from its games alone, whatever sums are kept there."""
    listing = read_listing(journal)
    found = count_games(journal, listing.bots, recompute=recompute)
    sums = found.tally.sums()
    table = standings(sums, found.tally.seats, listing.order_by, listing.shown)
    return sums, table, found.selftest

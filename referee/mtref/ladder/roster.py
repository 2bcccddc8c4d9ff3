"""Who plays: the bots of the ladder's file, then every version that was handed in, by index. Reads journal and store, writes nothing."""

from __future__ import annotations

from collections.abc import Iterable

from mtref.ladder.config import BotEntry, LadderConfig
from mtref.ladder.journal import Journal
from mtref.ladder.records import Bot
from mtref.ladder.register import Version, current
from mtref.ladder.submit.package import read_package
from mtref.ladder.submit.store import Store

__all__ = ["Roster"]


class Roster:
    """All bots of a ladder. ``bots`` grows at its end, when `refresh` finds new versions; an index stays what it is."""

    def __init__(self, config: LadderConfig, journal: Journal) -> None:
        self._config, self._register = config, journal.register
        self._store = Store(config.store)
        self.bots: list[Bot] = journal.bots()
        self.versions: list[Version] = []
        self._file_bots = len(self.bots)
        self._entries: dict[int, BotEntry] = dict(enumerate(config.bots))
        self._active: set[str] = set()
        self._state = (-1, -1)
        self.refresh()

    def changed(self) -> bool:
        """Whether a version was entered or parked since the last `refresh`."""
        return self._register.state() != self._state

    def refresh(self) -> list[Bot]:
        """Take in what has changed; the new bots."""
        self._state = self._register.state()
        known = len(self.versions)
        self.versions = self._register.versions()
        fresh = [version.bot for version in self.versions[known:]]
        self.bots += fresh
        self._active = {bot.name for bot in self.bots[: self._file_bots]}
        self._active |= {one.label for one in current(self.versions).values() if one.parked is None}
        return fresh

    def active(self, bots: Iterable[int]) -> bool:
        """Whether all of these still play: none is parked, or has been replaced by a newer version."""
        return all(self.bots[bot].name in self._active for bot in bots)

    def playing(self) -> list[int]:
        """Every bot that plays."""
        return [number for number, bot in enumerate(self.bots) if bot.name in self._active]

    def is_version(self, name: str) -> bool:
        """Whether a bot was handed in."""
        return any(version.label == name for version in self.versions)

    def index(self, name: str) -> int:
        """The index of the bot that plays under a name."""
        return next(number for number, bot in enumerate(self.bots) if bot.name == name)

    def entry(self, bot: int) -> BotEntry:
        """How a bot is started. Raises MtrefError when what was handed in is not in the store as it was."""
        if bot not in self._entries:
            kept = self.bots[bot]
            package = read_package(self._store.files(kept.content))
            self._entries[bot] = package.entry(kept.name, kept.author, self._store.place(kept.content))
        return self._entries[bot]

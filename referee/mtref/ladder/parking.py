"""Who has failed too often of late to be asked again. A bot of the file rests until the next run, one that was handed in for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from mtref.ladder.happenings import Parked
from mtref.ladder.records import GameRecord
from mtref.ladder.register import Register
from mtref.ladder.roster import Roster

__all__ = ["PARK_AFTER", "Parking"]

PARK_AFTER: Final = 3
"""So many times running a bot of the file may not be ready before its other games are left for another run."""


class Parking:
    """Counts failures running. ``parked`` maps a bot to the reason; a version's is in the register, too."""

    def __init__(
        self, roster: Roster, register: Register, park_after: int, tell: Callable[[Parked], None]
    ) -> None:
        self._roster, self._register, self._park_after, self._tell = roster, register, park_after, tell
        self._failures: Counter[str] = Counter()
        self.parked: dict[str, str] = {}

    @property
    def failures(self) -> int:
        """All failures that count now."""
        return self._failures.total()

    def failed(self, bot: str, reason: str) -> None:
        """A bot was not ready for a game, or one that was handed in forfeited it."""
        self._failures[bot] += 1
        lasting = self._roster.is_version(bot)
        if bot in self.parked or self._failures[bot] < (self._park_after if lasting else PARK_AFTER):
            return
        self.parked[bot] = reason
        if lasting:
            self._register.park(bot, reason)
        self._tell(Parked(bot, reason, lasting))

    def played(self, game: GameRecord) -> None:
        """A game has a result. A version that forfeited it failed; all others did not."""
        for seat in game.seats:
            if seat.forfeited and self._roster.is_version(seat.bot):
                faults = ", ".join(f"{kind} {count}" for kind, count in seat.faults.items())
                self.failed(seat.bot, f"forfeited its games, the last of them on deal {game.deal}: {faults}")
            else:
                self._failures[seat.bot] = 0

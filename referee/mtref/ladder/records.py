"""What a journal holds, as values: games, games that could not be played, conflicts. No storage here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["ATTEMPTS", "Bot", "Conflict", "Deal", "GameRecord", "NotPlayed", "SeatRecord"]

ATTEMPTS: Final = 3
"""How often a game that could not be played is tried before it is given up."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as it was entered. ``content`` is the SHA-256 (hex) of what it is.

    A ``deterministic`` one plays the same whenever it is told the same.
    """

    name: str
    content: str
    author: str | None
    command: str
    deterministic: bool = True


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of a game. ``bot`` and ``content`` say who sat there.

    ``total`` is what the rules say, ``counted`` what statistics use: a forfeiter's is the highest total of the table.
    ``time_ms`` is what all its decisions took together, ``longest_ms`` the longest of them.
    """

    bot: str
    content: str
    scores: tuple[int, ...]
    total: int
    counted: int
    place: int
    forfeited: bool = False
    decisions: int = 0
    time_ms: float = 0.0
    longest_ms: float = 0.0
    faults: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> SeatRecord:
        """The seat of its JSON object."""
        return cls(**{**plain, "scores": tuple(plain["scores"])})

    def to_plain(self) -> dict[str, Any]:
        """The seat as a JSON object."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "faults": dict(self.faults)}


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game with a result. ``log`` is its log's path within the state folder, or None; ``at`` is UTC, ISO 8601."""

    id: str
    deal: int
    digest: str
    seats: tuple[SeatRecord, ...]
    log: str | None
    seconds: float
    at: str
    mtref: str

    def seats_json(self) -> str:
        """The seats as JSON."""
        return json.dumps([seat.to_plain() for seat in self.seats], separators=(",", ":"), sort_keys=True)


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A planned game without a result: nobody's statistics count it. ``bots`` sit by seat, ``blamed`` kept it from starting.

    ``attempts`` counts those that failed because of a bot; with nobody to blame the failure was ours.
    """

    id: str
    deal: int
    bots: tuple[str, ...]
    blamed: tuple[str, ...]
    reason: str
    attempts: int
    at: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A second, different result of a game that already had one. The first one stands."""

    id: str
    deal: int
    bots: tuple[str, ...]
    first: str
    second: str
    log: str | None
    at: str


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal in use. ``seed`` is empty until every game of the deal is over."""

    deal: int
    commitment: str
    seed: str

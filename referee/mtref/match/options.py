"""How a match is to be played, as one value; where it comes from (command line, ladder file) is not known here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mtref.match.clock import ClockSettings
from mtref.match.fault import LENIENT, FaultPolicy
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

__all__ = ["MAX_TABLES", "Limits", "MatchOptions"]

MAX_TABLES = 256
"""The most games side by side in one match."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the referee puts up with before it acts.

    ``flood``: so many answers to nothing, with no good one between them. ``returns``: how often a bot may come back on
    a new stream. ``leave_ms``: how long a bot has to end by itself once its stream has ended. ``news_ms``: the time
    between the end of a stream and the end of its process, in either order, for the two to be one event, a crash.
    """

    flood: int = 64
    returns: int = 5
    leave_ms: float = 1000.0
    news_ms: float = 500.0


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """Everything about a match but its bots.

    ``seed`` is the text of ``--seed`` or None for a random one. ``tables`` games run side by side over the same
    processes when it is more than one; otherwise every game has fresh processes. With ``skip_forced`` a bot is not
    asked when it has one legal move only. ``isolation`` says how the bots are kept apart, as JSON-able facts with a
    ``line`` for people; it is for logs and results and changes nothing. Raises ConfigError for numbers that make no
    sense.
    """

    rules: RuleSet
    games: int = 1
    seed: str | None = None
    clock: ClockSettings = field(default_factory=ClockSettings)
    tables: int = 1
    policy: FaultPolicy = LENIENT
    skip_forced: bool = False
    limits: Limits = field(default_factory=Limits)
    isolation: Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ConfigError(f"must be 1 or more, not {self.games}", key="games")
        if not 1 <= self.tables <= MAX_TABLES:
            raise ConfigError(f"must be 1 to {MAX_TABLES}, not {self.tables}", key="tables")

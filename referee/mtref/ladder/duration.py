"""About how long a game takes: measured from games that were played, or estimated before the first one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mtref.ladder.config import LadderConfig
from mtref.ladder.sums import Sums
from mtref.sim.chance import Chance
from mtref.sim.playout import play_game
from mtref.sim.policies import POLICIES

__all__ = ["Cost", "estimated_cost", "measured_cost"]

_START_SECONDS: Final = 0.3
"""What starting and ending one bot's process takes, more or less."""

_ROUND_TRIP_SECONDS: Final = 0.0008
"""What a decision takes when the bot answers at once, more or less."""

_SAMPLES: Final = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a game on one table. ``most`` is what it may take at most (None: no clock, or measured)."""

    seconds: float
    measured: bool
    decisions: float = 0.0
    most: float | None = None


def measured_cost(sums: Sums) -> Cost | None:
    """The mean of what games have taken, or None without any."""
    return Cost(sums.milliseconds / 1000 / sums.games, measured=True) if sums.games else None


def estimated_cost(config: LadderConfig) -> Cost:
    """What a game of bots that start quickly and answer at once would take, from a few simulated games."""
    chance = Chance(1)  # an estimate, repeatable on purpose
    decisions = (
        sum(play_game(config.rules, config.seats, POLICIES["random"], chance)[1] for _ in range(_SAMPLES))
        / _SAMPLES
    )
    starts = config.seats * _START_SECONDS / config.reuse
    clock = config.clock
    most = (
        starts + (decisions * clock.move_ms + config.seats * clock.bank_ms) / 1000 if clock.enabled else None
    )
    return Cost(starts + decisions * _ROUND_TRIP_SECONDS, measured=False, decisions=decisions, most=most)

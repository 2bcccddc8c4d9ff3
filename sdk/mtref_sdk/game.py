"""What a bot is told about a game as a whole: `GameStart` when it is seated, `GameResult` when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mtref_sdk.decision import NO_CLOCK, Clock
from mtref_sdk.ruleset import RuleSet

__all__ = ["GameResult", "GameStart", "Outcome"]

Outcome = Literal["finished", "forfeited", "aborted"]
"""How a game was over for a bot: played to its end, forfeited by this bot, or given up by the referee."""


@dataclass(frozen=True, slots=True)
class GameStart:
    """A bot was seated. `table` is the table's number on its connection, `game` the game's name in the logs.

    `commitment` (32 bytes) binds the referee to the deal before it is dealt. `private_seed` (32 bytes) is the
    randomness of this seat, from which `Bot.rng` is made. `clock` is what the game allows: the time for a move and the
    whole bank.
    """

    table: int
    game: str
    seat: int
    seats: int
    rules: RuleSet
    commitment: bytes = bytes(32)
    private_seed: bytes = bytes(32)
    clock: Clock = NO_CLOCK


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game is over for a bot. `totals` and `places` are by seat, and empty unless the outcome is ``finished``."""

    outcome: Outcome
    totals: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

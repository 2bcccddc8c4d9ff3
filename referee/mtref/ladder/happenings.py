"""What a run tells whoever watches it, as values. ``to_dict`` of each is a line of the ``--json`` stream."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mtref.ladder.records import GameRecord, NotPlayed

__all__ = [
    "Began",
    "Conflicted",
    "Ended",
    "Happening",
    "Isolated",
    "Lost",
    "Parked",
    "Played",
    "Revealed",
    "Unplayed",
    "to_dict",
]


@dataclass(frozen=True, slots=True)
class Began:
    """A stage began. ``games`` are all games of the plan so far known, ``over`` those that are over already."""

    stage: int
    stages: int
    games: int
    over: int


@dataclass(frozen=True, slots=True)
class Played:
    """A game has a result, and the journal has it."""

    game: GameRecord


@dataclass(frozen=True, slots=True)
class Unplayed:
    """A game could not be played this time."""

    game: NotPlayed


@dataclass(frozen=True, slots=True)
class Parked:
    """A bot failed several times running; its games wait for another run, or if that is `lasting`, for its next version."""

    bot: str
    reason: str
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """The referee failed or was killed, which is no bot's fault; its games are played again."""

    reason: str
    deals: tuple[int, ...]
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflicted:
    """A game was played twice with different results. The first stands."""

    game: str
    deal: int
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """Every game of a deal is over, and its seed is in their logs."""

    deal: int
    seed: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over. ``complete`` says that every planned game has a result.

    ``open`` counts the games another run would play, ``given_up`` those no run will. ``discrepancies`` are what the self-test found.
    """

    complete: bool
    stopped: bool
    games: int
    played: int
    open: int
    given_up: int
    parked: tuple[str, ...]
    conflicts: int
    compared: int
    discrepancies: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Isolated:
    """How bots are kept apart, in a line; told when it is known, and when it changes."""

    line: str


Happening = Began | Isolated | Played | Unplayed | Parked | Lost | Conflicted | Revealed | Ended


def to_dict(happening: Happening) -> dict[str, Any]:
    """A happening as plain JSON, its kind first."""
    plain = asdict(happening)
    inner = plain.pop("game", None)
    kind = {"event": type(happening).__name__.lower()}
    return {**kind, **(inner if isinstance(inner, dict) else {"game": inner} if inner else {}), **plain}

"""Every kind of thing that can happen in a game, as frozen facts in the past tense.

The log, each seat's view, the replay and the statistics are folds of these. A field that is hidden from a viewer
is None (see ``mtref.rules.projection``). Adding a kind means adding a class here and to `Event`; the type checker
then points at every place that must decide about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from mtref_sdk.tiles import Tile

__all__ = [
    "BoneyardStacked",
    "DoubleBound",
    "DoubleReleased",
    "DoubleSatisfied",
    "EngineLaid",
    "EngineSearchDrawn",
    "Event",
    "GameEnded",
    "HandDealt",
    "How",
    "LastTileCalled",
    "MarkerForgotten",
    "MarkerLowered",
    "MarkerRaised",
    "MarkerRenewed",
    "RoundEnded",
    "RoundStarted",
    "TileDrawn",
    "TilePlayed",
    "TurnPassed",
    "TurnStarted",
    "TurnStopped",
]

How = Literal["went_out", "blocked"]
"""How a round ended (R-out, R-block)."""


class _Fact:
    """What others work out about an event may be kept with it, as it never changes: its packed form, and how it is written down."""

    __slots__ = ("packed", "texts")

    packed: bytes
    texts: tuple[str, str, str, int, int]


@dataclass(frozen=True, slots=True)
class RoundStarted(_Fact):
    """A round begins: its 1-based number, the engine's number, who takes the first turn, what each seat was dealt."""

    name: ClassVar[str] = "round_started"
    round: int
    engine: int
    starter: int
    hand_sizes: tuple[int, ...]
    boneyard: int


@dataclass(frozen=True, slots=True)
class HandDealt(_Fact):
    """A seat was dealt its hand, in the order of the deal. Only that seat learns the tiles; they are None for others."""

    name: ClassVar[str] = "hand_dealt"
    seat: int
    tiles: tuple[Tile, ...] | None


@dataclass(frozen=True, slots=True)
class BoneyardStacked(_Fact):
    """The left-over tiles in the order they will be drawn. Nobody at the table is told."""

    name: ClassVar[str] = "boneyard_stacked"
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class EngineSearchDrawn(_Fact):
    """A seat drew a tile while the table looked for the engine (R-engine-holder); the tile is hidden from others."""

    name: ClassVar[str] = "engine_search_drawn"
    seat: int
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class EngineLaid(_Fact):
    """The engine lies in the centre, from a seat's hand, or set aside or taken from the boneyard (seat None)."""

    name: ClassVar[str] = "engine_laid"
    tile: Tile
    seat: int | None


@dataclass(frozen=True, slots=True)
class TurnStarted(_Fact):
    """A seat is on turn."""

    name: ClassVar[str] = "turn_started"
    seat: int


@dataclass(frozen=True, slots=True)
class TilePlayed(_Fact):
    """A seat laid a tile on a train, whose open end is now `end`."""

    name: ClassVar[str] = "tile_played"
    seat: int
    tile: Tile
    train: str
    end: int


@dataclass(frozen=True, slots=True)
class TileDrawn(_Fact):
    """A seat drew from the boneyard; the tile is hidden from others (R-draw)."""

    name: ClassVar[str] = "tile_drawn"
    seat: int
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class TurnPassed(_Fact):
    """A seat could not play and its turn ended (R-pass)."""

    name: ClassVar[str] = "turn_passed"
    seat: int


@dataclass(frozen=True, slots=True)
class TurnStopped(_Fact):
    """A run or an optional tile ended, by choice or because nothing fits (R-run, R-follow-optional)."""

    name: ClassVar[str] = "turn_stopped"
    seat: int


@dataclass(frozen=True, slots=True)
class MarkerRaised(_Fact):
    """A seat's marker went up: anyone may play on its train (R-marker-up)."""

    name: ClassVar[str] = "marker_raised"
    seat: int


@dataclass(frozen=True, slots=True)
class MarkerLowered(_Fact):
    """A seat's marker came down (R-marker-down, R-marker-manual)."""

    name: ClassVar[str] = "marker_lowered"
    seat: int


@dataclass(frozen=True, slots=True)
class MarkerForgotten(_Fact):
    """A turn laid at home and left the marker up: the train is now forgotten (R-marker-manual)."""

    name: ClassVar[str] = "marker_forgotten"
    seat: int


@dataclass(frozen=True, slots=True)
class MarkerRenewed(_Fact):
    """A pass made a forgotten marker a new one: the train is no longer forgotten (R-marker-manual)."""

    name: ClassVar[str] = "marker_renewed"
    seat: int


@dataclass(frozen=True, slots=True)
class DoubleBound(_Fact):
    """A double was laid that must be satisfied, now or by the seats after (section 7 of the rules)."""

    name: ClassVar[str] = "double_bound"
    train: str


@dataclass(frozen=True, slots=True)
class DoubleSatisfied(_Fact):
    """A seat's tile satisfied the double at the end of a train."""

    name: ClassVar[str] = "double_satisfied"
    train: str
    seat: int


@dataclass(frozen=True, slots=True)
class DoubleReleased(_Fact):
    """A double binds nobody any more: it is dead (R-dead), or the turn ended and it bound that turn only (R-lock-none)."""

    name: ClassVar[str] = "double_released"
    train: str


@dataclass(frozen=True, slots=True)
class LastTileCalled(_Fact):
    """A hand is down to one tile, and everybody hears it (R-last-tile-call)."""

    name: ClassVar[str] = "last_tile_called"
    seat: int


@dataclass(frozen=True, slots=True)
class RoundEnded(_Fact):
    """A round is over: who went out (None when blocked), the score of each seat in it, and the totals after it."""

    name: ClassVar[str] = "round_ended"
    how: How
    seat: int | None
    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(_Fact):
    """The game is over: final totals and places; equal totals share a place, as 1, 1, 3 (R-win)."""

    name: ClassVar[str] = "game_ended"
    totals: tuple[int, ...]
    places: tuple[int, ...]


Event = (
    RoundStarted
    | HandDealt
    | BoneyardStacked
    | EngineSearchDrawn
    | EngineLaid
    | TurnStarted
    | TilePlayed
    | TileDrawn
    | TurnPassed
    | TurnStopped
    | MarkerRaised
    | MarkerLowered
    | MarkerForgotten
    | MarkerRenewed
    | DoubleBound
    | DoubleSatisfied
    | DoubleReleased
    | LastTileCalled
    | RoundEnded
    | GameEnded
)
"""Any event of a game."""

"""The events that a game tells again and again, each made once: the same fact is the same object, so that whoever works something
out about an event, such as its packed form, may keep it with the event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mtref_sdk.events import (
    DoubleBound,
    DoubleReleased,
    DoubleSatisfied,
    LastTileCalled,
    MarkerForgotten,
    MarkerLowered,
    MarkerRaised,
    MarkerRenewed,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    TurnStopped,
)
from mtref_sdk.moves import MAX_SEATS, TRAINS
from mtref_sdk.tiles import TILE_BY_CODE

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "BOUND",
    "CALLED",
    "FORGOTTEN",
    "LOWERED",
    "PASSED",
    "RAISED",
    "RELEASED",
    "RENEWED",
    "STARTED",
    "STOPPED",
    "tile_drawn",
    "tile_played",
    "tile_satisfied",
]

_SEATS: Final = range(MAX_SEATS)

# By seat:
STARTED: Final = [TurnStarted(seat) for seat in _SEATS]
PASSED: Final = [TurnPassed(seat) for seat in _SEATS]
STOPPED: Final = [TurnStopped(seat) for seat in _SEATS]
RAISED: Final = [MarkerRaised(seat) for seat in _SEATS]
LOWERED: Final = [MarkerLowered(seat) for seat in _SEATS]
FORGOTTEN: Final = [MarkerForgotten(seat) for seat in _SEATS]
RENEWED: Final = [MarkerRenewed(seat) for seat in _SEATS]
CALLED: Final = [LastTileCalled(seat) for seat in _SEATS]

# By the code of the train:
BOUND: Final = [DoubleBound(train) for train in TRAINS]
RELEASED: Final = [DoubleReleased(train) for train in TRAINS]

_played: Final[dict[int, TilePlayed]] = {}
_drawn: Final[dict[int, TileDrawn]] = {}
_satisfied: Final[dict[int, DoubleSatisfied]] = {}


def tile_played(seat: i64, tile: i64, train: i64, end: i64) -> TilePlayed:
    """The seat laid the tile (a code) on the train (a code), which now ends in `end`."""
    key = ((tile << 5 | train) << 5 | end) << 4 | seat
    event = _played.get(key)
    if event is None:
        event = _played[key] = TilePlayed(seat, TILE_BY_CODE[tile], TRAINS[train], end)
    return event


def tile_drawn(seat: i64, tile: i64) -> TileDrawn:
    """The seat drew the tile (a code)."""
    key = tile << 4 | seat
    event = _drawn.get(key)
    if event is None:
        event = _drawn[key] = TileDrawn(seat, TILE_BY_CODE[tile])
    return event


def tile_satisfied(train: i64, seat: i64) -> DoubleSatisfied:
    """The seat satisfied the double at the end of the train (a code)."""
    key = train << 4 | seat
    event = _satisfied.get(key)
    if event is None:
        event = _satisfied[key] = DoubleSatisfied(TRAINS[train], seat)
    return event

"""What a seat may know of an event. Views are built up from these; nothing is ever stripped off a view.

A new kind of event that is not decided here does not pass the type checker.
"""

from __future__ import annotations

from typing import Final, assert_never

from mtref_sdk.events import (
    BoneyardStacked,
    DoubleBound,
    DoubleReleased,
    DoubleSatisfied,
    EngineLaid,
    EngineSearchDrawn,
    Event,
    GameEnded,
    HandDealt,
    LastTileCalled,
    MarkerForgotten,
    MarkerLowered,
    MarkerRaised,
    MarkerRenewed,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    TurnStopped,
)
from mtref_sdk.moves import MAX_SEATS

__all__ = ["NOBODY", "PRIVATE", "owner", "project"]

PRIVATE: Final[frozenset[type[Event]]] = frozenset([BoneyardStacked, HandDealt, TileDrawn, EngineSearchDrawn])
"""The kinds of event that not every seat is told of as they are."""


NOBODY: Final = -1
"""A viewer who has no seat."""

_DEALT: Final = [HandDealt(seat, None) for seat in range(MAX_SEATS)]
_DRAWN: Final = [TileDrawn(seat, None) for seat in range(MAX_SEATS)]


def project(event: Event, viewer: int) -> Event | None:
    """What seat `viewer` is told of `event`: all of it, a version with None for what is hidden, or nothing (None).

    Private are the hands dealt, the tiles drawn and the boneyard's order (section 9 of the rules). An event that was read somewhere
    may name a seat that no table has.
    """
    match event:
        case TileDrawn(seat=seat):  # of what is not told as it is, most
            return event if seat == viewer else _DRAWN[seat] if seat < MAX_SEATS else TileDrawn(seat, None)
        case BoneyardStacked():
            return None
        case HandDealt(seat=seat):
            return event if seat == viewer else _DEALT[seat] if seat < MAX_SEATS else HandDealt(seat, None)
        case EngineSearchDrawn(seat=seat):
            return event if seat == viewer else EngineSearchDrawn(seat, None)
        case (
            RoundStarted()
            | EngineLaid()
            | TurnStarted()
            | TilePlayed()
            | TurnPassed()
            | TurnStopped()
            | MarkerRaised()
            | MarkerLowered()
            | MarkerForgotten()
            | MarkerRenewed()
            | DoubleBound()
            | DoubleSatisfied()
            | DoubleReleased()
            | LastTileCalled()
            | RoundEnded()
            | GameEnded()
        ):
            return event
        case _:
            assert_never(event)


def owner(event: Event) -> int:
    """The one seat that is told a private `event` as it is; NOBODY where there is none. The others are all told the same."""
    return NOBODY if type(event) is BoneyardStacked else getattr(event, "seat", NOBODY)

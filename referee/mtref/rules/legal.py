"""What may be played: the only place that answers it, from the public part of a round and one hand.

By its signature it can neither depend on nor betray anything hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from mtref.rules.native import Row
from mtref.rules.state import FIRST_MEXICAN, NUMBERS, Hand, PublicState
from mtref_sdk.moves import MAX_SEATS, STOP_CODE, TRAINS

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["follow_up_trains", "legal_moves", "locked_trains", "may_lift", "ordinary_trains"]

_BITS_IN: Final = tuple(tuple(bit for bit in range(10) if mask >> bit & 1) for mask in range(1 << 10))
"""The bits in each mask of ten bits, in order: the seats in a mask of seats, or the lower or higher numbers in a hand."""

_MEXICANS: Final = tuple(
    tuple(range(FIRST_MEXICAN, FIRST_MEXICAN + k)) for k in range(len(TRAINS) - FIRST_MEXICAN + 1)
)
"""The codes of the first k Mexican trains, for each k."""

_ORDINARY: Final[list[tuple[int, ...] | None]] = [None] * (len(_MEXICANS) << MAX_SEATS)
"""By number of Mexican trains and mask of seats, the trains of both, in order; filled in as they come up."""

_ON_FIRST: Final = [
    [(end << 5 | other if end < other else other << 5 | end) << 6 for other in range(NUMBERS)]
    for end in range(NUMBERS)
]
_MOVES: Final[list[list[list[Any]]]] = [
    [[move | train << 1 for move in row] for row in _ON_FIRST] for train in range(len(TRAINS))
]
"""By train, its open end and the number at the other end of a tile: the move that lays that tile there."""


def legal_moves(public: PublicState, hand: Hand) -> list[int]:
    """The codes of all moves the seat on turn may choose with `hand`, in canonical order, none with a lift.

    Empty when there is nothing to choose: then a draw, a pass or the quiet end of the turn comes next (R-must-play,
    R-draw, R-pass). `may_lift` tells which of them may also carry a lift.
    """
    if public.owed:
        return _follow_up(public, hand)
    if public.laid:  # nothing owed and the turn goes on: a run (R-run)
        moves = _fitting(public.ends, _BITS_IN[1 << public.turn], hand)
        if moves:
            moves.append(STOP_CODE)
        return moves
    if public.unsatisfied:
        return _fitting(public.ends, locked_trains(public), hand)
    return _fitting(public.ends, ordinary_trains(public), hand)


def may_lift(public: PublicState, legal: Iterable[int]) -> list[int]:
    """Those of the legal moves that may also take the own marker down by hand (R-marker-manual)."""
    removal = public.rules.marker_removal
    own: i64 = 1 << public.turn
    if removal == "auto" or not public.marked & own:
        return []
    anywhere = False
    if public.forgotten & own:
        if removal == "manual_once":
            return []
        anywhere = removal == "manual_next_turn"
    return [move for move in legal if move != STOP_CODE and (anywhere or move >> 1 & 31 == public.turn)]


def ordinary_trains(public: PublicState) -> tuple[int, ...]:
    """Train codes where the seat on turn may play when no double matters (R-targets, R-opening), in order."""
    own: i64 = 1 << public.turn
    opening = public.rules.opening
    if opening != "free":
        if public.started & own:
            if opening == "own_or_started_mexican" and not public.begun & own:
                return _BITS_IN[own]
        elif opening == "own_or_started_mexican" and public.begun & own:
            return (public.turn, *_started_mexicans(public))
        elif opening != "own_first_turn" or not public.begun & own:
            return _BITS_IN[own]
    seats = public.marked | own
    mexicans = len(public.ends) - FIRST_MEXICAN
    trains = _ORDINARY[mexicans << MAX_SEATS | seats]
    if trains is None:
        trains = _ORDINARY[mexicans << MAX_SEATS | seats] = _BITS_IN[seats] + _MEXICANS[mexicans]
    return trains


def locked_trains(public: PublicState) -> tuple[int, ...]:
    """Train codes whose unsatisfied double must be answered before anything else (R-lock-table, R-lock-order)."""
    return public.unsatisfied[:1] if public.rules.oldest_first else public.unsatisfied


def follow_up_trains(public: PublicState) -> tuple[int, ...]:
    """Train codes of this turn's doubles that still bind the seat that laid them, oldest first."""
    return tuple(train for train in public.doubles if train in public.unsatisfied)


def _follow_up(public: PublicState, hand: Hand) -> list[int]:
    """The tile owed after a double (R-double-again)."""
    rules, ends = public.rules, public.ends
    follow_up = rules.follow_up
    if follow_up == "on_double":  # R-follow-on-double
        double = public.doubles[-1]
        if double in public.unsatisfied:
            return _fitting(ends, (double,), hand)
    elif follow_up == "second_double":  # R-follow-second
        live = follow_up_trains(public)
        if len(public.doubles) > 1:
            if live:
                return _fitting(ends, live, hand)
            return [move for move in _fitting(ends, ordinary_trains(public), hand) if not _is_double(move)]
        if live:
            moves = _fitting(ends, live, hand)
            moves += [move for move in _fitting(ends, ordinary_trains(public), hand) if _is_double(move)]
            moves.sort()
            return moves
    moves = _fitting(ends, ordinary_trains(public), hand)  # R-follow-anywhere; a dead double too (R-dead)
    if moves and follow_up == "optional":  # R-follow-optional
        moves.append(STOP_CODE)
    return moves


def _fitting(ends: Row, trains: tuple[int, ...], hand: Hand) -> list[int]:
    """The moves of `hand` that fit the open ends of `trains`, in canonical order (R-targets)."""
    moves: list[Any] = []  # numbers that exist already: `Any` keeps them whole when compiled
    train: i64
    other: i64
    several = False
    for train in trains:
        end: i64 = ends[train]
        partners: i64 = hand[end]
        if partners:
            several = bool(moves)
            those = _MOVES[train][end]
            for other in _BITS_IN[partners & 1023]:
                moves.append(those[other])  # noqa: PERF401 - mostly one: quicker than a comprehension
            if partners > 1023:
                for other in _BITS_IN[partners >> 10]:
                    moves.append(those[other + 10])  # noqa: PERF401
    if several:
        moves.sort()
    return moves


def _started_mexicans(public: PublicState) -> list[int]:
    return [train for train in range(FIRST_MEXICAN, len(public.ends)) if public.started >> train & 1]


def _is_double(move: int) -> bool:
    return move >> 11 == move >> 6 & 31

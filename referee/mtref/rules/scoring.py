"""What hands cost and who wins (R-score, R-win)."""

from __future__ import annotations

from collections.abc import Sequence

from mtref.rules.state import Hand, PublicState, State

__all__ = ["hand_pips", "lightest", "places", "round_scores"]


def hand_pips(hand: Hand, double_blank: int) -> int:
    """The pips left in a hand, the 0-0 counted as `double_blank` (R-score)."""
    pips = double_blank if hand[0] & 1 else 0
    partners: int
    for number, partners in enumerate(hand):
        if partners:
            pips += number * (partners.bit_count() + (partners >> number & 1))
    return pips


def round_scores(state: State) -> tuple[int, ...]:
    """What each seat scores in a round that is over; the seat that went out has nothing left (R-score)."""
    double_blank = state.rules.double_blank
    return tuple(
        0 if seat == state.winner else hand_pips(hand, double_blank) for seat, hand in enumerate(state.hands)
    )


def places(totals: Sequence[int]) -> tuple[int, ...]:
    """The place of each seat: lowest total first, equal totals share it, as in 1, 1, 3 (R-win)."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def lightest(public: PublicState, scores: Sequence[int], previous_starter: int) -> int:
    """The seat with the lowest score of a blocked round, ties to the first in turn order after the starter (R-starter)."""
    order = [(previous_starter + step) % public.seats for step in range(1, public.seats + 1)]
    return min(order, key=lambda seat: scores[seat])

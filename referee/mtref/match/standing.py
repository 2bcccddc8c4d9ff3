"""Places and counted scores of a game in which seats may have forfeited. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["counted_totals", "places_of"]


def places_of(totals: Sequence[int], forfeited: Sequence[bool]) -> tuple[int, ...]:
    """The place of each seat: 1 is the lowest total, equal totals share a place (R-win).

    Forfeiters share the last place, whatever their totals; the others are placed among themselves.
    """
    kept = [total for total, gone in zip(totals, forfeited, strict=True) if not gone]
    last = len(kept) + 1
    return tuple(
        last if gone else 1 + sum(other < total for other in kept)
        for total, gone in zip(totals, forfeited, strict=True)
    )


def counted_totals(totals: Sequence[int], forfeited: Sequence[bool]) -> tuple[int, ...]:
    """The totals for statistics: a forfeiter's counts as the highest of the table. Low wins, so it never gains."""
    highest = max(totals)
    return tuple(highest if gone else total for total, gone in zip(totals, forfeited, strict=True))

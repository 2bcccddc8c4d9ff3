"""Figures of a list of times. Pure arithmetic; nothing here measures."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Times"]


@dataclass(frozen=True, slots=True)
class Times:
    """How long something took, in ms: a bot for its decisions, the referee for what was due. All 0 when there was nothing."""

    median: float
    p95: float
    max: float
    total: float

    @classmethod
    def of(cls, times_ms: Iterable[float]) -> Times:
        """The figures of a list of times; percentiles are members of the list (nearest rank)."""
        ordered = sorted(times_ms)
        if not ordered:
            return cls(0.0, 0.0, 0.0, 0.0)
        picked = [ordered[math.ceil(share * len(ordered)) - 1] for share in (0.5, 0.95, 1.0)]
        return cls(*(round(value, 3) for value in (*picked, math.fsum(ordered))))

    def to_dict(self) -> dict[str, float | None]:
        """The figures by name."""
        return {"median": self.median, "p95": self.p95, "max": self.max, "total": self.total}

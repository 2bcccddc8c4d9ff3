"""How often something may happen: so many times at once, and after that only so often a second."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Allowance"]


class Allowance:
    """What is left of `most`; it grows by `rate` a second. `now` tells the time in seconds."""

    def __init__(self, most: float, rate: float, now: Callable[[], float] = time.monotonic) -> None:
        self._left, self._most, self._rate, self._now = most, most, rate, now
        self._looked = now()

    def add(self, count: float) -> None:
        """So much more may happen."""
        self._left = min(self._most, self._left + count)

    def spend(self, count: float) -> bool:
        """So much has happened. Whether it was allowed."""
        left = self._left - count
        if left < 0:
            now = self._now()
            left = min(self._most, left + count + self._rate * (now - self._looked)) - count
            self._looked = now
        self._left = left
        return left >= 0

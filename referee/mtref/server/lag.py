"""How late the referee itself is: the delay between the time something was due in its loop and the time it was done.

Where that is more than the margin granted for transport, times in the log may be the referee's and not the bot's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Self

from mtref.match.times import Times

__all__ = ["LagMeter"]

PERIOD = 0.02
"""Seconds between two looks: often enough to meet every delay that could matter, and too seldom to cost anything."""


@dataclass(slots=True)
class LagMeter:
    """Measures while it is entered as a context, perhaps several times at once: while games are being played.

    ``delays_ms`` holds one delay for each look.
    """

    delays_ms: list[float] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None
    _games: int = 0

    def __enter__(self) -> Self:
        self._games += 1
        if self._timer is None:
            self._sleep()
        return self

    def __exit__(self, *_: object) -> None:
        self._games -= 1
        if self._timer is not None and not self._games:
            self._timer.cancel()
            self._timer = None

    def since(self, mark: int) -> Times:
        """The figures of all looks but the first `mark`."""
        return Times.of(self.delays_ms[mark:])

    def _look(self, due: float) -> None:
        self.delays_ms.append(max(0.0, asyncio.get_running_loop().time() - due) * 1000)
        self._sleep()

    def _sleep(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + PERIOD
        self._timer = loop.call_at(due, self._look, due)

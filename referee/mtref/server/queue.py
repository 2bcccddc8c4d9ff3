"""Whose time runs at one bot process: the decisions it has been sent and not answered. Pure; time is passed in (s).

A process may sit at several tables and works through its decisions one by one. So the time of a decision runs from the
later of *it was sent* and *it became the first in line*: no table is charged for another. A decision whose time is over
stays in line, because the process is still busy with it; until its late answer comes, only its own table's time runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

__all__ = ["DecisionQueue", "Waiting"]

Table = TypeVar("Table")


class Waiting(Generic[Table]):
    """A decision in line. ``allowed`` is how many seconds its bot has, None for no limit.

    ``expired``: its time is over and the game went on without it. ``repeated``: it was answered before, over a stream
    that is gone, and its answer counts for nothing now. ``since``: its time has been running from then, whatever else.
    """

    __slots__ = ("allowed", "expired", "id", "repeated", "sent", "since", "table")

    def __init__(
        self,
        number: int,
        table: Table,
        sent: float,
        allowed: float | None,
        *,
        repeated: bool = False,
        since: float | None = None,
    ) -> None:
        self.id, self.table, self.sent, self.allowed = number, table, sent, allowed
        self.expired = False
        self.repeated, self.since = repeated, since


class DecisionQueue(Generic[Table]):
    """The line of one process, in the order sent. ``first`` is the decision the process is busy with, as far as anybody can tell."""

    def __init__(self) -> None:
        self.first: Waiting[Table] | None = None
        self._line: dict[int, Waiting[Table]] = {}
        self._front_since = 0.0
        self._last_answer = 0.0

    def __len__(self) -> int:
        return len(self._line)

    def send(self, waiting: Waiting[Table]) -> None:
        """Put a decision at the end of the line."""
        self._line[waiting.id] = waiting
        if self.first is None:
            self.first = waiting

    def elapsed(self, waiting: Waiting[Table], now: float) -> float:
        """Seconds the process has been charged for a decision in line, if its time runs."""
        if waiting.since is not None:
            return now - waiting.since
        since = self._front_since if waiting is self.first else self._last_answer
        return now - (max(since, waiting.sent))

    def answer(self, decision: int, now: float) -> tuple[Waiting[Table], float] | None:
        """An answer came: take its decision out of line. Also gives the seconds it took; None if it is not in line."""
        waiting = self._line.pop(decision, None)
        if waiting is None:
            return None
        elapsed = self.elapsed(waiting, now)
        if waiting is self.first:
            self._go_on(now)
        self._last_answer = now
        return waiting, elapsed

    def drop(self, waiting: Waiting[Table], now: float) -> None:
        """Take a decision out of line; if it was the first, the next one's time begins."""
        del self._line[waiting.id]
        if waiting is self.first:
            self._go_on(now)

    def drop_table(self, table: Table, now: float) -> None:
        """Take everything of a table out of line but what the process is busy with."""
        for waiting in list(self._line.values()):
            if waiting.table == table and waiting is not self.first:
                self.drop(waiting, now)

    def overdue(self, now: float) -> Waiting[Table] | None:
        """A decision whose time is over, if there is one. Set ``expired`` on it, or drop it."""
        for waiting in self._running():
            if waiting.allowed is not None and self.elapsed(waiting, now) > waiting.allowed:
                return waiting
        return None

    def deadline(self) -> float | None:
        """When the next decision's time will be over if nothing happens before; None for never."""
        first = self.first
        if first is not None and not first.expired:
            return None if first.allowed is None else first.allowed - self.elapsed(first, 0.0)
        ends = [
            waiting.allowed - self.elapsed(waiting, 0.0)
            for waiting in self._running()
            if waiting.allowed is not None
        ]
        return min(ends, default=None)

    def clear(self) -> dict[int, float]:
        """The process or its stream is gone, and everything it was sent with it.

        Gives since when the time of each decision has been running, by id, as far as it had begun.
        """
        begun = {
            waiting.id: -self.elapsed(waiting, 0.0) for waiting in self._running() if not waiting.repeated
        }
        self._line.clear()
        self.first = None
        return begun

    def _go_on(self, now: float) -> None:
        self.first = None
        for waiting in self._line.values():
            self.first = waiting
            break
        self._front_since = now

    def _running(self) -> Iterator[Waiting[Table]]:
        """The decisions whose time runs: the first one; behind expired ones, those of the same tables."""
        busy: list[Table] = []
        for waiting in self._line.values():
            if waiting.expired:
                busy.append(waiting.table)
            elif not busy:
                yield waiting
                return
            elif waiting.table in busy:
                yield waiting

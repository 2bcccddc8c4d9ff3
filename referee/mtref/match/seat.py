"""What the referee keeps for one seat of one game beside the game itself: clock, strikes, faults, times, news."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from mtref.match.clock import Clock
from mtref.match.fault import FaultKind, FaultPolicy, Treatment
from mtref.match.question import Ask

__all__ = ["Seat"]


@dataclass(slots=True)
class Seat:
    """One seat. ``heard`` is every event of the game as this seat may know it, packed; ``told`` so many numbers of it have
    been given out. ``times_ms`` has one entry for each answer. ``asked`` is the last decision it was asked, ``shown`` the last one that
    was written down for a fault.
    """

    number: int
    clock: Clock
    policy: FaultPolicy
    strikes: int = 0
    forfeited: bool = False
    decisions: int = 0
    faults: Counter[FaultKind] = field(default_factory=Counter)
    times_ms: list[float] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)
    told: int = 0
    asked: Ask | None = None
    shown: Ask | None = None

    def take_news(self) -> list[int]:
        """The events since the last call, packed."""
        news = self.heard[self.told :]
        self.told = len(self.heard)
        return news

    def charge(self, elapsed_ms: float) -> None:
        """Note that a decision took so long, and let the clock pay for it."""
        self.times_ms.append(elapsed_ms)
        self.clock = self.clock.after(elapsed_ms)

    def blame(self, kind: FaultKind) -> Treatment:
        """Count a fault and say what it costs now: a strike that is one too many is a forfeit."""
        self.faults[kind] += 1
        treatment = self.policy.treatment(kind)
        if treatment is Treatment.STRIKE:
            self.strikes += 1
            if self.strikes >= self.policy.strikes:
                treatment = Treatment.FORFEIT
        if treatment is Treatment.FORFEIT:
            self.forfeited = True
        return treatment

    def fault_counts(self) -> dict[str, int]:
        """How often each kind of fault happened, by its name, in the order of the list."""
        return {kind.value: self.faults[kind] for kind in FaultKind if self.faults[kind]}

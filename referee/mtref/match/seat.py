"""What the referee keeps for one seat of one game beside the game itself: clock, strikes, faults, times, news."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

from mtref.match.clock import Clock
from mtref.match.fault import FaultKind, FaultPolicy, Treatment
from mtref.match.hearing import Hearing
from mtref.match.question import Ask
from mtref_sdk.varint import numbers

__all__ = ["Seat"]


@dataclass(slots=True)
class Seat:
    """One seat. ``told`` is the place in the table's `Hearing` up to which it has been told what it heard.
    ``times_ms`` has one entry for each answer. ``asked`` is the last decision it was asked, ``shown`` the last one that
    was written down for a fault.
    """

    number: int
    clock: Clock
    policy: FaultPolicy
    hearing: Hearing
    strikes: int = 0
    forfeited: bool = False
    decisions: int = 0
    faults: Counter[FaultKind] = field(default_factory=Counter)
    times_ms: array[float] = field(default_factory=lambda: array("d"))
    told: int = 0
    asked: Ask | None = None
    shown: Ask | None = None

    def take_news(self) -> bytes:
        """What it heard since the last call, packed as a message holds it."""
        self.told = len(self.hearing)
        return self.hearing.take_news(self.number)

    def heard(self, *, until: int | None = None) -> list[int]:
        """Every event of the game, up to a place in the `Hearing`, as this seat may know it; as packed numbers."""
        return numbers(self.hearing.of(self.number, until=until))

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
            self.hearing.leave(self.number)
        return treatment

    def fault_counts(self) -> dict[str, int]:
        """How often each kind of fault happened, by its name, in the order of the list."""
        return {kind.value: self.faults[kind] for kind in FaultKind if self.faults[kind]}

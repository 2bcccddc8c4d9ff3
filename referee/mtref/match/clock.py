"""A seat's clock as a value: it is told elapsed times and answers what is left. It never reads the time itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["Clock", "ClockSettings"]


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The time rules of a game, in milliseconds.

    ``move_ms`` is free for every decision; only what goes beyond it is taken from the bank, which starts at
    ``bank_ms`` for the game and grows by ``increment_ms`` at the start of every round but the first.
    ``margin_ms`` is granted for transport on top, and never given to the bot as thinking time.
    ``startup_ms`` is how long a bot may take to get ready before the deal; no clock is ever charged for it.
    With ``enabled`` false nothing is charged and no decision runs out of time; the start-up limit still holds.
    """

    move_ms: float = 1_000.0
    bank_ms: float = 10_000.0
    increment_ms: float = 0.0
    margin_ms: float = 100.0
    startup_ms: float = 30_000.0
    enabled: bool = True

    def to_dict(self) -> dict[str, float] | None:
        """The limits as JSON, or None without a clock (the start-up limit is not part of the game)."""
        if not self.enabled:
            return None
        return {
            "move_ms": self.move_ms,
            "bank_ms": self.bank_ms,
            "increment_ms": self.increment_ms,
            "margin_ms": self.margin_ms,
        }


@dataclass(frozen=True, slots=True)
class Clock:
    """What one seat has left in one game. ``0 <= bank_ms`` always."""

    settings: ClockSettings
    bank_ms: float

    @classmethod
    def full(cls, settings: ClockSettings) -> Clock:
        """The clock at the start of a game."""
        return cls(settings, settings.bank_ms)

    @property
    def allowed_ms(self) -> float | None:
        """How long the referee waits for the next answer: move time, bank and margin. None: without end."""
        if not self.settings.enabled:
            return None
        return self.settings.move_ms + self.bank_ms + self.settings.margin_ms

    def in_time(self, elapsed_ms: float) -> bool:
        """Whether an answer that took so long counts."""
        allowed = self.allowed_ms
        return allowed is None or elapsed_ms <= allowed

    def after(self, elapsed_ms: float) -> Clock:
        """The clock after a decision that took so long.

        The margin is forgiven first, then the bank pays for what lies beyond the move time. An answer that was too
        late leaves an empty bank.
        """
        if not self.settings.enabled:
            return self
        beyond = elapsed_ms - self.settings.move_ms
        if beyond <= 0:
            return self
        owed = max(0.0, beyond - self.settings.margin_ms)
        return replace(self, bank_ms=max(0.0, self.bank_ms - owed))

    def next_round(self) -> Clock:
        """The clock at the start of another round: the increment is added."""
        if not self.settings.increment_ms:
            return self
        return replace(self, bank_ms=self.bank_ms + self.settings.increment_ms)

"""The errors a user of mtref can meet, and nothing else: every message is one line, without a full stop."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "ConfigError",
    "IllegalMoveError",
    "InvalidMoveError",
    "MtrefError",
    "ProtocolError",
    "ReplayError",
]


class MtrefError(Exception):
    """Base of every error mtref raises on purpose; the command line shows it as one line, never as a traceback."""


class InvalidMoveError(MtrefError, ValueError):
    """A text or a code that does not name a tile, a train or a move at all."""


class IllegalMoveError(MtrefError, ValueError):
    """A well-formed move that the rules do not allow now.

    Attributes: ``seat`` (int), ``move`` (text), ``rule`` (a rule id such as ``R-lock-table``), ``legal`` (texts).
    """

    def __init__(self, seat: int, move: str, reason: str, rule: str, legal: Sequence[str]) -> None:
        self.seat, self.move, self.reason, self.rule, self.legal = seat, move, reason, rule, tuple(legal)
        allowed = ", ".join(self.legal) or "nothing: a draw or a pass comes next"
        super().__init__(f"seat {seat} may not play {move}: {reason} ({rule}); legal: {allowed}")


class ConfigError(MtrefError, ValueError):
    """A setting that cannot be used.

    Attributes: ``message``, ``key`` (the offending key, or None), ``where`` (file, or ``file:line``, or None).
    """

    def __init__(self, message: str, *, key: str | None = None, where: str | None = None) -> None:
        self.message, self.key, self.where = message, key, where
        parts = [part for part in (where, key, message) if part]
        super().__init__(": ".join(parts))


class ProtocolError(MtrefError):
    """The other end of a connection said something the protocol does not allow."""


class ReplayError(MtrefError):
    """A log that cannot be read, or that does not agree with the rules or with itself."""

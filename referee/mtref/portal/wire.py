"""What both ends of the authors' calls have to agree about, besides the messages."""

from __future__ import annotations

from typing import Final

__all__ = ["PIECE", "SERVICE"]

SERVICE: Final = "mtref.ladder.v1.LadderService"

PIECE: Final = 64 * 1024
"""Bytes of a file in one message."""

"""A bot that prints when it was asked for its first move, by the clock all processes share, and how much it had imported; and leaves."""

from __future__ import annotations

import sys
import time

from mtref_sdk import Bot, Decision, Move, run


class FirstMove(Bot):
    """What it prints is told by the referee, as it is of every bot that fails; that needs nothing a sandbox forbids."""

    def choose(self, decision: Decision) -> Move:  # noqa: ARG002 - there will be no move
        """Does not return."""
        raise SystemExit(f"first asked at {time.monotonic():.6f} with {len(sys.modules)} modules")


if __name__ == "__main__":
    run(FirstMove())

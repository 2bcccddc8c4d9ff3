"""Plays when it is started for the first time, and ends at once every other time: starts_once.py FILE."""

import sys
from pathlib import Path

from mtref_sdk import Bot, Decision, Move, run


class StartsOnce(Bot):
    def choose(self, decision: Decision) -> Move:
        return decision.legal_moves[0]


if __name__ == "__main__":
    mark = Path(sys.argv[1])
    if mark.exists():
        sys.exit("I was here before")
    mark.touch()
    run(StartsOnce())

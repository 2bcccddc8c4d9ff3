"""Plays when it is started for the first time, perhaps only N decisions, and ends at once every other time: starts_once.py FILE [N]."""

import sys
from pathlib import Path

from mtref_sdk import Bot, Decision, Move, run


class StartsOnce(Bot):
    left = int(sys.argv[2]) if len(sys.argv) > 2 else -1

    def choose(self, decision: Decision) -> Move:
        if self.left == 0:
            sys.exit("this was enough")
        self.left -= 1
        return decision.legal_moves[0]


if __name__ == "__main__":
    mark = Path(sys.argv[1])
    if mark.exists():
        sys.exit("I was here before")
    mark.touch()
    run(StartsOnce())

"""Takes so many seconds to be imported, and then plays as first_legal.py does: slow_start.py SECONDS."""

import sys
import time

from mtref_sdk import Bot, Decision, Move, run

time.sleep(float(sys.argv[1]))


class SlowStart(Bot):
    def choose(self, decision: Decision) -> Move:
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(SlowStart())

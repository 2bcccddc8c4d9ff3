"""Honest: plays what the referee's default policy plays, the first legal move; greedy for the first N decisions if told."""

import sys

from mtref_sdk import Bot, Decision, Move, run


class FirstLegal(Bot):
    def __init__(self, greedy_for: int) -> None:
        self.left = greedy_for

    def choose(self, decision: Decision) -> Move:
        self.left -= 1
        if self.left >= 0:
            return max(
                decision.legal_moves, key=lambda move: (not move.is_stop and move.tile.pips, -move.code)
            )
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(FirstLegal(int(sys.argv[1]) if len(sys.argv) > 1 else 0))

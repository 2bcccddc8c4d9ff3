"""Plays as random_bot.py does, and dies at its fifth decision at table 1."""

import os

from mtref_sdk import Bot, Decision, Move, run


class RandomCrasher(Bot):
    def __init__(self) -> None:
        self.left = 5

    def choose(self, decision: Decision) -> Move:
        self.left -= 1
        if not self.left and decision.table == 1:
            os._exit(1)
        return self.rng.choice(decision.legal_moves)


if __name__ == "__main__":
    run(RandomCrasher())

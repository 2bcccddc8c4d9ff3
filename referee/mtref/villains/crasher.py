"""Raises at its fourth decision."""

from mtref_sdk import Bot, Decision, Move, run


class Crasher(Bot):
    def __init__(self) -> None:
        self.left = 3

    def choose(self, decision: Decision) -> Move:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("this bot fails on purpose")
        return self.rng.choice(decision.legal_moves)


if __name__ == "__main__":
    run(Crasher())

"""Draws its moves from chance of its own, so that what it was told does not say what it chooses."""

import secrets

from mtref_sdk import Bot, Decision, Move, run


class OwnChance(Bot):
    def choose(self, decision: Decision) -> Move:
        return secrets.choice(decision.legal_moves)


if __name__ == "__main__":
    run(OwnChance())

"""Closes its standard streams and plays on."""

import os

from mtref_sdk import Bot, Decision, Move, run


class Closes(Bot):
    def choose(self, decision: Decision) -> Move:
        return decision.legal_moves[0]


if __name__ == "__main__":
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    run(Closes())

"""Prints a megabyte on stdout and one on stderr with every move, and plays on."""

import sys

from mtref_sdk import Bot, Decision, Move, run


class Floods(Bot):
    def choose(self, decision: Decision) -> Move:
        for stream in (sys.stdout, sys.stderr):
            stream.write("x" * 1_000_000 + "\n")
            stream.flush()
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(Floods())

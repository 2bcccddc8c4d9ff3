"""Plays as first_legal.py does for its first N decisions of each table, then fails in the WAY told: fails.py WAY N."""

import os
import signal
import sys
import time

from mtref_sdk import STOP, Bot, Decision, Move, parse_move, run


def eat() -> None:
    """Take memory until there is none."""
    taken = []
    while True:
        taken.append(b"x" * (8 << 20))


class Fails(Bot):
    def __init__(self, way: str, after: int) -> None:
        self.way, self.left = way, after

    def choose(self, decision: Decision) -> Move:
        self.left -= 1
        if self.left >= 0:
            return max(
                decision.legal_moves, key=lambda move: (not move.is_stop and move.tile.pips, -move.code)
            )
        match self.way:
            case "raises":
                raise ValueError("this bot fails on purpose")
            case "exits":
                os._exit(0)
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hangs":
                time.sleep(600)
            case "hangs_for_table_1" if decision.table == 1:
                time.sleep(600)
            case "dies_at_table_1" if decision.table == 1:
                os._exit(3)
            case "sleeps_for_table_1" if decision.table == 1:
                time.sleep(float(sys.argv[3]))
            case "naps_at_table_1" if decision.table == 1 and self.left == -1:
                time.sleep(float(sys.argv[3]))
            case "late_once" if self.left == -1:
                time.sleep(float(sys.argv[3]))
            case "eats":
                eat()
            case "says":
                os.write(2, sys.argv[3].encode() + b"\n")
                os._exit(1)
            case "illegal":
                return STOP if STOP not in decision.legal_moves else parse_move("18-18@m18")
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(Fails(sys.argv[1], int(sys.argv[2])))

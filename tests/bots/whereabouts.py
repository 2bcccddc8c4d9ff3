"""Tells on which cores it and a child of it may run: by its last words at its first decision, or in a file in the folder FOLDER, and then it plays.

whereabouts.py [FOLDER]. The file is named after the bot's process and has the address of its referee, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from mtref_sdk import Bot, Decision, Move, run

CHILD = "import os; print(*sorted(os.sched_getaffinity(0)))"


class Whereabouts(Bot):
    def __init__(self) -> None:
        child = subprocess.run(
            [sys.executable, "-S", "-c", CHILD], capture_output=True, text=True, check=True
        )
        self.cores = [sorted(os.sched_getaffinity(0)), [int(core) for core in child.stdout.split()]]
        if sys.argv[1:]:
            told = {"cores": self.cores, "address": os.environ["MTREF_ADDRESS"]}
            Path(sys.argv[1], str(os.getpid())).write_text(json.dumps(told), "utf-8")

    def choose(self, decision: Decision) -> Move:
        if not sys.argv[1:]:
            sys.exit(json.dumps(self.cores))
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(Whereabouts())

"""Leaves a daemon behind in a session of its own, writes "its pid, the daemon's pid" to the file told, and plays on."""

import os
import signal
import sys
import time
from pathlib import Path

from mtref_sdk import Bot, Decision, Move, run


class Daemon(Bot):
    def choose(self, decision: Decision) -> Move:
        if len(sys.argv) > 2:
            time.sleep(float(sys.argv[2]))
        return decision.legal_moves[0]


def leave_a_daemon(mark: Path) -> None:
    bot = os.getpid()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            part = mark.with_suffix(".part")
            part.write_text(f"{bot} {os.getpid()}")
            part.rename(mark)
            time.sleep(600)
        os._exit(0)


if __name__ == "__main__":
    leave_a_daemon(Path(sys.argv[1]))
    run(Daemon())

"""A bot that leaves a daemon behind: twice forked, in a session of its own, deaf to signals. Prints a line when it is there.

``daemon.py SECONDS`` leaves one that sleeps so long, and waits; ``daemon.py busy`` computes, with two children.
"""

from __future__ import annotations

import os
import signal
import sys

DEAF = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE)


def sleep_elsewhere(seconds: str, ready: int) -> None:
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in DEAF:
        signal.signal(number, signal.SIG_IGN)
    os.set_inheritable(ready, False)  # closed when it has become `sleep`
    os.execvp("sleep", ["sleep", seconds])


if __name__ == "__main__":
    if sys.argv[1] == "busy":
        os.fork() or os.fork()
        os.write(1, b"computing\n")
        while True:
            pass
    read, write = os.pipe()
    sleep_elsewhere(sys.argv[1], write)
    os.close(write)
    os.read(read, 1)
    os.write(1, b"there\n")
    signal.pause()

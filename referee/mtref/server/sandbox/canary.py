"""A harmless bot that tries what a bot must not be able to do, and reports what it could. Run as a script by `probe.py`.

Takes its targets as JSON on the command line, greets the referee's socket with its token, and prints one JSON object:
for each attempt, whether it succeeded.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import importlib.util
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

CLONE_NEWUSER = 0x10000000


def reads(path: str) -> bool:
    """Whether a file has something to read for us."""
    with open(path, "rb") as file:
        return bool(file.read(1))


def writes(path: str) -> bool:
    """Whether a file can be made."""
    with open(path, "wb"):
        return True


def signals(pid: int) -> bool:
    """Whether a process can be signalled."""
    os.kill(pid, 0)
    return True


def connects(family: int, address: Any) -> bool:
    """Whether somebody listens to us."""
    with socket.socket(family) as caller:
        caller.settimeout(5)
        caller.connect(address)
        return True


def namespaces() -> bool:
    """Whether a child can make a user namespace (and so have all rights over a network and mounts of its own)."""
    pid = os.fork()
    if not pid:
        os._exit(ctypes.CDLL(None).unshare(CLONE_NEWUSER) and 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def locks() -> bool:
    """Whether a lock on a file we may only read is seen by another process."""
    with open(__file__, "rb") as ours, open(__file__, "rb") as theirs:
        fcntl.flock(ours, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def greet() -> bool:
    """Whether the referee can be reached with the token it gave, and what a bot imports is there."""
    with socket.socket(socket.AF_UNIX) as referee:
        referee.settimeout(5)
        referee.connect(os.environ["MTREF_ADDRESS"].removeprefix("unix:"))
        referee.sendall(os.environ["MTREF_TOKEN"].encode())
    return all(importlib.util.find_spec(name) for name in ("mtref", "mtref_sdk", "hpack"))


def attempts(targets: dict[str, Any]) -> dict[str, Callable[[], bool]]:
    """What is tried, by name."""
    return {
        "greets": greet,
        "files": lambda: reads(targets["file"]),
        "write": lambda: writes(targets["folder"] + "/written"),
        "processes": lambda: reads(f"/proc/{targets['pid']}/cmdline"),
        "memory": lambda: reads(f"/proc/{targets['pid']}/environ"),
        "signals": lambda: signals(targets["pid"]),
        "network": lambda: connects(socket.AF_INET, ("127.0.0.1", targets["port"])),
        "abstract": lambda: connects(socket.AF_UNIX, "\0" + targets["abstract"]),
        "namespaces": namespaces,
        "locks": locks,
    }


if __name__ == "__main__":
    signal.alarm(20)
    could: dict[str, bool] = {}
    for name, attempt in attempts(json.loads(sys.argv[1])).items():
        could[name] = False
        with contextlib.suppress(OSError, KeyError):
            could[name] = attempt()
    sys.stdout.write(json.dumps(could) + "\n")

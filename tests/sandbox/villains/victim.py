"""A bot with secrets, and with an ear and a mouth on every channel to a rival that it gets. Prints where they are; waits."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import secrets
import signal
import socket
import sys
from pathlib import Path
from typing import Any

IPC_CREAT = 0o1000

if __name__ == "__main__":
    orders: dict[str, Any] = json.loads(os.environ["MTREF_TARGETS"])
    secret = secrets.token_hex(16)
    buffer = ctypes.create_string_buffer(secret.encode())
    facts: dict[str, Any] = {"secret": secret, "address": ctypes.addressof(buffer), "rival_port": 1}
    ears = []
    with contextlib.suppress(OSError):
        ears.append(socket.create_server(("127.0.0.1", 0)))
        facts["rival_port"] = ears[-1].getsockname()[1]
    with contextlib.suppress(OSError):
        ears.append(socket.socket(socket.AF_UNIX))
        ears[-1].bind("\0" + orders["rival_abstract"])
        ears[-1].listen()
    for path in (orders["tmp_file"], orders["shm_file"]):
        with contextlib.suppress(OSError):
            Path(path).write_text("x", "ascii")
            Path(path).chmod(0o644)
    ctypes.CDLL(None).shmget(orders["shm_key"], 4096, IPC_CREAT | 0o666)
    with open(orders["shared"], "rb") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        with contextlib.suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_SH)
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()
        signal.pause()

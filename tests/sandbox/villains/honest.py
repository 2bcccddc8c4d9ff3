"""A bot that does what honest bots do. Prints one JSON object: what it found around itself, and True for what worked."""

from __future__ import annotations

import importlib
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, os.path.dirname(__file__))


def database() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(os.path.join(folder, "data"))
        connection.execute("create table t (x)")
        connection.execute("insert into t values (1)")
        connection.commit()
        rows: list[tuple[int]] = connection.execute("select x from t").fetchall()
        connection.close()
    return rows == [(1,)]


def threads() -> bool:
    results: list[int] = []
    workers = [threading.Thread(target=results.append, args=(n,)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sorted(results) == list(range(8))


def children() -> bool:
    run = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, check=True)
    return run.stdout == b"42\n"


def shell() -> bool:
    return subprocess.run(["sh", "-c", "exit 3"], check=False).returncode == 3


def greets() -> bool:
    with socket.socket(socket.AF_UNIX) as referee:
        referee.connect(os.environ["MTREF_ADDRESS"].removeprefix("unix:"))
        referee.sendall(os.environ["MTREF_TOKEN"].encode())
        return referee.recv(2) == b"ok"


def status(name: str) -> str:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(line.split(":")[1].strip() for line in lines if line.startswith(name + ":"))


if __name__ == "__main__":
    facts = {
        "imports": [importlib.import_module(name).__name__ for name in sys.argv[1:]],
        "sibling": importlib.import_module("sibling").VALUE,
        "database": database(),
        "threads": threads(),
        "children": children(),
        "shell": shell(),
        "greets": greets(),
        "home": os.access(os.path.expanduser("~"), os.W_OK),
        "environment": sorted(os.environ),
        "descriptors": sorted(
            int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")
        ),
        "capabilities": int(status("CapEff"), 16) | int(status("CapPrm"), 16) | int(status("CapInh"), 16),
        "privileges": status("NoNewPrivs"),
        "filter": status("Seccomp"),
        "user": os.getuid(),
        "groups": os.getgroups(),
        "cwd": os.getcwd(),
    }
    sys.stdout.write(json.dumps(facts) + "\n")

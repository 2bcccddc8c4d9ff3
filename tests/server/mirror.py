"""Prints, as JSON, everything a program can find out about the process it runs in; what differs from run to run is left out."""

from __future__ import annotations

import contextlib
import gc
import json
import locale
import os
import resource
import signal
import sys
import threading
from pathlib import Path
from typing import Any

PRELOADED = "mtref_sdk.client" in sys.modules
STATUS = (
    "Umask:",
    "Groups:",
    "CapInh:",
    "CapPrm:",
    "CapEff:",
    "CapBnd:",
    "CapAmb:",
    "NoNewPrivs:",
    "Seccomp:",
    "SigBlk:",
    "SigIgn:",
    "SigCgt:",
    "Threads:",
)


def stream(file: Any) -> dict[str, Any]:
    """What can be asked of one of the three streams."""
    return {
        "number": file.fileno(),
        "mode": file.mode,
        "name": file.name,
        "encoding": file.encoding,
        "errors": file.errors,
        "lines": file.line_buffering,
        "through": file.write_through,
        "terminal": file.isatty(),
        "seekable": file.seekable(),
        "newlines": repr(file.newlines),
        "kind": type(file.buffer).__name__,
    }


def descriptors() -> dict[str, str]:
    """What is open, by number; not the one the list is read from."""
    found = {}
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found[path.name] = str(path.readlink()).partition(":")[0]
    return found


def status() -> list[list[str]]:
    """The lines of /proc/self/status that tell of rights and signals."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return [line.split() for line in lines if line.startswith(STATUS)]


def main_module() -> dict[str, Any]:
    """The names in this module before it did anything, and what is under them."""
    module = sys.modules["__main__"]
    known = ("__name__", "__doc__", "__package__", "__spec__", "__file__", "__cached__", "__annotations__")
    facts = {name: repr(getattr(module, name)) for name in known}
    dunders = sorted(name for name in vars(module) if name.startswith("__"))
    loader = vars(module)["__loader__"]
    builtins = vars(module)["__builtins__"]
    return {
        **facts,
        "names": dunders,
        "loader": (type(loader).__name__, loader.name, loader.path),
        "b": repr(builtins),
    }


def readable(path: str) -> object:
    """Whether a file of /proc about this process can be read."""
    try:
        with Path(path).open("rb") as file:
            return len(file.read(1)) == 1
    except OSError as error:
        return error.strerror


hidden = ("MTREF_TOKEN", "MTREF_ADDRESS", "MTREF_ORDERS")
sys.stdout.write(
    json.dumps(
        {
            "preloaded": PRELOADED,
            "argv": sys.argv,
            "orig_argv": sys.orig_argv,
            "executable": sys.executable,
            "path": sys.path,
            "flags": repr(sys.flags),
            "options": [sys.warnoptions, sys._xoptions, sys.dont_write_bytecode, sys.pycache_prefix],
            "prefixes": [sys.prefix, sys.base_prefix, sys.exec_prefix],
            "hooks": [
                sys.excepthook is sys.__excepthook__,
                sys.displayhook is sys.__displayhook__,
                sys.gettrace(),
            ],
            "limits": [sys.getrecursionlimit(), sys.getswitchinterval(), gc.isenabled(), gc.get_threshold()],
            "main": main_module(),
            "cwd": str(Path.cwd()),
            "environment": {key: value for key, value in os.environ.items() if key not in hidden},
            "given": sorted(name for name in hidden if name in os.environ),
            "streams": [stream(sys.stdin), stream(sys.stdout), stream(sys.stderr)],
            "same streams": sys.stdout is sys.__stdout__,
            "descriptors": descriptors(),
            "signals": {
                signal.Signals(number).name: str(signal.getsignal(number)).partition(" at ")[0]
                for number in range(1, signal.SIGRTMIN)
                if number in signal.valid_signals()
            },
            "wakeup": signal.set_wakeup_fd(-1),
            "status": status(),
            "session": [
                os.getsid(0) == os.getpid(),
                os.getpgrp() == os.getpid(),
                os.getpriority(os.PRIO_PROCESS, 0),
            ],
            "resources": {
                name: resource.getrlimit(getattr(resource, name))
                for name in dir(resource)
                if name.startswith("RLIMIT_") and name != "RLIMIT_NPROC"
            },
            "thread": [threading.current_thread() is threading.main_thread(), threading.active_count()],
            "locale": [
                locale.setlocale(locale.LC_ALL),
                locale.getpreferredencoding(False),
                sys.getfilesystemencoding(),
            ],
            "own files": {
                name: readable(f"/proc/self/{name}") for name in ("environ", "maps", "mem", "oom_score_adj")
            },
            "oom": Path("/proc/self/oom_score_adj").read_text("ascii"),
            "user": [
                len({*os.getresuid(), *os.getresgid()}),
                os.getuid() == 0,
                os.access("/proc/self/fd", os.R_OK),
            ],
        }
    )
)

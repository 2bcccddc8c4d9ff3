"""Looking at processes from outside, for tests that kill some of them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

__all__ = ["descendants", "kill", "launchers", "running_with", "wait_until_gone"]


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def _parents() -> dict[int, int]:
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def descendants(pid: int, containing: str) -> list[int]:
    """The processes that come from `pid` and whose command line contains a text."""
    parents = _parents()
    family, fresh = {pid}, {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - family
        family |= fresh
    return sorted(child for child in family - {pid} if containing in _command(child))


def launchers(pid: int) -> list[int]:
    """The launchers that come from `pid`, without their forks: the keeper of a bot counts as that bot."""
    found = descendants(pid, "launcher.py")
    parents = _parents()
    return [launcher for launcher in found if parents.get(launcher) not in found]


def running_with(text: str) -> list[int]:
    """All processes whose command line contains a text, but this one."""
    return [pid for pid in _parents() if pid != os.getpid() and text in _command(pid)]


def kill(pid: int) -> None:
    """SIGKILL, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def wait_until_gone(text: str, seconds: float = 20.0) -> None:
    """Until no process's command line contains a text. Fails if that does not come about."""
    until = time.monotonic() + seconds
    while left := running_with(text):
        assert time.monotonic() < until, f"still running: {[(pid, _command(pid)) for pid in left]}"
        time.sleep(0.02)

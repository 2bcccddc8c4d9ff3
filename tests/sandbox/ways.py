"""The ways in which bots are run in these tests: every level, as root and as an ordinary user, none left out."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mtref.server.sandbox import enter
from mtref.server.sandbox.runtime import python_environment, python_folders
from mtref.server.sandbox.visible import covers_for
from tests.house.repository import ROOT

__all__ = ["ROOT_WAYS", "USER_WAYS", "WAYS", "Way", "command_for", "played", "until"]

SCENES: Final = Path(__file__).with_name("scenes.py")

ORDINARY: Final = 61120 + os.getpid() % 60
"""An id of no account: the ordinary user that root becomes for half of the tests. Not that of another session."""


@dataclass(frozen=True, slots=True)
class Way:
    """A level, whether the referee is an ordinary user (or else root), and whether bots are forks of a preloaded Python."""

    level: str
    ordinary: bool
    forked: bool = False

    def __str__(self) -> str:
        return f"{self.level} as {'ordinary user' if self.ordinary else 'root'}{', forked' if self.forked else ''}"


ROOT_WAYS: Final = tuple(Way(level, ordinary=False) for level in ("bwrap", "landlock", "rlimits"))
USER_WAYS: Final = tuple(Way(level, ordinary=True) for level in ("bwrap", "landlock", "rlimits", "none"))
_OWN: Final = (*ROOT_WAYS, *USER_WAYS) if os.geteuid() == 0 else USER_WAYS
_FORKED: Final = tuple(replace(way, forked=True) for way in _OWN if way.level != "bwrap")
WAYS: Final = (*_OWN, *_FORKED)
"""What can be run: root can be both."""


def command_for(way: Way, *words: str) -> tuple[list[str], dict[str, str]]:
    """The command that plays scenes, and its environment."""
    env = {**os.environ, **python_environment()}
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [env.get("PYTHONPATH")])])
    command = [sys.executable, str(SCENES), way.level, "forked" if way.forked else "own", *words]
    if not way.ordinary or os.geteuid() != 0:
        return command, env
    env |= {"HOME": "/tmp", "TMPDIR": "/tmp"}
    orders = {
        "user": ORDINARY,
        "covers": covers_for([*python_folders(), ROOT]),
        "cwd": str(ROOT),
        "argv": command,
        "env": env,
    }
    return [sys.executable, "-I", "-S", enter.__file__], enter.written(orders)


@functools.cache
def played(way: Way) -> dict[str, Any]:
    """What comes of every scene in a way; run once."""
    command, env = command_for(way, "attack", "honest", "daemon", "freeze", "bombs")
    run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=200, check=False)
    assert run.returncode == 0, f"{way}: {run.stdout[-2000:]}{run.stderr[-4000:]}"
    outcome: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return outcome


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for something outside this process."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)

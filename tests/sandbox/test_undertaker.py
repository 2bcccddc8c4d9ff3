"""A referee that is killed while it tries a sandbox out leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SCRIPT = """
import json, sys
from mtref.server.sandbox import probe
from mtref.server.sandbox.choose import choose_sandbox

def prepare(self, bot, make=probe.Workshop.prepare):
    prepared = make(self, bot)
    print(json.dumps(prepared.cgroups), flush=True)
    return prepared

probe.Workshop.prepare = prepare
probe.canary.__file__ = sys.argv[1]
choose_sandbox(sys.argv[2])
"""


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def members(groups: list[str]) -> list[str]:
    return [line for group in groups for line in (Path(group) / "cgroup.procs").read_text().split()]


@pytest.fixture
def folder() -> Iterator[Path]:
    """For temporary files; its path is short, or there would be no room for a socket's, and another one be taken."""
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@pytest.mark.parametrize("level", ["bwrap", "landlock", "rlimits"])
def test_a_referee_that_is_killed_during_the_probe_leaves_nothing(
    level: str, folder: Path, tmp_path: Path
) -> None:
    hanging = tmp_path / "hanging.py"
    hanging.write_text("import time; time.sleep(600)")
    argv = [sys.executable, "-c", SCRIPT, str(hanging), level]
    with subprocess.Popen(argv, env=os.environ | {"TMPDIR": str(folder)}, stdout=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        groups = json.loads(referee.stdout.readline())
        if groups:
            until(lambda: bool(members(groups)))
        assert any(folder.iterdir())
        referee.kill()
    until(lambda: not any(folder.iterdir()) and not any(Path(group).exists() for group in groups))

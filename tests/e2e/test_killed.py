"""However the referee ends, no bot and no child of a bot is left, and the log can be read up to there."""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bots.villains import HERE
from tests.e2e.commands import ROOT, alive, mtref, mtref_argv


async def until(condition: Callable[[], object], seconds: float = 15.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def session_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[3])


def in_session(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and alive(int(entry.name)):
            try:
                if session_of(int(entry.name)) == session:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)],
)
@pytest.mark.parametrize("sleep", [0.01, 600])
def test_a_killed_referee_leaves_no_process_behind_and_a_log_that_can_be_read(
    number: signal.Signals, code: int, sleep: float, tmp_path: Path
) -> None:
    marks = [tmp_path / "mark1", tmp_path / "mark2"]
    log = tmp_path / "game.jsonl"
    bots = [shlex.join([sys.executable, str(HERE / "daemon.py"), str(mark), str(sleep)]) for mark in marks]
    argv = mtref_argv("match", *bots, "--rule", "rounds=13", "--no-clock", "--sandbox", "none", "--log", log)
    with subprocess.Popen(argv, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True) as referee:

        async def watch() -> None:
            await until(lambda: all(mark.exists() for mark in marks))
            await until(lambda: log.exists() and b'"hand_dealt"' in log.read_bytes())
            pids = [int(pid) for mark in marks for pid in mark.read_text().split()]
            sessions = {session_of(pid) for pid in pids}
            assert len(sessions) == 4 and all(map(alive, pids))
            assert session_of(referee.pid) not in sessions
            referee.send_signal(number)
            await until(lambda: not any(map(alive, pids)))
            assert not any(in_session(session) for session in sessions)

        asyncio.run(watch())
        assert referee.wait(10) == code
        assert referee.stderr is not None
        assert b"Traceback" not in referee.stderr.read()
    shown = mtref("replay", log, "--json")
    assert json.loads(shown.stdout.splitlines()[0])
    assert mtref("verify", log).returncode == 1


def test_a_referee_that_ends_by_itself_leaves_no_daemon_behind(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    bot = shlex.join([sys.executable, str(HERE / "daemon.py"), str(mark)])
    assert mtref("match", bot, "bots/greedy.py", "--rule", "rounds=1", "--sandbox", "none").returncode == 0
    assert not any(alive(int(pid)) for pid in mark.read_text().split())

"""`--pin`: referee, bots and what bots start share one core; without it they may use all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mtref.server.sandbox.levels import Level
from tests.e2e.commands import mtref

WHERE = Path(__file__).parent.parent / "bots" / "whereabouts.py"
QUICK = ("--rule", "rounds=1", "--seed", "core")
CORES = sorted(os.sched_getaffinity(0))


def played(*args: object) -> tuple[dict[str, Any], list[list[list[int]]]]:
    """What the result says of the sandbox, and the cores of each bot that told them, and of its child."""
    done = mtref("match", WHERE, "bots/greedy.py", WHERE, *QUICK, "--json", *args)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    return result["sandbox"], [json.loads(incident["output"][-1]) for incident in result["incidents"]]


@pytest.mark.parametrize("level", list(Level))
def test_pinned_referee_bots_and_their_children_have_one_core(level: Level, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    sandbox, told = played("--pin", "--sandbox", level, "--log", log)
    assert sandbox["core"] in CORES  # as the referee itself is
    assert told == [[[sandbox["core"]]] * 2] * 2
    assert sandbox["line"].endswith("; referee and bots share one core")
    assert json.loads(log.read_text().splitlines()[0])["sandbox"] == sandbox["line"]


def test_without_it_they_may_use_all() -> None:
    sandbox, told = played("--sandbox", "none")
    assert told == [[CORES] * 2] * 2
    assert sandbox["core"] == (None if len(CORES) > 1 else CORES[0])
    assert ("share one core" in sandbox["line"]) is (len(CORES) == 1)


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--in-process"], "--in-process: bots inside the referee cannot be isolated, paused, pinned or"),
        (["--debug", "--by-hand", "2"], "--by-hand: a bot that is not started here cannot be pinned"),
    ],
)
def test_where_it_has_no_use_it_is_refused(args: list[str], line: str) -> None:
    done = mtref("match", "bots/greedy.py", "bots/greedy.py", "--pin", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr and len(done.stderr.splitlines()) == 1


def test_where_it_is_forbidden_one_line_says_so(
    mtref: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(pid: int, cores: set[int]) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setaffinity", forbidden)
    code, out, err = mtref("match", "bots/greedy.py", "bots/greedy.py", "--pin")
    assert (code, out) == (1, "")
    assert err.startswith("mtref: cannot pin to core ") and err.endswith(": Operation not permitted\n")

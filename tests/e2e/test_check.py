"""`mtref check` as the author of a bot meets it."""

from __future__ import annotations

import json

import pytest

from tests.bots.villains import BROKEN, HERE
from tests.e2e.commands import mtref, mtref_argv

PYTHON = mtref_argv()[0]
ONE = ("--rules", "playboard", "--move-time", 20)


def test_a_good_bot_passes_every_step() -> None:
    done = mtref(
        "check", "bots/greedy.py", "--rules", "playboard", "--rules", "cubano", "--move-time", 20, "--json"
    )
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout)
    assert report["passed"] and report["sandbox"].startswith("sandbox: ")
    assert [step["name"] for step in report["steps"]] == [
        "starts and connects",
        "plays playboard",
        "plays cubano",
        "answers in time",
        "can be started again",
        "memory",
        "ends by itself and leaves nothing",
    ]
    found = {step["name"]: step["found"] for step in report["steps"]}
    assert found["can be started again"] == "the same seed gave the same game"
    assert int(found["memory"].split()[2]) > 10


def test_rules_whose_rounds_belong_together_are_played_whole() -> None:
    done = mtref("check", "bots/greedy.py", "--rules", "cubano-holder", "--move-time", 20)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "plays cubano-holder: passed" in done.stdout


def test_the_steps_are_numbered_and_a_bot_that_cannot_start_is_told_why() -> None:
    done = mtref("check", BROKEN, *ONE)
    assert done.returncode == 1
    line, first, *rest = done.stdout.splitlines()
    assert line.startswith("sandbox: ")
    assert first.startswith(" 1. starts for playboard: FAILED: bot 2, broken")
    assert any("SyntaxError" in text for text in rest)
    assert rest[-1] == "1 of 1 step failed"


@pytest.mark.parametrize(
    ("words", "step", "found"),
    [
        ("fails.py raises 2", "plays playboard: FAILED: crash 1", "this bot fails on purpose"),
        ("fails.py illegal 2", "plays playboard: FAILED: illegal_move 3", "may not play"),
        (
            "fails.py eats 2",
            "memory: FAILED: at most ",
            "a process of the bot ended because that was used up",
        ),
        ("mischief.py stays", "ends by itself and leaves nothing: FAILED", "had to be killed"),
    ],
)
def test_what_goes_wrong_is_told_at_its_step(words: str, step: str, found: str) -> None:
    done = mtref("check", f"{PYTHON} {HERE}/{words}", *ONE)
    assert done.returncode == 1
    assert step in done.stdout and found in done.stdout


def test_a_bot_that_is_late_fails_the_step_about_time() -> None:
    done = mtref("check", f"{PYTHON} {HERE}/fails.py hangs 2", "--rules", "playboard", "--move-time", "500ms")
    assert done.returncode == 1
    assert "answers in time: FAILED" in done.stdout and "were too late" in done.stdout

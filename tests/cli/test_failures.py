"""What a failed command says: a line for people on stderr, and an object for programs where ``--json`` was asked for."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mtref.cli.failures import asks_for_json
from tests.e2e.commands import mtref_argv
from tests.replay.games import write_game

Run = Callable[..., tuple[int, str, str]]


def told(answer: tuple[int, str, str], code: int) -> dict[str, object]:
    """The error object of a run, which is all it printed on stdout, and says what the line on stderr says."""
    found_code, out, err = answer
    assert found_code == code and out.count("\n") == 1
    error: dict[str, object] = json.loads(out)["error"]
    assert error["exit"] == code
    assert json.loads(out).keys() == {"error"}
    assert str(error["message"]).split("\n")[0][:40] in err
    return error


@pytest.mark.parametrize(
    "words",
    [
        ["match", "bots/greedy.py"],
        ["match", "bots/greedy.py", "bots/greedy.py", "--games", "none"],
        ["match", "--nonsense"],
        ["explain", "missing.yaml"],
        ["rules", "nonsense"],
        ["rules", "playboard", "--rule", "x"],
        ["diff", "missing", "missing"],
        ["logs", "query", "missing"],
        ["verify"],
        ["audit", "--seats", "x"],
        ["ladder", "standings", "missing.yaml"],
        ["ladder", "run", "missing.yaml"],
        ["nonsense"],
    ],
)
def test_wrong_usage_is_an_object_too(mtref: Run, words: list[str]) -> None:
    told(mtref(*words, "--json"), 2)
    code, out, _ = mtref(*words)
    assert (code, out) == (2, "")


def test_a_log_that_cannot_be_read_is_an_object_with_its_line(tmp_path: Path, mtref: Run) -> None:
    log = tmp_path / "x.jsonl"
    log.write_text("{}\n")
    error = told(mtref("replay", log, "--json"), 1)
    assert error == {"message": f"{log}: line 1: not an mtref log", "exit": 1, "line": 1}
    assert "No such file" in str(told(mtref("replay", tmp_path / "missing", "--json"), 1)["message"])


def test_what_was_shown_before_stays_and_the_error_is_the_last_line(tmp_path: Path, mtref: Run) -> None:
    log = write_game(tmp_path / "a.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"turn_passed"', b'"turn_possed"', 1))
    code, out, _ = mtref("replay", log, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and lines[0]["event"] == "header" and lines[-1].keys() == {"error"}


def test_a_setting_is_named(mtref: Run) -> None:
    error = told(mtref("rules", "playboard", "--json", "--rule", "rounds=x"), 2)
    assert error["key"] == "rounds"


def test_a_bot_that_does_not_start_is_an_object(tmp_path: Path, mtref: Run) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("raise RuntimeError('no')\n")
    error = told(mtref("match", bot, "bots/greedy.py", "--in-process", "--json"), 1)
    assert "RuntimeError" in str(error["message"])
    assert told(mtref("match", "missing.py", bot, "--json"), 1)["message"] == "no such file: missing.py"


@pytest.mark.parametrize(
    "words", [["match", "a.py", "b.py"], ["serve", "remote", "remote"], ["check", "a.py"]]
)
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("0", "must be more than 0, such as 0.5 or 500ms"),
        ("0ms", "must be more than 0"),
        ("-1", "is no time"),
        ("nan", "no time"),
    ],
)
def test_no_time_to_get_ready_is_refused(mtref: Run, words: list[str], value: str, reason: str) -> None:
    code, _, err = mtref(*words, "--start-limit", value)
    assert code == 2 and "'--start-limit'" in err and reason in err


def test_no_free_time_for_a_move_is_allowed(mtref: Run) -> None:
    assert "no such file: a.py" in mtref("match", "a.py", "b.py", "--move-time", "0", "--bank", "0s")[2]


def test_a_full_disk_is_told_on_stderr_alone() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            mtref_argv("rules", "--json"), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1 and done.stderr == f"mtref: output: {os.strerror(28)}\n"


@pytest.mark.parametrize("words", [["match", "a.py", "b.py"], ["ladder", "run"], ["replay", "x"]])
def test_a_current_directory_that_is_gone_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mtref: Run, words: list[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    error = told(mtref(*words, "--json"), 1)
    assert error["message"] == "the current directory is gone; change to one that exists"


def test_json_is_asked_for_before_the_end_of_the_options() -> None:
    assert asks_for_json(["match", "--json"]) and asks_for_json(["--json", "--", "x"])
    assert not asks_for_json(["match", "--", "--json"]) and not asks_for_json([])

"""An option that would do nothing beside another is refused in one line, and so is a place that is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
MATCH = ["match", "bots/greedy.py", "bots/greedy.py"]
INSIDE = [*MATCH, "--in-process"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*MATCH, "--no-clock", "--bank", "3"], "--bank cannot be used with --no-clock: there is no clock"),
        ([*INSIDE, "--margin", "3"], "--margin cannot be used with --in-process"),
        ([*INSIDE, "--start-limit", "3"], "--start-limit cannot be used with --in-process"),
        ([*INSIDE, "--bot-memory", "1G"], "--bot-memory cannot be used with --in-process"),
        ([*MATCH, "--sandbox", "none", "--bot-processes", "20"], "cannot be used with --sandbox none"),
        (["serve", *MATCH[1:], "--no-clock", "--increment", "1"], "--increment cannot be used with"),
        (["audit", "x.jsonl", "--rule", "rounds=1"], "--rule cannot be used with a LOG: its own rules"),
        (["audit", "x.jsonl", "--deals", "3"], "--deals cannot be used with a LOG"),
        (["audit", "--sandbox", "none"], "--sandbox cannot be used with no BOT"),
        (["rules", "cubano", "--json", "--yaml"], "--json and --yaml cannot be used together"),
        ([*INSIDE, "--log", ""], "--log: needs the name of a file or directory"),
        ([*INSIDE, "--log", "-"], "--log: needs the name of a file or directory"),
        (["new", ""], "is no file's name"),
        (["new", "/"], "is no file's name"),
    ],
)
def test_it_is_refused_in_one_line(mtref: Run, words: list[str], said: str) -> None:
    code, out, err = mtref(*words)
    assert code == 2 and ("--json" in words or out == "")
    assert said in err and err.startswith("mtref: ") and err.count("\n") == 1


def test_what_is_given_as_it_would_be_anyhow_is_refused_too(mtref: Run) -> None:
    code, _, err = mtref(*INSIDE, "--bank", "10")
    assert code == 2 and "--bank cannot be used" in err


def test_wrong_usage_says_where_to_read_more_and_shows_foreign_text_escaped(mtref: Run) -> None:
    assert mtref("match")[2] == "mtref: Missing argument 'BOT BOT...' (see: mtref match --help)\n"
    _, _, err = mtref(*MATCH, "--\x1b[31m")
    assert "\\x1b[31m" in err and "\x1b" not in err


def test_a_command_that_is_only_a_group_prints_its_help(mtref: Run) -> None:
    code, _, err = mtref("sandbox")
    assert code == 2 and "Commands:" in err


def test_the_list_of_villains_is_an_object_too(mtref: Run) -> None:
    code, out, _ = mtref("drill", "--list", "--json")
    assert code == 0 and json.loads(out)["villains"]["hangs"] == "fails.py hangs 3"
    assert out.count("\n") == 1


def test_a_bot_is_checked_by_rules_that_were_changed(mtref: Run, bot: Path, tmp_path: Path) -> None:
    rules = tmp_path / "short.yaml"
    rules.write_text("{preset: cubano, hand: 3}\n")
    code, out, _ = mtref("check", bot, "--rules", rules, "--rule", "seats=[2, 2]", "--sandbox", "none")
    assert code == 0 and "plays cubano: passed" in out
    code, _, err = mtref("check", bot, "--rules", rules, "--rule", "rounds=0")
    assert code == 2 and err.startswith("mtref: rounds: ")

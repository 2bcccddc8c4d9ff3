"""``mtref replay --attach``, ``--pdb`` and ``--rerun`` as an author meets them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from mtref.replay.records import LogDecision
from tests.cli.loggames import FIRST, HERE, PRINTS, ROOT, Run, decisions, plays_first
from tests.replay.games import write_game


def test_attach_prints_what_the_bot_answers_and_what_the_log_has(mtref: Run, log: Path, bot: Path) -> None:
    asked = decisions(log, 0)
    line = next(line for line in asked[3:] if not plays_first(line))
    code, out, err = mtref("replay", log, "--seat", 0, "--at", line.number, "--attach", bot, "--json", *HERE)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert isinstance(line.record, LogDecision)
    assert (found["line"], found["seat"], found["bot"]) == (line.number, 0, "first")
    assert found["move"] == found["legal"][0] != found["log"]
    before = [other for other in asked if other.number < line.number]
    assert found["before"]["asked"] == len(before)
    different = [other.number for other in before if not plays_first(other)]
    assert [entry["line"] for entry in found["before"]["different"]] == different
    code, out, _ = mtref("replay", log, "--seat", 0, "--at", line.number - 1, "--attach", bot, *HERE)
    assert code == 0 and f"line {line.number}: seat 0 is asked" in out
    assert f"{found['log']} (by the bot)" in out and f"first in line {different[0]}" in out


def test_a_bot_that_fails_is_told_and_what_it_printed_is_shown_as_text(
    mtref: Run, log: Path, tmp_path: Path
) -> None:
    failing = tmp_path / "prints.py"
    failing.write_text(PRINTS)
    code, out, err = mtref("replay", log, "--seat", 0, "--at", 2, "--attach", failing, *HERE)
    assert code == 1 and "crash: the process ended with exit code 1" in out
    assert "  | see \\x1b[2J" in err and "ValueError: bad" in err and "\x1b" not in out + err
    failing.write_text("import nothing_of_this_name")
    code, out, err = mtref("replay", log, "--seat", 0, "--at", 2, "--attach", failing, *HERE)
    assert (code, out) == (
        1,
        "",
    ) and "mtref: prints: the bot ended with exit code 1 before it was ready" in err
    assert "ModuleNotFoundError" in err


def test_pdb_stops_in_choose_at_that_decision_and_nowhere_else(
    mtref: Run, log: Path, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = decisions(log, 0)[5]
    at = ("replay", log, "--seat", 0, "--at", line.number, "--attach", bot)
    monkeypatch.setattr(sys, "stdin", io.StringIO("p decision.legal_moves\nn\nc\n"))
    code, out, _ = mtref(*at, "--pdb")
    assert code == 0
    assert "first.py(7)choose()" in out and "-> move = decision.legal_moves[0]" in out
    assert out.count("choose()") == 2  # the stop, and the step
    assert f"line {line.number}: seat 0 is asked its decision 6" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    code, _, err = mtref(*at, "--pdb")
    assert code == 1 and "the debugger was left before the bot had answered" in err
    bot.write_text(PRINTS)
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n"))
    code, _, err = mtref(*at[:5], 2, *at[6:], "--pdb")
    assert code == 1 and "ValueError: bad" in err


SPY = FIRST.replace(
    "return move",
    """
        try:
            print(len(open(LOG, "rb").read()), flush=True)
        except OSError as error:
            print(type(error).__name__, flush=True)
        return move""",
)


def test_a_bot_that_is_isolated_cannot_read_the_log_that_lies_beside_it(
    mtref: Run, log: Path, tmp_path: Path
) -> None:
    spy = tmp_path / "spy.py"
    spy.write_text(f"LOG = {str(log)!r}\n{SPY}")
    at = ("replay", log, "--seat", 0, "--at", 2, "--attach", spy, "--sandbox")
    code, _, err = mtref(*at, "none")
    assert code == 0 and f"  | {log.stat().st_size}\n" in err
    code, _, err = mtref(*at, "bwrap")
    assert code == 0 and "Error\n" in err and str(log.stat().st_size) not in err


def test_pdb_is_for_bots_in_python_files(mtref: Run, log: Path, bot: Path) -> None:
    at = ("replay", log, "--seat", 0, "--at", 9)
    code, _, err = mtref(*at, "--attach", f"{sys.executable} {bot}", "--pdb")
    assert code == 2 and "--pdb: goes only with a .py file that uses mtref_sdk" in err
    code, _, err = mtref(*at, "--attach", bot, "--pdb", "--sandbox", "bwrap")
    assert code == 2 and "--pdb: a bot inside this command cannot be isolated" in err
    bot.write_text("print('no bot')")
    code, _, err = mtref(*at, "--attach", bot, "--pdb")
    assert code == 1 and "the file never calls run(…) with its bot" in err


def test_rerun_lists_where_the_bot_differs(mtref: Run, log: Path, bot: Path) -> None:
    different = [line.number for line in decisions(log, 0) if not plays_first(line)]
    code, out, err = mtref("replay", log, "--seat", 0, "--rerun", bot, *HERE)
    *listed, summary = out.splitlines()
    assert (code, err) == (1, "")
    assert [int(text.split(":")[0].removeprefix("line ")) for text in listed] == different
    asked = len(decisions(log, 0))
    assert summary == f"first, asked {asked} decisions of seat 0: {len(different)} of them different"


def test_a_bot_that_plays_as_the_log_has_it_is_done(mtref: Run, tmp_path: Path) -> None:
    log, bot = tmp_path / "a.jsonl", ROOT / "bots/random_bot.py"
    options = ("--rule", "rounds=1", "--quiet", "--in-process", "--seed", "x", "--log", log)
    assert mtref("match", bot, bot, *options)[0] == 0
    code, out, _ = mtref("replay", log, "--seat", 1, "--rerun", bot, *HERE)
    assert code == 0 and out.endswith("none of them different\n") and out.count("\n") == 1
    _, out, _ = mtref("replay", log, "--seat", 1, "--rerun", bot, "--json", *HERE)
    found = json.loads(out)
    assert (found["different"], found["deterministic"], found["wavering"]) == ([], True, [])


def test_a_bot_with_chance_of_its_own_is_found_and_named(mtref: Run, log: Path) -> None:
    code, out, _ = mtref(
        "replay", log, "--seat", 1, "--rerun", ROOT / "referee/mtref/villains/own_chance.py", *HERE
    )
    assert code == 1
    assert "own_chance is not deterministic: asked twice, it differs from itself at " in out


def test_the_seed_of_the_match_can_be_given_where_the_log_does_not_hold_it(
    mtref: Run, tmp_path: Path
) -> None:
    log, bot = tmp_path / "a.jsonl", ROOT / "bots/random_bot.py"
    options = ("--rule", "rounds=1", "--quiet", "--in-process", "--seed", "x y", "--log", log)
    assert mtref("match", bot, bot, *options)[0] == 0
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:90]))
    code, out, err = mtref("replay", part, "--seat", 1, "--rerun", bot, *HERE, "--seed", "x y")
    assert (code, err) == (0, "") and "none of them different" in out
    code, _, err = mtref("replay", part, "--seat", 1, "--rerun", bot, *HERE)
    assert code == 1 and "the log does not hold the seed" in err
    code, _, err = mtref("replay", part, "--seat", 1, "--rerun", bot, *HERE, "--seed", "z")
    assert code == 2 and "--seed: the game was not dealt from this text" in err


def test_without_the_seed_it_is_said_what_that_means(mtref: Run, tmp_path: Path, bot: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", reveal=False)
    for options in (["--at", 9, "--attach", bot], ["--rerun", bot]):
        _, _, err = mtref("replay", log, "--seat", 0, *options, *HERE)
        assert "the log does not hold the seed, so the bot's private seed is not the one it had" in err

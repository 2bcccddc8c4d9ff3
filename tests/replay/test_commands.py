"""``mtref replay`` and ``mtref verify`` as a user meets them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mtref.replay.records import BotInfo
from mtref_sdk.ruleset import preset
from tests.replay.games import short, write_game

SNAPSHOTS = Path(__file__).parent / "snapshots"
HOSTILE = [BotInfo("\x1b[2J[bold]\n", "rm \u202e"), BotInfo("x" * 10_000, "")]

Run = Callable[..., tuple[int, str, str]]


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def same_as_snapshot(name: str, text: str, *, update: bool) -> None:
    path = SNAPSHOTS / name
    if update:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), (
        f"{name}: if the change is meant, run with UPDATE_SNAPSHOTS=1"
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("story.txt", []),
        ("story-seat-1.txt", ["--seat", "1"]),
        ("picture-63.txt", ["--at", "63"]),
        ("picture-63-seat-1.txt", ["--at", "63", "--seat", "1"]),
        ("events.jsonl", ["--json", "--round", "1"]),
        ("events-seat-1.jsonl", ["--json", "--seat", "1"]),
        ("moment-63.json", ["--json", "--at", "63"]),
    ],
)
def test_what_is_shown_stays_as_it_was(
    tmp_path: Path, mtref: Run, monkeypatch: pytest.MonkeyPatch, name: str, options: list[str]
) -> None:
    rules = short("cubano-forgetful").with_overrides(
        {"tile_set": 6, "seats": [2, 3], "engine": "holder", "starter": "engine_layer"}
    )
    log = write_game(tmp_path / "a.jsonl.zst", rules, seats=3, faulty=True)
    code, out, err = mtref("replay", log, *options)
    assert (code, err) == (0, "")
    same_as_snapshot(name, out, update="UPDATE_SNAPSHOTS" in os.environ)


def test_the_fields_other_programs_rely_on(tmp_path: Path, mtref: Run) -> None:
    _, out, _ = mtref("replay", write_game(tmp_path / "a.jsonl", preset("cubano"), seats=3), "--json")
    by_name = {found["event"]: found for found in objects(out)}
    needed = {
        "round_started": {"round", "engine", "starter", "hands", "boneyard"},
        "decision": {"seat", "legal", "may_lift", "move"},
        "tile_drawn": {"seat", "tile"},
        "turn_passed": {"seat"},
        "round_ended": {"how", "seat", "scores"},
        "game_ended": {"totals", "places"},
    }
    for name, fields in needed.items():
        assert fields <= by_name[name].keys()
    started = next(found for found in objects(out) if found["event"] == "round_started")
    tiles = [tile for hand in started["hands"] for tile in hand] + started["boneyard"]
    assert len(set(tiles)) == len(tiles) == 54


def test_a_round_alone(tmp_path: Path, mtref: Run) -> None:
    log = write_game(tmp_path / "a.jsonl", preset("playboard"))
    _, out, _ = mtref("replay", log, "--json", "--round", "2")
    names = [found["event"] for found in objects(out)]
    assert names[:3] == ["header", "round_started", "engine_laid"] and names[-1] == "round_ended"
    assert [found["round"] for found in objects(out) if found["event"] == "round_started"] == [2]
    code, _, err = mtref("replay", log, "--round", "5")
    assert code == 1 and "the log ends before round 5 begins" in err


def test_a_game_that_was_broken_off_is_shown_as_far_as_it_went(tmp_path: Path, mtref: Run) -> None:
    log = write_game(tmp_path / "a.jsonl", stop_after=9)
    for options in ([], ["--json"]):
        code, out, err = mtref("replay", log, *options)
        assert code == 0 and len(out.splitlines()) > 9
        assert err == "mtref: the log breaks off after line 34: the game has no end\n"
    cut = tmp_path / "b.jsonl"
    cut.write_bytes(log.read_bytes()[:-5])
    code, out, err = mtref("replay", cut)
    assert code == 0
    assert err == "mtref: the log breaks off in the middle of a line after line 33: the game has no end\n"


def test_hostile_names_are_shown_as_text(tmp_path: Path, mtref: Run) -> None:
    log = write_game(tmp_path / "a\x1b[2J.jsonl", bots=HOSTILE, faulty=True)
    _, out, _ = mtref("replay", log)
    _, checked, _ = mtref("verify", log)
    assert "\\x1b[2J[bold]\\x0a" in out and "rm \\u202e" in out
    assert all(char == "\n" or char.isprintable() for char in out + checked)
    assert max(map(len, out.splitlines())) < 250


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seat", "2"], "--seat 2: the log has the seats 0 to 1"),
        (["--at", "5", "--round", "1"], "--at and --round cannot be used together"),
        (["--at", "0"], "--at"),
        (["--round", "x"], "--round"),
        (["--sandbox", "none"], "options of the sandbox go only with --attach and --rerun"),
        (["--bot-memory", "1G", "--html", "x.html"], "--html shows the whole game; only --seat goes with it"),
    ],
)
def test_a_wrong_option_is_a_usage_error(
    tmp_path: Path, mtref: Run, options: list[str], message: str
) -> None:
    code, out, err = mtref("replay", write_game(tmp_path / "a.jsonl"), *options)
    assert (code, out) == (2, "") and message in err


def test_verify_answers_in_a_line_a_log_and_fails_if_one_does(tmp_path: Path, mtref: Run) -> None:
    good = write_game(tmp_path / "good.jsonl.gz")
    unrevealed = write_game(tmp_path / "unrevealed.jsonl", reveal=False)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(unrevealed.read_bytes().replace(b"tile_drawn", b"tile_drown", 1))
    line = changed.read_bytes().split(b"tile_drown", maxsplit=1)[0].count(b"\n") + 1
    code, out, _ = mtref("verify", good)
    assert code == 0 and out.startswith(f"ok {good}: game test-1, 1 round, ")
    code, out, _ = mtref("verify", unrevealed)
    assert code == 0 and "the seed is not revealed" in out
    code, out, err = mtref("verify", good, changed, unrevealed, tmp_path / "missing")
    assert (code, err) == (1, "")
    assert [shown.split()[0] for shown in out.splitlines()] == ["ok", "FAILED", "ok", "FAILED"]
    assert f"line {line}: event: unknown event 'tile_drown'" in out.splitlines()[1]


def test_verify_in_json(tmp_path: Path, mtref: Run) -> None:
    good = write_game(tmp_path / "good.jsonl.gz")
    empty = tmp_path / "empty"
    empty.write_text("")
    code, out, _ = mtref("verify", "--json", good, empty, tmp_path / "missing")
    found = json.loads(out)
    assert code == 1 and found["ok"] is False
    assert [(entry["ok"], entry["line"]) for entry in found["logs"]] == [
        (True, None),
        (False, 1),
        (False, None),
    ]
    assert found["logs"][0]["seed_revealed"] is True and len(found["logs"][0]["game_digest"]) == 64
    assert found["logs"][1]["error"] == "the file is empty"


def test_verify_without_a_log_is_a_usage_error(mtref: Run) -> None:
    code, _, err = mtref("verify")
    assert code == 2 and "LOG" in err


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_what_is_no_log_is_one_line_and_exit_1(tmp_path: Path, mtref: Run, command: str) -> None:
    header = write_game(tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)[0]
    contents = {
        "empty": (b"", "the file is empty"),
        "foreign": (b'[Event "F/S Return Match"]\n', "not an mtref log"),
        "newer": (
            header.replace(b"mtref-log/3", b"mtref-log/4"),
            "this version reads mtref-log/1, mtref-log/2, mtref-log/3",
        ),
        "binary": (bytes(range(256)), "not an mtref log"),
        "huge": (b"a" * 3_000_000, "not an mtref log: the line is longer"),
    }
    for name, (content, reason) in contents.items():
        (tmp_path / name).write_bytes(content)
        code, out, err = mtref(command, tmp_path / name)
        shown = out + err
        assert code == 1 and shown.count("\n") == 1 and f"{name}: line 1: " in shown and reason in shown


@pytest.mark.parametrize(
    "command", [["replay"], ["verify"], ["diff", "."], ["pin", "--seat", "0", "--at", "9"]]
)
def test_a_folder_is_no_log(
    tmp_path: Path, mtref: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = mtref(*command, ".")
    shown = out + err
    assert code in (1, 2) and shown.count("\n") == 1 and ".: cannot be read: Is a directory" in shown


def test_a_page_can_go_to_stdout(tmp_path: Path, mtref: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = write_game(tmp_path / "a.jsonl")
    assert mtref("replay", log, "--html", "page.html") == (0, "", "")
    assert mtref("replay", log, "--html", "-") == (
        0,
        (tmp_path / "page.html").read_text(encoding="utf-8"),
        "",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "page.html"]

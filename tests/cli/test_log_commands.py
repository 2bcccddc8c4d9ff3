"""What holds for every command that goes on from a log: usage, unknown versions, hostile names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtref_sdk.ruleset import preset
from tests.cli.loggames import HERE, HOSTILE, Run
from tests.replay.games import write_game


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--attach", "x.py", "--seat", "0"], "--attach needs --at"),
        (["--attach", "x.py", "--at", "3"], "--attach needs --seat"),
        (["--rerun", "x.py"], "--rerun needs --seat"),
        (["--rerun", "x.py", "--seat", "0", "--at", "3"], "--rerun and --at cannot be used together"),
        (["--position"], "--position needs --at"),
        (["--position", "--at", "3", "--html", "x"], "only --seat goes with it"),
        (["--pdb"], "--pdb goes only with --attach"),
        (["--seed", "x"], "--seed goes only with --attach and --rerun"),
        (["--pdb", "--attach", "x.py", "--seat", "0", "--at", "3", "--json"], "--pdb and --json"),
        (["--attach", "x.py", "--seat", "9", "--at", "3"], "--seat 9: the log has the seats 0 to 1"),
    ],
)
def test_options_that_do_not_go_together_are_usage_errors(
    mtref: Run, log: Path, options: list[str], message: str
) -> None:
    code, out, err = mtref("replay", log, *options)
    assert code == 2 and message in out + err


def test_an_unknown_version_is_one_clear_sentence_everywhere(
    mtref: Run, log: Path, bot: Path, tmp_path: Path
) -> None:
    plain = write_game(tmp_path / "plain.jsonl")
    newer = tmp_path / "newer.jsonl"
    newer.write_bytes(plain.read_bytes().replace(b"mtref-log/3", b"mtref-log/9", 1))
    for arguments in [
        ("replay", newer, "--seat", 0, "--at", 9, "--attach", bot),
        ("replay", newer, "--seat", 0, "--rerun", bot),
        ("replay", newer, "--at", 9, "--position"),
        ("pin", newer, "--seat", 0, "--at", 9),
        ("branch", newer, "--at", 9, "--move", "0-0@0", "--with", bot, bot),
    ]:
        code, out, err = mtref(*arguments)
        assert (code, out) == (1, "")
        assert (
            err.count("\n") == 1
            and "the format is mtref-log/9" in err
            and "reads mtref-log/1, mtref-log/2, mtref-log/3" in err
        )


def test_hostile_names_are_shown_as_text(mtref: Run, bot: Path, tmp_path: Path) -> None:
    log = write_game(
        tmp_path / "a.jsonl", preset("cubano").with_overrides({"rounds": 1}), bots=HOSTILE, seats=3
    )
    name = "\x1b[2J\u202e"
    printed = ""
    for arguments in [
        ("replay", log, "--seat", 0, "--at", 9, "--attach", f"{name}={bot}", *HERE),
        ("replay", log, "--seat", 0, "--rerun", f"{name}={bot}", *HERE),
        ("replay", log, "--at", 9, "--position"),
        ("branch", log, "--at", 9, "--move", "0-0@0", "--with", bot),
    ]:
        _, out, err = mtref(*arguments)
        printed += out + err
    assert "\\x1b[2J\\u202e" in printed
    assert all(char == "\n" or char.isprintable() for char in printed)

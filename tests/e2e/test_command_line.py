"""What surrounds every command: where its output goes, and names no file can have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.commands import ROOT, mtref_argv

GREEDY = str(ROOT / "bots" / "greedy.py")
MTREF = mtref_argv()
GAME = ["match", GREEDY, GREEDY, "--in-process", "--quiet", "--rule", "rounds=1"]
LONG = "x" * 3000


def mtref(*arguments: str | bytes, **settings: object) -> subprocess.CompletedProcess[bytes]:
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
    return subprocess.run([*MTREF, *arguments], check=False, **given)  # type: ignore[call-overload,no-any-return]


def one_line(stderr: bytes) -> str:
    text = stderr.decode()
    assert text.startswith("mtref: ")
    assert text.count("\n") == 1
    return text


@pytest.mark.parametrize(
    "command", [["rules"], ["--help"], GAME, [*GAME, "--json"]], ids=lambda words: words[0]
)
def test_a_full_disk_behind_stdout_is_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = mtref(*command, stdout=full)
    assert done.returncode == 1
    assert "No space left" in one_line(done.stderr)


@pytest.mark.parametrize("command", [["rules"], ["--version"], [*GAME, "--json"]], ids=lambda words: words[0])
def test_a_closed_stdout_is_no_error(command: list[str]) -> None:
    quoted = " ".join(f"'{word}'" for word in [*MTREF, *command])
    done = subprocess.run(["sh", "-c", f"{quoted} >&-"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_characters_a_terminal_does_not_know_are_written_as_escapes() -> None:
    done = mtref(*GAME, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert b"\\xb7" in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["match", f"{LONG}.py", GREEDY],
        ["match", GREEDY, GREEDY, "--in-process", "--log", LONG],
        ["replay", LONG],
        ["verify", LONG],
        ["rules", LONG],
        ["explain", LONG],
    ],
    ids=lambda words: words[0],
)
def test_a_name_too_long_for_a_file_is_one_line(command: list[str]) -> None:
    done = mtref(*command)
    assert done.returncode in (1, 2)
    assert len(one_line(done.stderr)) < 4000


def test_a_bot_may_have_a_name_too_long_for_a_file() -> None:
    done = mtref(*GAME, f"{LONG}={GREEDY}")
    assert done.returncode == 0


def test_a_seed_may_be_any_bytes() -> None:
    done = mtref(*GAME, "--seed", b"\xff\x1b[31m")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize("name", ["a\x1b[31mred.py", "a\nb.py"])
def test_what_is_hostile_in_an_argument_is_shown_escaped(name: str) -> None:
    done = mtref("match", name, GREEDY)
    assert done.returncode == 1
    assert "\x1b" not in one_line(done.stderr)


def test_a_number_with_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    for name, text in (
        ("big.yaml", "boneyard: " + "9" * 5000),
        ("big.json", '{"boneyard": ' + "9" * 5000 + "}"),
    ):
        (tmp_path / name).write_text(text)
        done = mtref("rules", str(tmp_path / name))
        assert done.returncode == 2
        assert "cannot be read" in one_line(done.stderr)


def test_as_many_games_as_tables_are_played_unless_told_otherwise() -> None:
    done = mtref(*GAME, "--tables", "3")
    assert b"3 games" in done.stdout


def test_too_little_memory_for_a_bot_is_refused() -> None:
    done = mtref(*GAME, "--bot-memory", "1")
    assert done.returncode == 2
    assert b"at least 64M" in done.stderr

"""Bots as they are named on the command line."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from mtref.match.entry import parse_entry
from mtref_sdk.errors import ConfigError, MtrefError


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bots").mkdir()
    for file in ("greedy.py", "my bots/a=b.py", "bot.js"):
        (tmp_path / file).write_text(file)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_python_file_is_started_with_this_python() -> None:
    entry = parse_entry("greedy.py")
    assert entry.name == "greedy"
    assert entry.argv == (sys.executable, str(Path("greedy.py").absolute()))
    assert entry.file == Path("greedy.py")
    assert entry.content_hash == sha("greedy.py")


def test_a_path_may_hold_spaces_and_equals_signs() -> None:
    entry = parse_entry("my bots/a=b.py")
    assert (entry.name, entry.file) == ("a=b", Path("my bots/a=b.py"))


@pytest.mark.parametrize(
    ("text", "name", "argv"),
    [
        ("node bot.js", "node", ("node", "bot.js")),
        ("./mybot --level=3", "mybot", ("./mybot", "--level=3")),
        ("X=node bot.js", "X", ("node", "bot.js")),
        ("=node bot.js", "", ("node", "bot.js")),
        ("Zoë=node 'a b'", "Zoë", ("node", "a b")),
        ("\x1b[31mred=node x=y", "\x1b[31mred", ("node", "x=y")),
        ("python bot.py a=b", "python", ("python", "bot.py", "a=b")),
    ],
)
def test_a_command_is_split_like_in_a_shell_after_its_name(
    text: str, name: str, argv: tuple[str, ...]
) -> None:
    entry = parse_entry(text)
    assert (entry.name, entry.argv, entry.file) == (name, argv, None)


def test_the_hash_of_a_command_is_that_of_its_first_file() -> None:
    assert parse_entry("node bot.js greedy.py").content_hash == sha("bot.js")
    assert parse_entry("node").content_hash is None


def test_a_missing_file_is_named() -> None:
    with pytest.raises(MtrefError, match=r"^no such file: bots/nosuch\.py$"):
        parse_entry("A=bots/nosuch.py")


def test_a_folder_is_no_bot() -> None:
    with pytest.raises(
        MtrefError, match=r"^my bots is a folder; give the bot's \.py file, or a command in quotes$"
    ):
        parse_entry("A='my bots'")
    Path("sh").mkdir()
    assert parse_entry("sh").argv == ("sh",), "the program of that name is meant"


@pytest.mark.parametrize("text", ["", "   ", "X=''", "node 'bot.js"])
def test_what_is_no_command_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_entry(text)

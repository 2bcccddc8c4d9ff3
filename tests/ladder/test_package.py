"""How a bot that was handed in is started, as its files say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mtref.ladder.submit.collect import BotFile
from mtref.ladder.submit.limits import RefusedError
from mtref.ladder.submit.package import MANIFEST, read_package

PLACE = Path("/store/abc")


def files(*names: str, manifest: str | None = None) -> dict[str, BotFile]:
    found = {name: BotFile(b"") for name in names}
    return found if manifest is None else {**found, MANIFEST: BotFile(manifest.encode())}


@pytest.mark.parametrize("names", [("bot.py",), ("bot.py", "other.py"), ("main.py", "data/x.py")])
def test_bot_py_or_the_only_python_file_is_started(names: tuple[str, ...]) -> None:
    package = read_package(files(*names))
    entry = package.entry("alpha", "ann", PLACE)
    assert entry.argv == (sys.executable, f"/store/abc/{names[0]}")
    assert entry.command == names[0] and entry.folder == PLACE and entry.is_python_file
    assert package.name is None and entry.deterministic


def test_a_manifest_says_name_command_and_environment() -> None:
    text = "{name: alpha, command: './run --book data/book.txt -v 3', env: {LEVEL: 3}, deterministic: false}"
    package = read_package(files("run", "data/book.txt", manifest=text))
    entry = package.entry("alpha@2", None, PLACE)
    assert package.name == "alpha" and not entry.deterministic
    assert entry.argv == ("/store/abc/run", "--book", "/store/abc/data/book.txt", "-v", "3")
    assert dict(entry.env)["LEVEL"] == "3"
    assert entry.files == (PLACE / "run", PLACE / "data/book.txt")
    python = read_package(files("src/main.py", manifest="file: ./src/main.py")).entry("a", None, PLACE)
    assert python.argv == (sys.executable, "/store/abc/src/main.py")


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "it is not clear what to start"),
        ("name: alpha", "needs either file or command"),
        ("{file: x.py, command: x.py}", "needs either file or command"),
        ("file: ../bot.py", "names no file of the bot"),
        ("file: README", "must name a Python file"),
        ("command: /bin/sh README", "/bin/sh is no file of the bot"),
        ("command: ../../tool README", "is no file of the bot"),
        ("command: python3 /etc/passwd", "names no file of the bot"),
        ("{file: x.py, author: bob}", "there is no such key"),
        ("{file: x.py, name: a@2}", "cannot be a name"),
        ("{file: x.py, env: {MTREF_TOKEN: x}}", "are the referee's"),
        ('command: "x \'"', "cannot be read as a command"),
        ("[", "mtref-bot.yaml:"),
        ("a: &x [*x]", "nested too deeply"),
    ],
)
def test_what_cannot_be_started_is_refused_with_the_reason(manifest: str | None, message: str) -> None:
    with pytest.raises(RefusedError, match="refused: ") as caught:
        read_package(files("README", "x.py", "y.py", manifest=manifest))
    assert message in str(caught.value) and "\n" not in str(caught.value)

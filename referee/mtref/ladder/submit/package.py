"""What is in a bot's folder and how it is started: its ``bot.py``, or what its ``mtref-bot.yaml`` says."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mtref.ladder.config import BotEntry
from mtref.ladder.configbots import NAME_PATTERN, environment
from mtref.ladder.submit.collect import BotFiles
from mtref.ladder.submit.limits import RefusedError
from mtref.ladder.submit.source import MAIN
from mtref.ladder.yamltree import Item, read_tree
from mtref_sdk.errors import ConfigError

__all__ = ["MANIFEST", "Package", "read_package"]

MANIFEST: Final = "mtref-bot.yaml"
_KEYS: Final = ("name", "file", "command", "env", "deterministic")
_OWN: Final = (("PYTHONDONTWRITEBYTECODE", "1"),)
"""What is set for every one of them: nothing may be written to the store, at any level of isolation."""


@dataclass(frozen=True, slots=True)
class Package:
    """How a bot is started. ``words`` are those of its command, ``own`` the positions of those that name files of its own."""

    name: str | None
    words: tuple[str, ...]
    own: frozenset[int]
    env: tuple[tuple[str, str], ...]
    deterministic: bool
    is_python_file: bool

    @property
    def command(self) -> str:
        """The command for people."""
        return self.words[-1] if self.is_python_file else shlex.join(self.words)

    def entry(self, name: str, author: str | None, place: Path) -> BotEntry:
        """The bot under this name, its files lying at `place`."""
        argv = [str(place / word) if n in self.own else word for n, word in enumerate(self.words)]
        if self.is_python_file:
            argv.insert(0, sys.executable)
        return BotEntry(
            name=name,
            author=author,
            command=self.command,
            argv=tuple(argv),
            files=tuple(place / self.words[n] for n in sorted(self.own)),
            env=tuple(sorted({**dict(_OWN), **dict(self.env)}.items())),
            deterministic=self.deterministic,
            is_python_file=self.is_python_file,
            where=str(place),
            folder=place,
        )


def read_package(files: BotFiles) -> Package:
    """How the bot of these files is started. Raises RefusedError when they do not say."""
    if MANIFEST in files:
        return _read_manifest(files)
    programs = [path for path in files if path.endswith(".py") and "/" not in path]
    if MAIN not in files and len(programs) != 1:
        raise RefusedError(f"it is not clear what to start: call it {MAIN}, or say it in {MANIFEST}")
    start = MAIN if MAIN in files else programs[0]
    return Package(None, (start,), frozenset({0}), (), deterministic=True, is_python_file=True)


def _read_manifest(files: BotFiles) -> Package:
    try:
        tree = read_tree(files[MANIFEST].data.decode("utf-8"), MANIFEST)
        entries = tree.mapping(_KEYS)
        if ("file" in entries) == ("command" in entries):
            raise tree.error("needs either file or command")
        name = entries["name"].text() if "name" in entries else None
        if name is not None and not re.fullmatch(NAME_PATTERN, name):
            raise entries["name"].error(
                "cannot be a name: letters, digits and . _ + - only, 40 at most, a letter or digit first"
            )
        is_python_file = "file" in entries
        words = (entries["file"].text(),) if is_python_file else _words(entries["command"])
        own = {number: _normal(word) for number, word in enumerate(words) if _normal(word) in files}
        item = entries["file" if is_python_file else "command"]
        _check_start(item, words, own, is_python_file=is_python_file)
        return Package(
            name=name,
            words=tuple(own.get(number, word) for number, word in enumerate(words)),
            own=frozenset(own),
            env=environment(entries.get("env")),
            deterministic=entries["deterministic"].flag() if "deterministic" in entries else True,
            is_python_file=is_python_file,
        )
    except UnicodeDecodeError:
        raise RefusedError("is not UTF-8 text", MANIFEST) from None
    except ConfigError as error:
        raise RefusedError(str(error)) from None


def _check_start(item: Item, words: tuple[str, ...], own: dict[int, str], *, is_python_file: bool) -> None:
    if not own:
        raise item.error("names no file of the bot")
    if is_python_file and not own[0].endswith(".py"):
        raise item.error("must name a Python file (.py) of the bot")
    if 0 not in own and "/" in words[0]:
        raise item.error(f"{words[0]} is no file of the bot; its program is one, or is found on the PATH")


def _normal(word: str) -> str:
    """A file's path as it stands in the list of files."""
    return word.removeprefix("./")


def _words(item: Item) -> tuple[str, ...]:
    text = item.text()
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise item.error(f"cannot be read as a command: {error}") from None

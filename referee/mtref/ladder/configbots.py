"""Reads the bots of a ladder file."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from mtref.ladder.config import BotEntry
from mtref.ladder.yamltree import Item

__all__ = ["NAME_PATTERN", "environment", "read_bots", "read_expected"]

NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}"
"""What a bot may be called: such a name is safe in a terminal, a file name and a web page."""

_KEYS = ("name", "author", "file", "command", "env", "deterministic")
_OUR_VARIABLES = "MTREF_"
_LOADER_VARIABLES = ("LD_", "GLIBC_TUNABLES")
"""What would act on the programs that start a bot, too."""


def read_bots(item: Item, folder: Path) -> tuple[BotEntry, ...]:
    """The bots of a list, with different names, but those that are to be handed in; relative paths start from `folder`.

    Raises ConfigError.
    """
    bots: list[BotEntry] = []
    for entry in item.items():
        if _is_expected(entry):
            continue
        bot = _read(entry, folder)
        if any(bot.name == other.name for other in bots):
            raise entry.error(f"there are two bots called {bot.name}; give one another name")
        bots.append(bot)
    if len(bots) < 2:
        raise item.error(f"a ladder needs two bots or more, not {len(bots)}")
    return tuple(bots)


def read_expected(item: Item, bots: Sequence[BotEntry]) -> dict[str, str]:
    """The authors of the list's bots that are to be handed in, by name: none is called like one of the `bots`. Raises ConfigError."""
    found: dict[str, str] = {}
    for entry in filter(_is_expected, item.items()):
        entries = entry.mapping(("submitted", "author"))
        if "author" not in entries:
            raise entry.error("needs the author who is to hand it in")
        name = _checked(entries["submitted"].text(), entries["submitted"])
        if name in found or any(bot.name == name for bot in bots):
            raise entry.error(f"there are two bots called {name}; give one another name")
        found[name] = entries["author"].text()
    return found


def _is_expected(item: Item) -> bool:
    return isinstance(item.value, dict) and "submitted" in item.value


def _checked(name: str, item: Item) -> str:
    if not re.fullmatch(NAME_PATTERN, name):
        raise item.error(
            f"{name!r} cannot be a name: letters, digits and . _ + - only, 40 at most, a letter or digit first"
        )
    return name


def _read(item: Item, folder: Path) -> BotEntry:
    entries = item.mapping(_KEYS)
    if ("file" in entries) == ("command" in entries):
        raise item.error("needs either file or command, or submitted")
    if "file" in entries:
        path = folder / entries["file"].text()
        if path.suffix != ".py":
            raise entries["file"].error("must be a Python file (.py); start anything else with command")
        argv: tuple[str, ...] = (sys.executable, str(path))
        files: tuple[Path, ...] = (path,)
        default = path.stem
    else:
        argv, files = _words(entries["command"], folder)
        default = Path(argv[0]).name
    name = entries.get("name")
    called = _checked(name.text() if name else default, name or item)
    return BotEntry(
        name=called,
        author=entries["author"].text() if "author" in entries else None,
        command=entries["file" if "file" in entries else "command"].text(),
        argv=argv,
        files=files,
        env=environment(entries.get("env")),
        deterministic=entries["deterministic"].flag() if "deterministic" in entries else True,
        is_python_file="file" in entries,
        where=f"{item.file}:{item.line}",
    )


def _words(item: Item, folder: Path) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """The words of a command; those that name files in or below `folder` become absolute paths."""
    text = item.text()
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise item.error(f"cannot be read as a command: {error}") from None
    files = {word: folder / word for word in words if (folder / word).is_file()}
    return tuple(str(files.get(word, word)) for word in words), tuple(dict.fromkeys(files.values()))


def environment(item: Item | None) -> tuple[tuple[str, str], ...]:
    """Additions to the environment; numbers are taken as they are written."""
    if item is None:
        return ()
    found: list[tuple[str, str]] = []
    for name, value in item.mapping().items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise value.error("is no name of a variable")
        if name.startswith(_OUR_VARIABLES):
            raise value.error(f"variables that begin with {_OUR_VARIABLES} are the referee's")
        if name.startswith(_LOADER_VARIABLES):
            raise value.error("variables of the loader cannot be set here; a command can, with env")
        if isinstance(value.value, dict | list | bool | None):
            raise value.error("must be a text; quote it")
        found.append((name, value.written))
    return tuple(sorted(found))

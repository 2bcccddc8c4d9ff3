"""A bot as its owner names it on the command line: a file, a command, perhaps with a name in front. Nothing is run here."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from mtref.text import escape
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["Entry", "parse_entry"]

_NAMED = re.compile(r"(?P<name>[^\s/=]*)=(?P<rest>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """One bot of a match.

    ``name`` is only ever shown. ``command`` is what its owner wrote, without the name. ``argv`` starts it.
    ``file`` is its Python file when it is one. ``env`` are additions to its environment. ``content_hash`` is the SHA-256
    (hex) of that file, or of the first word of the command that is a file; None when there is none. ``folder`` is what the bot
    consists of, where that is known; otherwise it is taken from the command.
    """

    name: str
    command: str
    argv: tuple[str, ...]
    file: Path | None
    content_hash: str | None
    env: tuple[tuple[str, str], ...] = ()
    folder: Path | None = None


def parse_entry(text: str) -> Entry:
    """The bot a text names: ``bots/greedy.py``, ``"node bot.js"``, ``NAME=bots/greedy.py``.

    The name ends at the first ``=`` and holds neither a slash nor white space; it may be empty. Without one a bot is
    called as its file, or as the first word of its command. Raises ConfigError for a text that is no command at all
    and MtrefError for a ``.py`` file that is not there.
    """
    named = _NAMED.fullmatch(text)
    name, command = (named["name"], named["rest"]) if named and not _exists(Path(text)) else (None, text)
    command = command.strip()
    path = Path(command)
    if command.endswith(".py") and (_exists(path) or " " not in command):
        if not _is_file(path):
            raise MtrefError(f"no such file: {escape(str(path))}")
        argv: tuple[str, ...] = (sys.executable, str(path.absolute()))
        return Entry(path.stem if name is None else name, command, argv, path, _hash_of(path))
    try:
        argv = tuple(shlex.split(command))
    except ValueError as error:
        raise ConfigError(f"cannot be read as a command: {error}", key=command) from None
    if not argv or not argv[0]:
        raise ConfigError("is no command; give a .py file, or a command in quotes", key=repr(text))
    if _is_folder(Path(argv[0])) and shutil.which(argv[0]) is None:
        raise MtrefError(f"{escape(argv[0])} is a folder; give the bot's .py file, or a command in quotes")
    file = next((Path(word) for word in argv if _is_file(Path(word))), None)
    return Entry(
        Path(argv[0]).name if name is None else name, command, argv, None, _hash_of(file) if file else None
    )


def _hash_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise MtrefError(f"cannot be read: {path}: {error.strerror}") from error


def _exists(path: Path) -> bool:
    """Whether something is there; not if its name is too long for a file or its folder may not be read."""
    try:
        return path.exists()
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    return _exists(path) and path.is_file()


def _is_folder(path: Path) -> bool:
    return _exists(path) and path.is_dir()

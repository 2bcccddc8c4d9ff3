"""Finding what a bot has left running: its processes carry a mark in their environment, however they were started."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace

from mtref.match.entry import Entry

__all__ = ["left_behind", "marked", "new_mark"]

_NAME = "MTREF_MARK"


def new_mark() -> str:
    """A mark that nothing else carries."""
    return secrets.token_hex(16)


def marked(entry: Entry, mark: str) -> Entry:
    """The same bot, with the mark in its environment."""
    return replace(entry, env=(*entry.env, (_NAME, mark)))


def left_behind(mark: str) -> tuple[int, ...]:
    """The living processes that carry the mark, as far as we may look."""
    wanted = f"{_NAME}={mark}".encode()
    found: list[int] = []
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            continue
    return tuple(sorted(found))

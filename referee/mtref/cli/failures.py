"""How a failure is told: a line on stderr, and with ``--json`` an object on stdout, whatever the command."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Final

import click

from mtref.text import escape

__all__ = ["asks_for_json", "complain", "print_error"]

LONGEST_LINE: Final = 2000
"""Characters of a line of an error."""

_FACTS: Final = ("key", "where", "line", "seat", "move", "rule", "legal", "steps")
"""What errors may know besides their message, by the names of their attributes."""


def complain(message: str) -> None:
    """Print an error on stderr, each of its lines safe for a terminal."""
    lines = [escape(line, LONGEST_LINE) for line in message.split("\n")]
    click.echo("mtref: " + "\n".join(lines), err=True)


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for JSON. Taken from its words, because it may be the command line itself that is wrong."""
    words = list(arguments)
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def print_error(message: str, code: int, error: Exception) -> None:
    """Print ``{"error": {"message": …, "exit": code, …}}`` on stdout, with what else `error` knows."""
    import json  # noqa: PLC0415 - no command waits for it that does not fail

    facts = {name: getattr(error, name) for name in _FACTS if getattr(error, name, None) is not None}
    with contextlib.suppress(OSError):  # a full disk, or nobody reads it: the exit code tells it all the same
        click.echo(json.dumps({"error": {"message": message, "exit": code, **facts}}))
        sys.stdout.flush()

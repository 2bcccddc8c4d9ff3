"""How tests start the misbehaving bots that are shipped, and the honest ones."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from mtref.match.entry import Entry, parse_entry
from mtref.server.pack import FOLDER

__all__ = ["BROKEN", "HERE", "HONEST", "bot"]

HERE = FOLDER
BROKEN = Path(__file__).parent / "broken.py"
HONEST = Path(__file__).parent.parent.parent / "bots"


def bot(name: str, *args: object, label: str | None = None) -> Entry:
    """The bot in the file of this name, here or among the honest ones; with arguments it becomes a command."""
    file = HERE / f"{name}.py" if (HERE / f"{name}.py").exists() else HONEST / f"{name}.py"
    command = str(file)
    if args:
        command = shlex.join([sys.executable, str(file), *map(str, args)])
    return parse_entry(f"{label or name}={command}")

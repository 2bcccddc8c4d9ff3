"""One self-contained HTML page from a log: the files of ``assets/`` and the game's data put together.

The page may run only the script and apply only the style that are in it (their hashes are in its policy), and load nothing.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from typing import Final

from mtref.replay.page.data import page_data
from mtref.replay.reader import LogReader
from mtref.text import escape

__all__ = ["build"]

STYLES: Final = ("colours.css", "layout.css", "table.css", "panels.css")
SCRIPTS: Final = (
    "dom.js", "record.js", "fold.js", "say.js", "tiles.js", "table.js", "panels.js", "charts.js", "timeline.js",
    "controls.js", "main.js",
)  # fmt: skip
"""The parts of the script, in the order in which they are put together: each may use what stands before it."""


def build(reader: LogReader, seat: int | None = None) -> str:
    """The page for a log just opened, in ASCII. With `seat` it holds only what that seat knew. Raises LogError."""
    data = page_data(reader, seat)
    style = "\n".join(map(_asset, STYLES))
    script = '(() => {\n"use strict";\n' + "\n".join(map(_asset, SCRIPTS)) + "\n})();\n"
    title = f"{escape(reader.header.game, 80)} - mtref" + ("" if seat is None else f", seat {seat}")
    parts = {
        "TITLE": html.escape(title),
        "POLICY": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; "
        "form-action 'none'",
        "STYLE": style,
        "DATA": _embedded(json.dumps(data, separators=(",", ":"), allow_nan=False)),
        "SCRIPT": script,
    }
    pieces = _asset("page.html").split("@@")  # texts and names of parts in turn, so that no part is searched
    filled = [parts[piece] if index % 2 else piece for index, piece in enumerate(pieces)]
    return "".join(filled).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _asset(name: str) -> str:
    return (files("mtref.replay.page") / "assets" / name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("ascii")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _embedded(text: str) -> str:
    """JSON that can stand inside a script element whatever its strings say."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

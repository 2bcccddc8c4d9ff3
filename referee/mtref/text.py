"""Making foreign text safe to show on one line of a terminal or a log, and numbers of things readable; nothing else."""

from __future__ import annotations

import unicodedata

__all__ = ["escape", "plural"]

_UNSAFE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that may move the cursor, reorder or hide text, or break a line."""


def _shown(char: str) -> str:
    if unicodedata.category(char) not in _UNSAFE:
        return char
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def escape(text: str, limit: int = 200) -> str:
    r"""`text` with every control, format, surrogate and unassigned character written as ``\xNN`` or ``\uNNNN``.

    At most `limit` characters long; what is cut off is shown as a final ``…``, and no escape is cut in two.
    Escaping twice changes nothing, so a backslash stays as it is. Rich markup is not touched: print the result as
    a ``rich.text.Text`` or with markup off.
    """
    pieces: list[str] = []
    length = 0
    for position, char in enumerate(text):
        piece = _shown(char)
        room = limit if position == len(text) - 1 else limit - 1
        if length + len(piece) > room:
            return _cut(pieces, limit)
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces)


def _cut(pieces: list[str], limit: int) -> str:
    length = sum(map(len, pieces))
    while pieces and length > limit - 1:
        length -= len(pieces.pop())
    return "".join(pieces) + "…"


def plural(number: int, thing: str, things: str | None = None) -> str:
    """Such as ``1 round``, ``2 rounds``; `things` where the plural takes more than an s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"

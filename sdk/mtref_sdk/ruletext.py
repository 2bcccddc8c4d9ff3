"""Reads the value of an option as typed on a command line, such as ``50``, ``[2, 4]`` or ``{2: 16, 3: 15}``.

The little of YAML that options need, so that the SDK needs no YAML; which values are allowed is for `ruleoptions`.
"""

from __future__ import annotations

import re
from typing import Final

from mtref_sdk.errors import ConfigError

__all__ = ["parse_value"]

_TRUE: Final = frozenset({"true", "yes", "on"})
_FALSE: Final = frozenset({"false", "no", "off"})
_NUMBER: Final = re.compile(r"[+-]?\d{1,9}", re.ASCII)


def parse_value(text: str, key: str) -> object:
    """The plain value `text` stands for: a bool, an int, a word, a list of those, or a map from those to those.

    Raises ConfigError, naming `key`, for brackets that do not close and maps with a broken or repeated entry.
    """
    text = text.strip()
    if text[:1] == "[":
        return [_scalar(part) for part in _parts(text, "]", key)]
    if text[:1] == "{":
        entries: dict[object, object] = {}
        for part in _parts(text, "}", key):
            name, colon, value = part.partition(":")
            if not colon or not name.strip() or not value.strip():
                raise ConfigError(
                    f"cannot read {part.strip()!r} in {text!r}; write entries as name: value", key=key
                )
            if _scalar(name) in entries:
                raise ConfigError(f"{name.strip()} is given twice in {text!r}", key=key)
            entries[_scalar(name)] = _scalar(value)
        return entries
    return _scalar(text)


def _parts(text: str, close: str, key: str) -> list[str]:
    """What stands between the brackets of `text`, cut at the commas."""
    if text[-1:] != close or len(text) < 2:
        raise ConfigError(f"cannot read {text!r}; it should end in {close!r}", key=key)
    inside = text[1:-1]
    return inside.split(",") if inside.strip() else []


def _scalar(text: str) -> bool | int | str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    return int(text) if _NUMBER.fullmatch(text) else text

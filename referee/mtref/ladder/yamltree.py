"""Reads a YAML text into values that remember their file, line and key, so that every complaint can name them.

Nothing here knows what the keys of a ladder file mean.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import yaml

from mtref_sdk.errors import ConfigError

__all__ = ["Item", "nearest", "read_tree"]

_PLAIN_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?")

_DEEPEST = 20
"""Levels of nesting; also what ends an alias that contains itself."""

_MOST_CHARACTERS = 1 << 20
_MOST_ITEMS = 100_000
"""Values, those that aliases repeat included: some lines of aliases of aliases stand for billions."""


@dataclass(frozen=True, slots=True)
class Item:
    """A value of the file. ``value`` is None, a bool, number or text, or a list or dict (with text keys) of items.

    ``key`` is its path, such as ``bots[2].name``; ``file`` and ``line`` say where it stands. ``written`` is a scalar as it stands there.
    """

    value: Any
    key: str
    file: str
    line: int
    written: str = ""

    def error(self, message: str) -> ConfigError:
        """A complaint about this value."""
        return ConfigError(message, key=self.key or None, where=f"{self.file}:{self.line}")

    def plain(self) -> Any:
        """The value without places, as YAML itself would give it (keys of mappings are texts)."""
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value

    def mapping(self, allowed: Iterable[str] | None = None) -> dict[str, Item]:
        """The entries of a mapping; with `allowed`, only these keys. Raises ConfigError."""
        if not isinstance(self.value, dict):
            raise self.error(f"must be a mapping, not {_kind(self.value)}")
        if allowed is not None:
            known = list(allowed)
            for key, item in self.value.items():
                if key not in known:
                    raise item.error(f"there is no such key{nearest(key, known)}")
        return self.value

    def items(self) -> list[Item]:
        """The entries of a list. Raises ConfigError."""
        if not isinstance(self.value, list):
            raise self.error(f"must be a list, not {_kind(self.value)}")
        return self.value

    def text(self) -> str:
        """A text that is not empty. Raises ConfigError, also for what YAML takes for a number or a truth value."""
        if not isinstance(self.value, str):
            raise self.error(f"must be a text, not {_kind(self.value)}; quote it")
        if not self.value.strip():
            raise self.error("must not be empty")
        return self.value

    def flag(self) -> bool:
        """True or false. Raises ConfigError."""
        if not isinstance(self.value, bool):
            raise self.error(f"must be true or false, not {_kind(self.value)}")
        return self.value

    def integer(self, least: int, most: int) -> int:
        """A whole number in a range. Raises ConfigError."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not least <= self.value <= most:
            raise self.error(f"must be a whole number from {least} to {most}, not {self._shown()}")
        return self.value

    def number(self, least: float, most: float) -> float:
        """A number in a range. Raises ConfigError."""
        value = self.value
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise self.error(f"must be a number from {least:.15g} to {most:.15g}, not {self._shown()}")
        return float(value)

    def choice(self, allowed: Collection[str]) -> str:
        """One of these words. Raises ConfigError."""
        if self.value not in allowed:
            raise self.error(f"must be one of {', '.join(allowed)}, not {self._shown()}")
        return str(self.value)

    def _shown(self) -> str:
        return _kind(self.value) if isinstance(self.value, dict | list | bool | None) else repr(self.value)


def nearest(word: str, known: Collection[str]) -> str:
    """The end of a complaint about an unknown word: what may have been meant, and what is allowed."""
    near = difflib.get_close_matches(word, known, n=1)
    meant = f"; did you mean {near[0]}?" if near else ";"
    return f"{meant} allowed: {', '.join(known)}"


def read_tree(text: str, file: str) -> Item:
    """The one document of a YAML text. Raises ConfigError for what is no YAML, for a key given twice, and for too much."""
    if len(text) > _MOST_CHARACTERS:
        raise ConfigError(f"is too long; allowed: {_MOST_CHARACTERS} characters", where=file)
    if (character := yaml.reader.Reader.NON_PRINTABLE.search(text)) is not None:
        line = text.count("\n", 0, character.start()) + 1
        raise ConfigError(f"not YAML: holds the character {character.group()!r}", where=f"{file}:{line}")
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise ConfigError("is empty", where=file)
        return _Reader(loader, file).read(node, "", 0)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        where = f"{file}:{mark.line + 1}" if mark else file
        raise ConfigError(f"not YAML: {problem}", where=where) from None
    except RecursionError:
        raise ConfigError("nested too deeply", where=file) from None
    finally:
        loader.dispose()


class _Reader:
    def __init__(self, loader: yaml.SafeLoader, file: str) -> None:
        self.loader, self.file = loader, file
        self.items = 0

    def read(self, node: yaml.Node, key: str, depth: int, line: int | None = None) -> Item:
        """The item of a node. A mapping's entries stand at the line of their key."""
        line = node.start_mark.line + 1 if line is None else line
        if depth > _DEEPEST:
            raise ConfigError("nested too deeply", key=key, where=f"{self.file}:{line}")
        self.items += 1
        if self.items > _MOST_ITEMS:
            raise ConfigError(f"holds too much; allowed: {_MOST_ITEMS} values", where=f"{self.file}:{line}")
        value: Any
        written = ""
        if isinstance(node, yaml.MappingNode):
            value = self._entries(node, key, depth)
        elif isinstance(node, yaml.SequenceNode):
            value = [self.read(inner, f"{key}[{n}]", depth + 1) for n, inner in enumerate(node.value, 1)]
        else:
            value, written = self._scalar(node, key, line), node.value
        return Item(value, key, self.file, line, written)

    def _scalar(self, node: yaml.Node, key: str, line: int) -> Any:
        """What a word stands for: None, a bool, number or text."""
        where = f"{self.file}:{line}"
        try:
            value = self.loader.construct_object(node)
            str(value)  # which Python refuses to do with numbers of thousands of digits
        except (
            ValueError,
            LookupError,
            AttributeError,
        ):  # what PyYAML raises for "!!int x", "!!bool x", 2026-13-13
            raise ConfigError("is not what it looks like; quote it", key=key or None, where=where) from None
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not isinstance(value, bool | int | float | str | None) or (
            number and not _PLAIN_NUMBER.fullmatch(node.value)
        ):
            value = (
                node.value
            )  # dates, and 1:30, 010, 0x10, 1_000, .inf, which are other numbers than they seem: as written
        if isinstance(value, str) and any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value):
            raise ConfigError(f"{value!r} is no text", key=key or None, where=where)
        return value

    def _entries(self, node: yaml.MappingNode, key: str, depth: int) -> dict[str, Item]:
        entries: dict[str, Item] = {}
        for name, value in node.value:
            line = name.start_mark.line + 1
            path = f"{key}.{name.value}" if key else str(name.value)
            if not isinstance(name, yaml.ScalarNode):
                raise ConfigError("a key must be a plain word", key=key or None, where=f"{self.file}:{line}")
            if name.value in entries:
                raise ConfigError("is given twice", key=path, where=f"{self.file}:{line}")
            entries[name.value] = self.read(value, path, depth + 1, line)
        return entries


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"the number {value}" if isinstance(value, int | float) else f"the text {value!r}"

"""Reads a rule set from a YAML or JSON file, with errors that name the line. Nothing else is read here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mtref.textfile import read_text
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

__all__ = ["SOURCES_KEY", "read_rules"]

SOURCES_KEY = "sources"
"""Where ``mtref rules NAME --json`` tells the source of each value; a file may keep it, and it is not read."""


def read_rules(path: Path) -> RuleSet:
    """The rule set in the file at `path`: JSON if its name ends in ``.json``, otherwise YAML.

    The file holds one mapping, as `RuleSet.from_mapping` takes it. Raises ConfigError with the file, the line where there is
    one, and the key.
    """
    text = read_text(path)
    values, lines = _from_json(text, path) if path.suffix == ".json" else _from_yaml(text, path)
    if isinstance(values, dict):
        values.pop(SOURCES_KEY, None)
    try:
        return RuleSet.from_mapping(values)
    except ConfigError as error:
        line = lines.get(error.key or "")
        raise ConfigError(
            error.message, key=error.key, where=f"{path}:{line}" if line else str(path)
        ) from None


def _from_json(text: str, path: Path) -> tuple[Any, dict[str, int]]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) != len(pairs):
            twice = next(key for key, _ in pairs if [name for name, _ in pairs].count(key) > 1)
            raise ConfigError("is given twice", key=twice, where=str(path))
        return values

    try:
        return json.loads(text, object_pairs_hook=once), {}
    except json.JSONDecodeError as error:
        raise ConfigError(f"not JSON: {error.msg}", where=f"{path}:{error.lineno}") from None
    except ConfigError:
        raise
    except ValueError:
        raise ConfigError("not a rule set: it holds a number that cannot be read", where=str(path)) from None
    except RecursionError:
        raise ConfigError("not a rule set: nested too deeply", where=str(path)) from None


def _from_yaml(text: str, path: Path) -> tuple[Any, dict[str, int]]:
    """The document and, for each key of its outermost mapping, its line."""
    import yaml  # noqa: PLC0415 -- 20 ms that a preset's name does not need

    loader = yaml.SafeLoader(text)
    lines: dict[str, int] = {}
    try:
        node = loader.get_single_node()
        values = (
            None if node is None else loader.construct_document(node)
        )  # its keys are known to be hashable then
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                line = key.start_mark.line + 1
                if key.value in lines:
                    raise ConfigError("is given twice", key=str(key.value), where=f"{path}:{line}")
                lines[key.value] = line
                inner = (
                    [entry.value for entry, _ in value.value] if isinstance(value, yaml.MappingNode) else []
                )
                twice = next((entry for entry in inner if inner.count(entry) > 1), None)
                if twice is not None:
                    raise ConfigError(f"{twice} is given twice", key=str(key.value), where=f"{path}:{line}")
        return values, lines
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise ConfigError(
            f"not YAML: {problem}", where=f"{path}:{mark.line + 1}" if mark else str(path)
        ) from None
    except ConfigError:
        raise
    except ValueError:  # a number with thousands of digits, a date that is none
        raise ConfigError("not a rule set: it holds a value that cannot be read", where=str(path)) from None
    except RecursionError:
        raise ConfigError("not a rule set: nested too deeply", where=str(path)) from None
    finally:
        loader.dispose()

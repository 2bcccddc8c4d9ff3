"""A position's text as a plain mapping: YAML or JSON, every key once. What the keys mean is `reading`'s business."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import yaml

from mtref_sdk.errors import ConfigError

__all__ = ["parse_text"]


def parse_text(text: str, where: str | None = None) -> Any:
    """What the YAML or JSON document `text` holds. Raises ConfigError, one line, when it is neither or a key is there twice."""
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text, object_pairs_hook=_object)
        except ConfigError as error:
            raise ConfigError(error.message, key=error.key, where=where) from None
        except ValueError:
            pass  # a YAML mapping may begin like that too; if it is none, YAML's error names the line
        except RecursionError:
            raise ConfigError("nested too deeply", where=where) from None
    return _from_yaml(text, where)


def _from_yaml(text: str, where: str | None) -> Any:
    try:
        loader = yaml.SafeLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _check_keys(node, where)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        line = "" if mark is None else f":{mark.line + 1}"
        raise ConfigError(f"not YAML: {problem}", where=f"{where or 'line'}{line}") from None
    except RecursionError:
        raise ConfigError("nested too deeply", where=where) from None
    except ValueError as error:  # such as a date that is none
        raise ConfigError(f"not a position: {error}", where=where) from None


def _check_keys(node: yaml.Node, where: str | None) -> None:
    """Refuse a mapping with the same key twice, of which YAML would keep the last one silently."""
    if not isinstance(node, yaml.MappingNode):
        return
    seen: set[str] = set()
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            if key.value in seen:
                line = f"{where or 'line'}:{key.start_mark.line + 1}"
                raise ConfigError("is given twice", key=key.value, where=line)
            seen.add(key.value)
        _check_keys(value, where)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, value in pairs:
        if key in plain:
            raise ConfigError("is given twice", key=key)
        plain[key] = value
    return plain

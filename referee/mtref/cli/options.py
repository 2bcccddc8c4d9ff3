"""Options that several commands share: which rule set to play by."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from mtref.cli.rulesfile import read_rules
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset

__all__ = ["DEFAULT_RULES", "override_option", "resolve_rules", "rules_options"]

DEFAULT_RULES: Final = "playboard"
"""The preset a command plays by when it is told none."""

_FILE_ENDINGS: Final = (".yaml", ".yml", ".json")
_Returned = TypeVar("_Returned")


def resolve_rules(name_or_path: str, overrides: Mapping[str, str]) -> RuleSet:
    """The rule set of a preset's name or of a file, with `overrides` as typed over it.

    A text is a file's path if no preset has that name and it ends like one, holds a slash, or exists. Raises ConfigError.
    """
    path = Path(name_or_path)
    is_file = name_or_path.endswith(_FILE_ENDINGS) or "/" in name_or_path or path.is_file()
    base = read_rules(path) if name_or_path not in PRESET_NAMES and is_file else preset(name_or_path)
    return base.with_overrides(overrides) if overrides else base


def _overrides(context: click.Context, parameter: click.Parameter, texts: Sequence[str]) -> dict[str, str]:
    """The ``KEY=VALUE`` texts as a mapping."""
    del context, parameter  # click passes them to every callback
    overrides: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key or not value:
            raise ConfigError(f"cannot read {text!r}; write KEY=VALUE, such as double_blank=50", key="--rule")
        if key in overrides:
            raise ConfigError("is given twice", key=key)
        overrides[key] = value
    return overrides


override_option = click.option(
    "--rule",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    callback=_overrides,
    help='Override one option, such as double_blank=50 or hand="{2: 16, 3: 15, 4: 15}". May be repeated.',
)
"""``--rule KEY=VALUE``: the command gets ``overrides``, a mapping for `resolve_rules`."""


def rules_options(function: Callable[..., _Returned]) -> Callable[..., _Returned]:
    """Give a command ``--rules NAME|FILE`` and ``--rule KEY=VALUE``; it is called with ``rules``, the `RuleSet` they make."""

    @click.option(
        "--rules",
        "rules_name",
        default=DEFAULT_RULES,
        show_default=True,
        metavar="NAME|FILE",
        help="A preset (see `mtref rules`), or a YAML or JSON file with a rule set.",
    )
    @override_option
    @functools.wraps(function)
    def with_rules(*args: Any, rules_name: str, overrides: Mapping[str, str], **kwargs: Any) -> _Returned:
        return function(*args, rules=resolve_rules(rules_name, overrides), **kwargs)

    return with_rules

"""``mtref rules``: lists the presets, or prints one rule set whole with where each of its values comes from."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from mtref.cli.options import override_option, resolve_rules
from mtref.cli.rulesfile import SOURCES_KEY
from mtref_sdk.errors import ConfigError
from mtref_sdk.presets import PRESETS, Preset
from mtref_sdk.provenance import sources
from mtref_sdk.ruleset import RuleSet, preset

__all__ = ["command"]

_PIPE_WIDTH = 400
"""Columns when nobody is looking: wide enough that an option is one line for grep."""


@click.command("rules")
@click.argument("name", required=False, metavar="[NAME|FILE]")
@override_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object, on one line.")
@click.option("--yaml", "as_yaml", is_flag=True, help="YAML, each value with its source as a comment.")
def command(name: str | None, overrides: Mapping[str, str], *, as_json: bool, as_yaml: bool) -> None:
    """List the rule sets, or print one whole.

    With NAME every option is printed with its value and where that comes from: one of the five documents (000 playboard,
    001 dominos-cc, 002 online-table, 003 cubano, 004 traditional), or our reading where they are silent or contradict
    themselves. What --json and --yaml print can be used as a rules file. docs/rules.md has the rules themselves.
    """
    if as_json and as_yaml:
        raise click.UsageError("--json and --yaml cannot be used together")
    form = "json" if as_json else "yaml" if as_yaml else None
    if name is None:
        if overrides:
            raise ConfigError("needs the name of a rule set, such as: mtref rules playboard", key="--rule")
        _print_list(form)
    else:
        _print_one(resolve_rules(name, overrides), form)


def _print_list(form: str | None) -> None:
    entries = [_entry(item) for item in PRESETS.values()]
    if form == "json":
        click.echo(json.dumps({"presets": entries}))
    elif form == "yaml":
        import yaml  # noqa: PLC0415 -- most commands never need it

        separate = json.loads(json.dumps(entries))  # YAML would write a list that occurs twice as an alias
        click.echo(yaml.safe_dump({"presets": separate}, sort_keys=False), nl=False)
    else:
        rows = [
            [item.name, item.document, *_size(preset(item.name)), _summary(item)] for item in PRESETS.values()
        ]
        _print_table(["preset", "document", "set", "seats", "rounds", "in short"], rows)


def _entry(item: Preset) -> dict[str, Any]:
    """A preset in the list, as plain JSON."""
    rules = preset(item.name).to_mapping()
    return {
        "name": item.name,
        "document": item.document,
        "variant_of": item.base,
        "summary": item.summary,
        "changes": {key: rules[key] for key in rules if key in item.changes},
        "tile_set": rules["tile_set"],
        "seats": rules["seats"],
        "rounds": rules["rounds"],
    }


def _size(rules: RuleSet) -> list[str]:
    return [str(rules.tile_set), f"{rules.seats[0]}-{rules.seats[1]}", str(rules.rounds)]


def _summary(item: Preset) -> str:
    """What a preset is; of a variant also which options it changes."""
    if item.base is None:
        return item.summary
    rules = preset(item.name).to_mapping()
    changes = ", ".join(f"{key} {_shown(key, rules[key])}" for key in item.changes)
    return f"{item.base} with {changes}: {item.summary}"


def _print_one(rules: RuleSet, form: str | None) -> None:
    values, origins = rules.to_mapping(), sources(rules)
    if form == "json":
        told = {key: {"source": str(source), "reason": source.reason} for key, source in origins.items()}
        click.echo(json.dumps({**values, SOURCES_KEY: told}))
    elif form == "yaml":
        import yaml  # noqa: PLC0415 -- most commands never need it

        for key, value in values.items():
            plain = (
                {int(seats): tiles for seats, tiles in value.items()} if _is_hand_map(key, value) else value
            )
            text = yaml.safe_dump(plain, default_flow_style=True, width=10_000).removesuffix("...\n").rstrip()
            click.echo(
                f"{key}: {text}  # {origins[key]}: {origins[key].reason}"
                if key in origins
                else f"{key}: {text}"
            )
    else:
        item = PRESETS.get(rules.name)
        click.echo(f"{rules.name}: {_summary(item)} (document {item.document})" if item else rules.name)
        given = [key for key, source in origins.items() if source.kind == "given"]
        if item and given:
            click.echo(f"overridden: {', '.join(given)}")
        rows = [
            [key, _shown(key, values[key]), str(source), source.reason] for key, source in origins.items()
        ]
        _print_table(["option", "value", "from", "why"], rows)


def _is_hand_map(key: str, value: object) -> bool:
    return key == "hand" and isinstance(value, dict) and "leave_per_seat" not in value


def _shown(key: str, value: Any) -> str:
    """A value for reading; equal hands stand together: ``16 (2), 15 (3-4)``."""
    if isinstance(value, bool):
        return str(value).lower()
    if key == "seats":
        return f"{value[0]}-{value[1]}"
    if not isinstance(value, dict):
        return str(value)
    if not _is_hand_map(key, value):
        return f"leave_per_seat {value['leave_per_seat']}"
    groups: list[list[int]] = []  # fewest seats, most seats, tiles
    for seats, tiles in value.items():
        if groups and groups[-1][1:] == [int(seats) - 1, tiles]:
            groups[-1][1] = int(seats)
        else:
            groups.append([int(seats), int(seats), tiles])
    return ", ".join(
        f"{n} ({least}-{most})" if most > least else f"{n} ({least})" for least, most, n in groups
    )


def _print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console  # noqa: PLC0415 -- only a table for people needs it
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head in {"preset", "option", "from"})
    for row in rows:
        table.add_row(*row)
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False, markup=False)
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        click.echo(line.rstrip())

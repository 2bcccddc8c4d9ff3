"""``mtref diff``: names the first difference in meaning between two logs. Parsing, calling and printing only."""

from __future__ import annotations

import json

import click

from mtref.replay.contrast import contrast, contrast_to_dict
from mtref.replay.difference import first_difference
from mtref.replay.reader import LogReader
from mtref_sdk.errors import ConfigError, ReplayError

__all__ = ["command"]


@click.command("diff", short_help="Name the first difference between two recorded games.")
@click.argument("one", metavar="LOG1")
@click.argument("two", metavar="LOG2")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(one: str, two: str, *, as_json: bool) -> None:
    """Name the first difference in meaning between two games: rule set, seats, deal, events, moves, result.

    Ids, names, seeds, clocks, times and faults do not count, nor who made a choice. Exit 0 when there is no difference, 1
    when there is one, 2 when they cannot be compared.
    """
    try:
        with LogReader(one) as first, LogReader(two) as second:
            found = first_difference(first, second)
    except ReplayError as error:
        raise ConfigError(str(error)) from error  # exit 1 means that they differ
    paths = (one, two)
    if as_json:
        click.echo(json.dumps({"same": True} if found is None else contrast_to_dict(found, paths)))
    elif found is None:
        click.echo("no difference: the same game")
    else:
        for text in contrast(found, paths):
            click.echo(text)
    if found is not None:
        raise SystemExit(1)

"""``mtref match``: plays games between bots and prints the result. Parsing and calling only; see `mtref.match`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from mtref.cli.matchoptions import Shown, match_options
from mtref.cli.matchrun import isolated, play_here, play_over_grpc, print_outcome
from mtref.cli.sandboxoptions import sandbox_options
from mtref.match.entry import parse_entry
from mtref.match.options import MAX_TABLES, MatchOptions
from mtref.server.sandbox.levels import AUTO, Limits
from mtref_sdk.errors import ConfigError

__all__ = ["command"]


@click.command("match", short_help="Play games between bots.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@match_options
@click.option(
    "--in-process", is_flag=True, help="Load the bots' files into this process: trusted bots only, no clock."
)
@click.option(
    "--tables",
    type=click.IntRange(1, MAX_TABLES),
    default=1,
    metavar="N",
    help="Play N games side by side over the same processes. [default: 1, with fresh processes for each game]",
)
@sandbox_options
@click.option(
    "--pondering",
    type=click.Choice(["on", "off"]),
    default="on",
    help="off: bots are paused while they are not on move. [default: on]",
)
def command(
    bots: Sequence[str],
    *,
    options: MatchOptions,
    shown: Shown,
    in_process: bool,
    tables: int,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
    pondering: str,
) -> None:
    """Play games between two to ten bots, each in a process of its own, and print the result.

    A BOT is a Python file that uses mtref_sdk (bots/greedy.py), any command in quotes ("node bot.js"), or either with a
    name in front (OLD=bots/greedy.py). The same one may be given several times. docs/match.md tells everything.
    """
    entries = [parse_entry(text) for text in bots]
    if len(entries) < 2:
        raise ConfigError("needs at least two; the same bot may be given twice", key="BOT")
    options.rules.hand_size(len(entries))
    options = replace(options, tables=tables)
    if in_process:
        if sandbox_require is not None or sandbox != AUTO or pondering == "off":
            raise ConfigError("bots inside the referee cannot be isolated or paused", key="--in-process")
        options = replace(options, clock=replace(options.clock, enabled=False))
        print_outcome(play_here(options, entries, shown), shown)
        return
    with isolated(sandbox, sandbox_require, limits, pondering=pondering == "on") as isolation:
        from mtref.server.runner import MatchSetup  # noqa: PLC0415 - imports grpc

        setup = MatchSetup(isolation, lists_unplayed=True)
        result = play_over_grpc(options, entries, shown, setup)
    print_outcome(result, shown)

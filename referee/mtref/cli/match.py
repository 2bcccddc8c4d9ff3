"""``mtref match``: plays games between bots and prints the result. Parsing and calling only; see `mtref.match`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import click

from mtref.cli.given import given
from mtref.cli.matchoptions import Shown, match_options, refuse_for_processes
from mtref.cli.matchrun import play_here, play_over_grpc, print_outcome, started
from mtref.cli.sandboxoptions import sandbox_options
from mtref.match.entry import parse_entry
from mtref.match.options import MAX_TABLES, MatchOptions
from mtref.server import affinity
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
@click.option(
    "--pin",
    is_flag=True,
    help="Keep referee and bots on one core; not for bots with threads, or that think on others' time.",
)
@click.option("--debug", is_flag=True, help="No clock, and what bots print appears at once.")
@click.option(
    "--by-hand",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="Do not start bot N; say how to, and wait for it. Only with --debug; may be repeated.",
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
    pin: bool,
    debug: bool,
    by_hand: tuple[int, ...],
) -> None:
    """Play games between two to ten bots, each in a process of its own, and print the result.

    A BOT is a Python file that uses mtref_sdk (bots/greedy.py), any command in quotes ("node bot.js"), or either with a
    name in front (OLD=bots/greedy.py). The same one may be given several times. docs/match.md tells everything.
    """
    entries = [parse_entry(text) for text in bots]
    if len(entries) < 2:
        raise ConfigError("needs at least two; the same bot may be given twice", key="BOT")
    options.rules.hand_size(len(entries))
    games = options.games if given("games") else tables
    options = replace(options, tables=tables, games=games)
    if by_hand and not debug:
        raise ConfigError(
            "goes only with --debug, because it takes more time than any clock has", key="--by-hand"
        )
    if by_hand and max(by_hand) > len(entries):
        raise ConfigError(f"there is no bot {max(by_hand)}", key="--by-hand")
    if by_hand and pin:
        raise ConfigError("a bot that is not started here cannot be pinned", key="--by-hand")
    if debug:
        options = replace(options, clock=replace(options.clock, enabled=False))
        shown = replace(shown, quiet=shown.quiet or not shown.verbose)
    if in_process:
        if sandbox_require is not None or sandbox != AUTO or pondering == "off" or by_hand or pin:
            text = "bots inside the referee cannot be isolated, paused, pinned or started by hand"
            raise ConfigError(text, key="--in-process")
        refuse_for_processes()
        options = replace(options, clock=replace(options.clock, enabled=False))
        print_outcome(play_here(options, entries, shown), shown)
        return
    if pin:
        affinity.pin(affinity.current_core())
    ponders = pondering == "on"
    with started(sandbox, sandbox_require, limits, entries, pondering=ponders, live=debug) as (
        isolation,
        launcher,
    ):
        from mtref.server.runner import MatchSetup  # noqa: PLC0415 - slow to import
        from mtref.server.visitor import HandStarter  # noqa: PLC0415

        say = partial(click.echo, err=True)
        starters = {number - 1: HandStarter(number, entries[number - 1], say) for number in by_hand}
        setup = MatchSetup(isolation, starters, lists_unplayed=True, live=debug, launcher=launcher)
        result = play_over_grpc(options, entries, shown, setup)
    print_outcome(result, shown)

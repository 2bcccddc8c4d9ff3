"""``mtref branch``: plays a recorded game on from one of its moments, with another move. See `mtref.match.branch`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import click

from mtref.cli.matchoptions import Shown, play_options
from mtref.cli.matchrun import isolated, play_here, play_over_grpc, print_outcome
from mtref.cli.sandboxoptions import sandbox_options
from mtref.match.branch import BranchRun, Trunk, read_trunk
from mtref.match.entry import Entry, parse_entry
from mtref.match.inprocess import Arranged
from mtref.match.options import MatchOptions
from mtref.replay.reader import LogReader
from mtref.replay.records import LogHeader
from mtref.rules import fairdeal
from mtref.server.sandbox.levels import AUTO, Limits
from mtref.text import escape
from mtref_sdk.errors import ConfigError
from mtref_sdk.moves import parse_move

__all__ = ["command"]

_SEATED = re.compile(r"(?P<seat>\d)=(?P<bot>.+)", re.DOTALL)


_EXAMPLES = """\b
Examples:
  mtref branch game.jsonl --at 143 --move 3-9@m1 --with bot.py greedy.py --log other.jsonl
  mtref branch game.jsonl --at 143 --move stop --with 1=bot.py --with 0=greedy.py
"""


@click.command(
    "branch", short_help="Play a recorded game on from a moment, with another move.", epilog=_EXAMPLES
)
@click.argument("origin", metavar="LOG")
@click.argument("more", nargs=-1, metavar="")
@click.option(
    "--at",
    type=click.IntRange(2),
    required=True,
    metavar="N",
    help="The decision in line N of the log, or the next one.",
)
@click.option("--move", "text", required=True, metavar="M", help='Such as 3-9@m1, "4-12@0 lift" or stop.')
@click.option(
    "--with",
    "bots",
    multiple=True,
    required=True,
    metavar="BOT...",
    help="Who plays on: a bot for each seat in order, or SEAT=BOT.",
)
@click.option(
    "--seed",
    metavar="TEXT",
    help="Deals the rounds of which the log tells nothing, if it holds no seed. [default: a fresh secret seed]",
)
@play_options
@click.option(
    "--in-process", is_flag=True, help="Load the bots' files into this process: trusted bots only, no clock."
)
@sandbox_options
def command(
    origin: str,
    more: Sequence[str],
    at: int,
    text: str,
    bots: Sequence[str],
    seed: str | None,
    *,
    options: MatchOptions,
    shown: Shown,
    in_process: bool,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
) -> None:
    """Play the game in LOG up to its decision in line N as it was, make the move M there, and let bots play it on.

    The tiles stay where they were: hands, boneyard, and the rounds to come. Up to the branch every bot is asked what the bot on its
    seat was asked, so that it knows what that knew, and its answers change nothing. The new log is one like any
    other, for replay and verify, and names its origin. BOT and the options are those of `mtref match`.
    """
    with LogReader(origin) as reader:
        entries = _seated([*bots, *more], reader.header)
        trunk = read_trunk(reader, at, parse_move(text))
    options = replace(options, rules=trunk.rules)
    fresh = None if seed is None else fairdeal.deal_seed(fairdeal.master_seed(seed), trunk.header.deal)
    plan, table, reveal = [trunk.planned(fresh)], partial(BranchRun, trunk), trunk.seed is not None
    if trunk.origin.fresh_from is not None and not shown.quiet:
        _say_fresh(trunk)
    if in_process:
        if sandbox_require is not None or sandbox != AUTO:
            raise ConfigError("bots inside the referee cannot be isolated", key="--in-process")
        options = replace(options, clock=replace(options.clock, enabled=False))
        print_outcome(play_here(options, entries, shown, Arranged(plan, table, reveal)), shown)
        return
    with isolated(sandbox, sandbox_require, limits) as isolation:
        from mtref.server.runner import MatchSetup  # noqa: PLC0415 - imports grpc

        setup = MatchSetup(isolation.with_secret(origin), plan=plan, table=table, reveal=reveal)
        result = play_over_grpc(options, entries, shown, setup)
    print_outcome(result, shown)


def _seated(texts: Sequence[str], header: LogHeader) -> list[Entry]:
    """The bots by seat. Raises ConfigError when there is not exactly one for each."""
    found: dict[int, Entry] = {}
    places = [_SEATED.fullmatch(text) for text in texts]
    for number, (text, place) in enumerate(zip(texts, places, strict=True)):
        if (place is None) != (places[0] is None):
            raise ConfigError("either each bot has its seat, as in 0=bot.py, or none has", key="--with")
        seat = number if place is None else int(place["seat"])
        if seat >= header.seats:
            raise ConfigError(f"there is no seat {seat}; the game has {header.seats}", key="--with")
        if seat in found:
            raise ConfigError(f"seat {seat} has two bots", key="--with")
        found[seat] = parse_entry(text if place is None else place["bot"])
    missing = [seat for seat in range(header.seats) if seat not in found]
    if missing:
        was = "; ".join(f"seat {seat} had {escape(header.bots[seat].command, 80)!r}" for seat in missing)
        raise ConfigError(f"a bot for each of the {header.seats} seats is needed; {was}", key="--with")
    return [found[seat] for seat in range(header.seats)]


def _say_fresh(trunk: Trunk) -> None:
    click.echo(
        f"mtref: the log does not hold the seed, so the rounds from {trunk.origin.fresh_from} on are dealt afresh, "
        "and the bots' private seeds are not those they had",
        err=True,
    )

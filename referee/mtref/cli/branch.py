"""``mtref branch``: plays on from a moment of a recorded game, or from a position. See `mtref.match.branch` and `placed`."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import click

from mtref.cli.matchoptions import Shown, play_options, refuse_for_processes
from mtref.cli.matchrun import play_here, play_over_grpc, print_outcome, started
from mtref.cli.sandboxoptions import sandbox_options
from mtref.match.branch import BranchRun, Trunk, read_trunk
from mtref.match.entry import Entry, parse_entry
from mtref.match.inprocess import Arranged
from mtref.match.options import MatchOptions
from mtref.match.placed import Opening, PlacedRun
from mtref.position import Position, read_position
from mtref.replay.reader import LogReader
from mtref.rules import fairdeal
from mtref.server.sandbox.levels import AUTO, Limits
from mtref.text import escape
from mtref.textfile import decoded, read_text
from mtref_sdk.errors import ConfigError, ReplayError
from mtref_sdk.moves import parse_move

__all__ = ["command"]

_SEATED = re.compile(r"(?P<seat>\d)=(?P<bot>.+)", re.DOTALL)


_EXAMPLES = """\b
Examples:
  mtref branch game.jsonl --at 143 --move 3-9@m1 --with bot.py greedy.py --log other.jsonl
  mtref branch game.jsonl --at 143 --move stop --with 1=bot.py --with 0=greedy.py
  mtref branch here.yaml --move 3-9@m1 --with bot.py greedy.py
"""


@click.command(
    "branch", short_help="Play a recorded game on from a moment, with another move.", epilog=_EXAMPLES
)
@click.argument("origin", metavar="LOG|POSITION")
@click.argument("more", nargs=-1, metavar="")
@click.option(
    "--at",
    type=click.IntRange(2),
    metavar="N",
    help="The decision in line N of the log, or the next one. Without it a position file is meant.",
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
    help="Where the log holds no seed: that of its match, or else one for the rounds of which it tells nothing. "
    "[default: a fresh secret seed]",
)
@play_options
@click.option(
    "--in-process", is_flag=True, help="Load the bots' files into this process: trusted bots only, no clock."
)
@sandbox_options
def command(
    origin: str,
    more: Sequence[str],
    at: int | None,
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

    From a POSITION in which every tile is known (docs/positions.md) its round is played on to its end.
    """
    texts, move = [*bots, *more], parse_move(text)
    if at is None:
        position = _position(origin)
        entries = _seated(texts, [None] * position.seats)
        opening = Opening(position, move)
        opening.check()
        options = replace(options, rules=position.rules, seed=seed)
        arranged = Arranged([opening.planned(seed, _players(entries))], partial(PlacedRun, opening))
    else:
        with LogReader(origin) as reader:
            entries = _seated(texts, [bot.command for bot in reader.header.bots])
            fresh = None
            if seed is not None:
                fresh = fairdeal.deal_seed(fairdeal.master_seed(seed), reader.header.deal)
            trunk = read_trunk(reader, at, move, fresh)
        options = replace(options, rules=trunk.rules)
        planned = trunk.planned(fresh, _players(entries))
        arranged = Arranged([planned], partial(BranchRun, trunk), trunk.seed is not None)
        _say_fresh(trunk)
    if in_process:
        if sandbox_require is not None or sandbox != AUTO:
            raise ConfigError("bots inside the referee cannot be isolated", key="--in-process")
        refuse_for_processes()
        options = replace(options, clock=replace(options.clock, enabled=False))
        print_outcome(play_here(options, entries, shown, arranged), shown)
        return
    with started(sandbox, sandbox_require, limits, entries) as (isolation, launcher):
        from mtref.server.runner import MatchSetup  # noqa: PLC0415 - slow to import

        setup = MatchSetup(
            isolation.with_secret(origin),
            plan=arranged.plan,
            table=arranged.table,
            reveal=arranged.reveal,
            launcher=launcher,
        )
        result = play_over_grpc(options, entries, shown, setup)
    print_outcome(result, shown)


def _position(source: str) -> Position:
    """The position in a file, or with - on standard input."""
    if source == "-":
        return read_position(decoded(sys.stdin.buffer.read(), "standard input"), "standard input")
    with contextlib.suppress(ReplayError), LogReader(source):
        raise click.UsageError("--at is needed with a log: which decision is it to be?")
    return read_position(read_text(source), source)


def _seated(texts: Sequence[str], before: Sequence[str | None]) -> list[Entry]:
    """The bots by seat; `before` are the commands of those that sat there. Raises ConfigError unless there is one for each."""
    seats = len(before)
    found: dict[int, Entry] = {}
    places = [_SEATED.fullmatch(text) for text in texts]
    for number, (text, place) in enumerate(zip(texts, places, strict=True)):
        if (place is None) != (places[0] is None):
            raise ConfigError("either each bot has its seat, as in 0=bot.py, or none has", key="--with")
        seat = number if place is None else int(place["seat"])
        if seat >= seats:
            raise ConfigError(f"there is no seat {seat}; there are {seats}", key="--with")
        if seat in found:
            raise ConfigError(f"seat {seat} has two bots", key="--with")
        found[seat] = parse_entry(text if place is None else place["bot"])
    missing = [seat for seat in range(seats) if seat not in found]
    if missing:
        was = [f"; seat {seat} had {escape(before[seat] or '', 80)!r}" for seat in missing if before[seat]]
        raise ConfigError(f"a bot for each of the {seats} seats is needed{''.join(was)}", key="--with")
    return [found[seat] for seat in range(seats)]


def _players(entries: Sequence[Entry]) -> list[str]:
    """What each bot is, as far as that is known: two branches with other bots are two games."""
    return [entry.content_hash or entry.command for entry in entries]


def _say_fresh(trunk: Trunk) -> None:
    if trunk.seed is not None:
        return
    rounds = (
        ""
        if trunk.origin.fresh_from is None
        else f"the rounds from {trunk.origin.fresh_from} on are dealt afresh, and "
    )
    click.echo(
        f"mtref: the log does not hold the seed, so {rounds}the bots' private seeds are not those they had",
        err=True,
    )

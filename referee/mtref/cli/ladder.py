"""``mtref ladder``: plans, runs and reads ladders. Parsing, calling and printing only; see `mtref.ladder`."""

from __future__ import annotations

import click

from mtref.cli.ladderdetail import errors, export, history
from mtref.cli.ladderplan import init, plan
from mtref.cli.ladderread import crosstable, head_to_head, standings
from mtref.cli.ladderrun import run
from mtref.cli.ladderserve import author, serve

__all__ = ["command"]


@click.group("ladder", short_help="Run a competition of many bots.")
def command() -> None:
    """Run a competition of many bots, described in one file (see docs/ladder.md).

    Begin with `mtref ladder init`, look at `mtref ladder plan`, then `mtref ladder run`. Stop it whenever you like; the same
    command goes on from there.
    """


for subcommand in (
    *(init, plan, run, serve, author),
    *(standings, crosstable, head_to_head, history, errors, export),
):
    command.add_command(subcommand)

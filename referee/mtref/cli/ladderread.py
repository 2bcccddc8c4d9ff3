"""The commands that read a ladder's journal and print tables: standings, crosstable, head-to-head."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mtref.cli.ladderfile import ladder_argument, ladder_option, reading, recompute_option
from mtref.cli.laddertables import (
    crosstable_table,
    print_table,
    shown_estimate,
    standings_notes,
    standings_table,
)
from mtref.ladder.listing import counted, read_listing
from mtref.ladder.standings import compare
from mtref.ladder.standings import crosstable as cells_of
from mtref.text import escape, plural

__all__ = ["crosstable", "head_to_head", "standings"]

_json = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


@click.command("standings", short_help="Print the table of a ladder.")
@ladder_argument
@recompute_option
@_json
def standings(ladder: Path, *, recompute: bool, as_json: bool) -> None:
    """Print the table of a ladder, computed from its journal alone; also while it runs."""
    with reading(ladder) as (_, journal):
        _, table, selftest = counted(journal, recompute=recompute)
        not_played, conflicts = journal.not_played(), journal.conflicts()
        versions = read_listing(journal).current.values()
    parked = {version.label: version.parked for version in versions if version.parked is not None}
    found = selftest.discrepancies()
    if as_json:
        plain: dict[str, Any] = {
            **asdict(table),
            "not_played": [asdict(game) for game in not_played],
            "conflicts": [asdict(conflict) for conflict in conflicts],
            "parked": parked,
            "selftest": {"compared": selftest.compared, "discrepancies": [asdict(entry) for entry in found]},
        }
        click.echo(json.dumps(plain))
        return
    if table.rows:
        print_table(standings_table(table))
        click.echo("\n".join(standings_notes(table)))
    else:
        click.echo("no game has been played yet")
    for bot, reason in parked.items():
        click.echo(f"{bot} is parked until its next version: {escape(reason.partition(chr(10))[0], 300)}")
    listed = f"mtref ladder errors --ladder {shlex.quote(str(ladder))}"
    if not_played:
        click.echo(
            f"{plural(len(not_played), 'game')} could not be played; no statistics count them; see: {listed}"
        )
    if conflicts:
        click.echo(
            f"{plural(len(conflicts), 'game')} came out differently when played again; the first results stand"
        )
    if found:
        click.echo(
            f"SELF-TEST FAILED: {plural(len(found), 'game')} had to be equal to another one and came out differently; see: {listed}"
        )


@click.command("crosstable", short_help="Print how each bot did against each.")
@ladder_argument
@recompute_option
@_json
def crosstable(ladder: Path, *, recompute: bool, as_json: bool) -> None:
    """Print how each bot did against each: mean difference of their scores at one table, its 95 % interval, and games.

    Minus means the bot of the line left fewer pips. Bold where the interval leaves out zero.
    """
    with reading(ladder) as (_, journal):
        sums, table, _ = counted(journal, recompute=recompute)
    order = [row.bot for row in table.rows]
    cells = cells_of(sums, order)
    if as_json:
        listed = [{"bot": one, "against": two, **asdict(cell)} for (one, two), cell in cells.items()]
        click.echo(json.dumps({"bots": order, "cells": listed}))
    else:
        print_table(crosstable_table(order, cells))


@click.command("head-to-head", short_help="Compare two bots.")
@click.argument("one", metavar="BOT")
@click.argument("two", metavar="BOT")
@ladder_option
@recompute_option
@_json
def head_to_head(one: str, two: str, *, ladder: Path, recompute: bool, as_json: bool) -> None:
    """Compare two bots over the games in which they sat at one table."""
    with reading(ladder) as (_, journal):
        listing = read_listing(journal)
        one, two = listing.label(one), listing.label(two)
        sums, _, _ = counted(journal, recompute=recompute)
    cell = compare(sums, one, two)
    if as_json:
        click.echo(
            json.dumps({"bot": one, "against": two, **(asdict(cell) if cell else {"difference": None})})
        )
        return
    if cell is None:
        click.echo(f"{one} and {two} never met" if one != two else "that is the same bot")
        return
    found = cell.difference
    click.echo(f"{one} against {two}: {plural(found.games, 'game')} on {plural(found.deals, 'deal')}")
    click.echo(f"{one} came before {two} in {cell.wins}, level in {cell.ties}, after it in {cell.losses}")
    better = "fewer" if found.mean < 0 else "more"
    verdict = "beyond chance" if found.significant else "which may well be chance"
    click.echo(f"{one} left {abs(found.mean):.1f} pips a game {better} ({shown_estimate(found)}), {verdict}")

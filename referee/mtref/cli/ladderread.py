"""The commands that read a ladder's journal and print tables: standings, crosstable, head-to-head."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mtref.cli.ladderfile import ladder_argument, ladder_option, reading
from mtref.cli.laddertables import (
    crosstable_table,
    print_table,
    shown_estimate,
    standings_notes,
    standings_table,
)
from mtref.ladder.journal import Journal
from mtref.ladder.selftest import SelfTest
from mtref.ladder.standings import Standings, compare, order_of
from mtref.ladder.standings import crosstable as cells_of
from mtref.ladder.standings import standings as standings_of
from mtref.ladder.tally import Tally
from mtref_sdk.errors import ConfigError

__all__ = ["crosstable", "head_to_head", "known_bot", "standings", "table_of"]

_json = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


def table_of(journal: Journal) -> tuple[Tally, Standings, SelfTest]:
    """Everything counted, from the journal alone."""
    contract = journal.contract()
    tally, selftest = Tally(contract["seats"]), SelfTest(journal.bots())
    for game in journal.games():
        tally.add(game)
        selftest.add(game)
    return tally, standings_of(tally, order_of(contract["format"]["kind"])), selftest


def known_bot(journal: Journal, name: str) -> str:
    """The name, which must be that of a bot of the ladder. Raises ConfigError."""
    names = [bot.name for bot in journal.bots()]
    if name not in names:
        raise ConfigError(f"takes no part in this ladder; there are {', '.join(names)}", key=name)
    return name


@click.command("standings")
@ladder_argument
@_json
def standings(ladder: Path, *, as_json: bool) -> None:
    """Print the table of a ladder, computed from its journal alone; also while it runs."""
    with reading(ladder) as (_, journal):
        _, table, selftest = table_of(journal)
        not_played, conflicts = journal.not_played(), journal.conflicts()
    found = selftest.discrepancies()
    if as_json:
        plain: dict[str, Any] = {
            **asdict(table),
            "not_played": [asdict(game) for game in not_played],
            "conflicts": [asdict(conflict) for conflict in conflicts],
            "selftest": {"compared": selftest.compared, "discrepancies": [asdict(entry) for entry in found]},
        }
        click.echo(json.dumps(plain))
        return
    if table.rows:
        print_table(standings_table(table))
        click.echo("\n".join(standings_notes(table)))
    else:
        click.echo("no game has been played yet")
    if not_played:
        click.echo(
            f"{len(not_played)} games could not be played and are counted nowhere; see: mtref ladder errors"
        )
    if conflicts:
        click.echo(
            f"{len(conflicts)} games came out differently when they were played again; the first results stand"
        )
    if found:
        click.echo(
            f"SELF-TEST FAILED: {len(found)} games had to be equal to another one and are not; see: mtref ladder errors"
        )


@click.command("crosstable")
@ladder_argument
@_json
def crosstable(ladder: Path, *, as_json: bool) -> None:
    """Print how each bot did against each: mean difference of their scores at one table, its 95 % interval, and games.

    Minus means the bot of the line left fewer pips. Bold where the interval leaves out zero.
    """
    with reading(ladder) as (_, journal):
        tally, table, _ = table_of(journal)
    order = [row.bot for row in table.rows]
    cells = cells_of(tally, order)
    if as_json:
        listed = [{"bot": one, "against": two, **asdict(cell)} for (one, two), cell in cells.items()]
        click.echo(json.dumps({"bots": order, "cells": listed}))
    else:
        print_table(crosstable_table(order, cells))


@click.command("head-to-head")
@click.argument("one", metavar="BOT")
@click.argument("two", metavar="BOT")
@ladder_option
@_json
def head_to_head(one: str, two: str, *, ladder: Path, as_json: bool) -> None:
    """Compare two bots over the games in which they sat at one table."""
    with reading(ladder) as (_, journal):
        for name in (one, two):
            known_bot(journal, name)
        tally, _, _ = table_of(journal)
    cell = compare(tally, one, two)
    if as_json:
        click.echo(
            json.dumps({"bot": one, "against": two, **(asdict(cell) if cell else {"difference": None})})
        )
        return
    if cell is None:
        click.echo(f"{one} and {two} never met" if one != two else "that is the same bot")
        return
    found = cell.difference
    click.echo(f"{one} against {two}: {found.games} games on {found.deals} deals")
    click.echo(f"{one} came before {two} in {cell.wins}, level in {cell.ties}, after it in {cell.losses}")
    better = "fewer" if found.mean < 0 else "more"
    verdict = "beyond chance" if found.significant else "which may well be chance"
    click.echo(f"{one} left {abs(found.mean):.1f} pips a game {better} ({shown_estimate(found)}), {verdict}")

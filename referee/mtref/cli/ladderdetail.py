"""The commands that go through the games of a ladder one by one: history, errors, export."""

from __future__ import annotations

import csv
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from mtref.cli.ladderfile import ladder_argument, ladder_option, reading
from mtref.ladder.config import LadderConfig
from mtref.ladder.faultlist import FaultLine, faults_in_log
from mtref.ladder.journal import Journal
from mtref.ladder.listing import counted, read_listing
from mtref.ladder.records import ATTEMPTS, GameRecord
from mtref.ladder.roster import Roster
from mtref.ladder.standings import crosstable
from mtref.text import escape, plural
from mtref_sdk.errors import MtrefError, ReplayError

__all__ = ["errors", "export", "history"]

_REPLAYS = 100


@click.command("history", short_help="List the games of a bot.")
@click.argument("bot")
@ladder_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def history(bot: str, *, ladder: Path, as_json: bool) -> None:
    """List the games of a bot: deal, place, score against the mean of the table, who sat where, and the log."""
    with reading(ladder) as (config, journal):
        labels = read_listing(journal).labels(bot)
        games = list(_games_of(journal, labels))
    if as_json:
        click.echo(json.dumps({"bot": bot, "games": [asdict(game) for game in games]}))
        return
    for game in games:
        seat = next(seat for seat in game.seats if seat.bot in labels)
        mean = sum(other.counted for other in game.seats) / len(game.seats)
        table = ", ".join(f"{other.bot} {other.total}" for other in game.seats)
        log = f"  {config.state / game.log}" if game.log else ""
        forfeit = "  forfeited" if seat.forfeited else ""
        version = f"{seat.bot}  " if len(labels) > 1 else ""
        click.echo(
            f"{version}deal {game.deal}  place {seat.place}  {seat.counted - mean:+.1f}  ({table}){forfeit}{log}"
        )


@click.command("errors", short_help="List everything that went wrong.")
@click.argument("bot", required=False)
@ladder_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def errors(bot: str | None, *, ladder: Path, as_json: bool) -> None:
    """List everything that went wrong, for one bot or for all: faults with the command that shows the moment, and games
    that could not be played. Without a bot also what the self-test found, and games with two results.
    """
    with reading(ladder) as (config, journal):
        labels = None if bot is None else read_listing(journal).labels(bot)
        faulty = [game for game in _games_of(journal, labels) if any(seat.faults for seat in game.seats)]
        lines = [
            line
            for game in faulty
            for line in _faults(config.state, game)
            if labels is None or line.bot in labels
        ]
        started = {line.bot: _start(config, journal, line.bot) for line in lines}
        unplayed = [
            game for game in journal.not_played() if labels is None or not {*labels}.isdisjoint(game.blamed)
        ]
        conflicts = journal.conflicts() if bot is None else []
        found = counted(journal)[2].discrepancies() if bot is None else []
    if as_json:
        plain = {
            "faults": [asdict(line) for line in lines],
            "not_played": [asdict(game) for game in unplayed],
            "conflicts": [asdict(conflict) for conflict in conflicts],
            "discrepancies": [asdict(entry) for entry in found],
        }
        click.echo(json.dumps(plain))
        return
    for line in lines:
        click.echo(
            f"{line.bot}: {line.kind}, {line.done}, deal {line.deal}, seat {line.seat}: {escape(line.message, 300)}"
        )
        if line.log:
            log, asked = shlex.quote(line.log), started[line.bot]
            click.echo(f"    mtref replay {log} --seat {line.seat} --at {line.line} --attach {asked}")
    for game in unplayed:
        state = "given up" if game.attempts >= ATTEMPTS else f"attempt {game.attempts} of {ATTEMPTS}"
        state = state if game.blamed else "no bot's fault"
        click.echo(
            f"{', '.join(game.blamed) or 'the referee'}: not played ({state}), deal {game.deal}, {', '.join(game.bots)}:"
        )
        for text in game.reason.splitlines():
            click.echo(f"    {escape(text, 300)}")
    for conflict in conflicts:
        click.echo(
            f"two results: deal {conflict.deal}, {', '.join(conflict.bots)}: {conflict.first[:12]} stands, {conflict.second[:12]}"
        )
    for entry in found:
        click.echo(
            f"self-test: deal {entry.deal}: {', '.join(entry.bots[0])} and {', '.join(entry.bots[1])} were not the same game"
        )
    if not (lines or unplayed or conflicts or found):
        click.echo("nothing went wrong")


@click.command("export", short_help="Give the results to other programs or a browser.")
@ladder_argument
@click.option("--csv", "as_csv", is_flag=True, help="A line for each seat of each game.")
@click.option(
    "--json", "as_json", is_flag=True, help="One object with everything: settings, bots, tables, games."
)
@click.option(
    "--html",
    "site",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write pages for a browser.",
)
@click.option(
    "--replays",
    type=click.IntRange(0),
    metavar="N",
    help=f"With --html: games that the pages can show. [default: {_REPLAYS}]",
)
def export(ladder: Path, *, as_csv: bool, as_json: bool, site: Path | None, replays: int | None) -> None:
    """Give a ladder's results to other programs, or to a browser: pages that need no server and load nothing.

    The pages show no game of a deal that is still being played.
    """
    if as_csv + as_json + (site is not None) != 1:
        raise click.UsageError("say one of --csv, --json and --html DIR")
    if replays is not None and site is None:
        raise click.UsageError("--replays goes only with --html")
    with reading(ladder) as (config, journal):
        if site is not None:
            from mtref.ladder.site.build import write_site  # noqa: PLC0415 - only these pages need it

            watchable = write_site(journal, config.state, site, _REPLAYS if replays is None else replays)
            click.echo(f"{site / 'index.html'} is written, with {plural(watchable, 'game')} to watch")
            return
        if as_csv:
            _write_csv(journal)
            return
        sums, table, _ = counted(journal, recompute=True)
        order = [row.bot for row in table.rows]
        cells = [
            {"bot": one, "against": two, **asdict(cell)}
            for (one, two), cell in crosstable(sums, order).items()
        ]
        plain = {
            "format": "mtref-ladder/1",
            "contract": journal.contract(),
            "bots": [asdict(bot) for bot in journal.bots()],
            "versions": [asdict(version) for version in journal.register.versions()],
            "stages": [asdict(stage) for stage in journal.register.stages()],
            "deals": [asdict(deal) for deal in journal.deals()],
            "standings": asdict(table),
            "crosstable": cells,
            "games": [asdict(game) for game in journal.games()],
            "not_played": [asdict(game) for game in journal.not_played()],
            "conflicts": [asdict(conflict) for conflict in journal.conflicts()],
        }
        click.echo(json.dumps(plain))


def _write_csv(journal: Journal) -> None:
    fields = (
        "game",
        "deal",
        "seat",
        "bot",
        "content",
        "place",
        "total",
        "counted",
        "forfeited",
        "decisions",
        "time_ms",
        "longest_ms",
        "faults",
        "digest",
        "seconds",
        "at",
        "log",
    )
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(fields)
    for game in journal.games():
        for number, seat in enumerate(game.seats):
            faults = " ".join(f"{kind}={count}" for kind, count in seat.faults.items())
            told = (
                seat.place,
                seat.total,
                seat.counted,
                int(seat.forfeited),
                seat.decisions,
                seat.time_ms,
                seat.longest_ms,
            )
            rows.writerow(
                (
                    game.id,
                    game.deal,
                    number,
                    seat.bot,
                    seat.content,
                    *told,
                    faults,
                    game.digest,
                    game.seconds,
                    game.at,
                    game.log or "",
                )
            )


def _games_of(journal: Journal, labels: Sequence[str] | None) -> Iterator[GameRecord]:
    """The games of the versions of a bot, or all, deal by deal."""
    deals = journal.deal_sizes()
    for game in journal.games_of(deals[0][0], deals[-1][0]) if deals else ():
        if labels is None or any(seat.bot in labels for seat in game.seats):
            yield game


def _start(config: LadderConfig, journal: Journal, name: str) -> str:
    """How a bot of the ladder is named on a command line; the word BOT where it is not there any more."""
    roster = Roster(config, journal)
    try:
        entry = roster.entry(roster.index(name))
    except MtrefError:
        return "BOT"
    if entry.name != name:  # the file has other bots now
        return "BOT"
    if entry.is_python_file and not entry.env:
        return shlex.quote(str(entry.files[0]))
    settings = ["env", *(f"{key}={value}" for key, value in entry.env)] if entry.env else []
    return shlex.quote(shlex.join([*settings, *entry.argv]))


def _faults(state: Path, game: GameRecord) -> list[FaultLine]:
    """The faults of a game as its log tells them; from the counts alone if there is no log any more."""
    if game.log:
        try:
            return faults_in_log(state / game.log, game)
        except ReplayError:
            pass
    told = "{}; the log cannot be read"
    return [
        FaultLine(seat.bot, game.id, game.deal, number, kind, "", told.format(plural(count, "time")), None, 0)
        for number, seat in enumerate(game.seats)
        for kind, count in seat.faults.items()
    ]

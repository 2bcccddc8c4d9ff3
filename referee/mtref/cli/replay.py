"""``mtref replay``: shows one recorded game: on the whole screen, as text, as JSON, or as a page for a browser."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from mtref.replay.jsonview import objects
from mtref.replay.moment import moment_at
from mtref.replay.picture import draw, moment_to_dict
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import LogEnd, LogHeader
from mtref.replay.sight import seen_lines
from mtref.replay.story import tell
from mtref.text import escape
from mtref_sdk.errors import MtrefError
from mtref_sdk.events import RoundEnded, RoundStarted

__all__ = ["command"]


@click.command("replay", short_help="Look at a recorded game.")
@click.argument("log")
@click.option(
    "--at",
    "at",
    type=click.IntRange(1),
    metavar="N",
    help="Draw the table as it was after line N of the log.",
)
@click.option("--seat", type=click.IntRange(0), metavar="S", help="Show only what seat S knew then.")
@click.option("--round", "number", type=click.IntRange(1), metavar="R", help="Only round R.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--text", "as_text", is_flag=True, help="Plain text, on a terminal too.")
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write a page."
)
def command(
    log: str,
    at: int | None,
    seat: int | None,
    number: int | None,
    page: Path | None,
    *,
    as_json: bool,
    as_text: bool,
) -> None:
    """Show the game in LOG.

    On a terminal it opens on the whole screen; elsewhere, and with --text or --round, it is printed, a turn a line, each
    beginning with its line number in the log. --html writes one file that shows it in any browser. LOG may be
    compressed, and may be of a game that is still going on or was broken off.
    """
    if at is not None and number is not None:
        raise click.UsageError("--at and --round cannot be used together: a line is in one round")
    if as_json and as_text:
        raise click.UsageError("--json and --text cannot be used together")
    if page is not None and (at is not None or number is not None or as_json or as_text):
        raise click.UsageError("--html shows the whole game; only --seat goes with it")
    with LogReader(log) as reader:
        if seat is not None and seat >= reader.header.seats:
            raise click.UsageError(f"--seat {seat}: the log has the seats 0 to {reader.header.seats - 1}")
        if page is not None:
            _write_page(reader, page, seat)
            return
        if at is None and number is None and not as_json and not as_text and _on_terminal():
            from mtref.replay.screen.app import show  # noqa: PLC0415 - a toolkit that only the screen needs

            show(reader, seat)
            return
        if at is not None:
            moment = moment_at(reader, at, seat)
            _print([json.dumps(moment_to_dict(moment))] if as_json else draw(moment))
            return
        told = _Told(reader)
        lines = seen_lines(_of_round(told.lines(), number), seat)
        _print(map(json.dumps, objects(lines, reader.header.seats)) if as_json else tell(lines))
        if number is not None and told.rounds < number:
            raise reader.error(told.last, f"the log ends before round {number} begins")
        if not told.complete:
            cut = " in the middle of a line" if reader.cut_off else ""
            click.echo(
                f"mtref: the log breaks off{cut} after line {told.last}: the game has no end", err=True
            )


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _write_page(reader: LogReader, page: Path, seat: int | None) -> None:
    from mtref.replay.page.build import build  # noqa: PLC0415 - only pages need it

    if page.exists() and page.samefile(reader.path):
        raise click.UsageError("--html: that is the log itself")
    text = build(reader, seat)
    try:
        page.write_text(text, encoding="ascii")
    except OSError as error:
        raise MtrefError(f"cannot write {escape(str(page))}: {error.strerror}") from error


class _Told:
    """Hands out the lines of a log and notes how far it went."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self.last, self.rounds, self.complete = 1, 0, False

    def lines(self) -> Iterator[LogLine]:
        """Every line, the header too."""
        yield self._reader.first
        for line in self._reader:
            self.last = line.number
            self.rounds += isinstance(line.record, RoundStarted)
            self.complete = self.complete or isinstance(line.record, LogEnd)
            yield line


def _of_round(lines: Iterable[LogLine], number: int | None) -> Iterator[LogLine]:
    """The header, and the lines of round `number` only; all lines if it is None."""
    inside = number is None
    for line in lines:
        if number is not None and isinstance(line.record, RoundStarted):
            inside = line.record.round == number
        if inside or isinstance(line.record, LogHeader):
            yield line
        if number is not None and isinstance(line.record, RoundEnded):
            inside = False


def _print(texts: Iterable[str]) -> None:
    for text in texts:
        click.echo(text)

"""``mtref replay``: prints one recorded game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import click

from mtref.replay.jsonview import objects
from mtref.replay.moment import moment_at
from mtref.replay.picture import draw, moment_to_dict
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import LogEnd, LogHeader
from mtref.replay.sight import seen_lines
from mtref.replay.story import tell
from mtref_sdk.events import RoundEnded, RoundStarted

__all__ = ["command"]


@click.command("replay", short_help="Print a recorded game for reading.")
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
def command(log: str, at: int | None, seat: int | None, number: int | None, *, as_json: bool) -> None:
    """Print the game in LOG, a turn a line; each begins with its line number in the log.

    LOG may be compressed, and may be of a game that is still going on or was broken off.
    """
    if at is not None and number is not None:
        raise click.UsageError("--at and --round cannot be used together: a line is in one round")
    with LogReader(log) as reader:
        if seat is not None and seat >= reader.header.seats:
            raise click.UsageError(f"--seat {seat}: the log has the seats 0 to {reader.header.seats - 1}")
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

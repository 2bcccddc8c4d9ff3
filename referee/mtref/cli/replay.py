"""``mtref replay``: shows one recorded game: on the whole screen, as text, as JSON, as a page, or one moment as a position.

Asking a bot what it was asked in the game is `replayask`'s business.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from mtref.cli.given import given
from mtref.cli.sandboxoptions import sandbox_options
from mtref.replay.jsonview import objects
from mtref.replay.moment import moment_at
from mtref.replay.picture import draw, moment_to_dict
from mtref.replay.reader import LogLine, LogReader
from mtref.replay.records import LogEnd, LogHeader
from mtref.replay.sight import seen_lines
from mtref.replay.story import tell
from mtref.server.sandbox.levels import Limits
from mtref.text import escape
from mtref.textfile import write_whole
from mtref_sdk.errors import MtrefError
from mtref_sdk.events import RoundEnded, RoundStarted

__all__ = ["command"]


_EXAMPLES = """\b
Examples:
  mtref replay game.jsonl --at 143                        the table after line 143
  mtref replay game.jsonl --at 143 --position >here.yaml  for mtref explain
  mtref replay game.jsonl --seat 2 --at 143 --attach bot.py        what would it do?
  mtref replay game.jsonl --seat 2 --at 143 --attach bot.py --pdb  and why?
  mtref replay game.jsonl --seat 2 --rerun bot.py         does it play as it did?
"""


@click.command("replay", short_help="Look at a recorded game.", epilog=_EXAMPLES)
@click.argument("log")
@click.option(
    "--at",
    "at",
    type=click.IntRange(1),
    metavar="N",
    help="Draw the table as it was after line N of the log.",
)
@click.option("--seat", type=click.IntRange(0), metavar="S", help="Only what seat S knew then.")
@click.option("--round", "number", type=click.IntRange(1), metavar="R", help="Only round R.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--text", "as_text", is_flag=True, help="Plain text, on a terminal too.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page; to - on stdout.",
)
@click.option("--position", is_flag=True, help="With --at: the moment as a position, for explain and branch.")
@click.option(
    "--attach",
    metavar="BOT",
    help="With --seat and --at: ask BOT what the seat was asked then, told all that the seat was told.",
)
@click.option("--pdb", is_flag=True, help="With --attach: stop in the bot's choose, in Python's debugger.")
@click.option(
    "--rerun", metavar="BOT", help="With --seat: ask BOT every decision of the seat, and list what differs."
)
@click.option(
    "--seed",
    metavar="TEXT",
    help="With --attach and --rerun: the --seed of the match, if the log does not hold the deal's seed.",
)
@sandbox_options
def command(
    log: str,
    at: int | None,
    seat: int | None,
    number: int | None,
    page: Path | None,
    attach: str | None,
    rerun: str | None,
    seed: str | None,
    *,
    as_json: bool,
    as_text: bool,
    position: bool,
    pdb: bool,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
) -> int:
    """Show the game in LOG, or ask a bot again what it was asked in it.

    On a terminal it opens on the whole screen; elsewhere, and with --text or --round, it is printed, a turn a line, each
    beginning with its line number in the log. --html writes one file that shows it in any browser. LOG may be
    compressed, and may be of a game that is still going on or was broken off.

    BOT is given as to `mtref match`, and isolated as there; its clock stands still. --attach exits with 1 when the bot fails, and
    --rerun when it does not choose everywhere, twice, what the log has.
    """
    _check_options(
        at=at is not None, seat=seat is not None, number=number is not None, json=as_json, text=as_text,
        html=page is not None, position=position, attach=attach is not None, pdb=pdb, rerun=rerun is not None,
        seed=seed is not None,
        sandbox=bool(given("sandbox", "sandbox_require", "bot_memory", "bot_processes")),
    )  # fmt: skip
    with LogReader(log) as reader:
        if seat is not None and seat >= reader.header.seats:
            raise click.UsageError(f"--seat {seat}: the log has the seats 0 to {reader.header.seats - 1}")
        if attach is not None or rerun is not None:
            from mtref.cli import replayask  # noqa: PLC0415 - starts bots, which looking does not

            box = (sandbox, sandbox_require, limits)
            assert seat is not None
            retelling = replayask.retelling_of(reader, seat, seed)
            if rerun is not None:
                return replayask.rerun(retelling, rerun, as_json=as_json, sandbox=box)
            assert at is not None and attach is not None
            return replayask.attach(retelling, at, attach, debugger=pdb, as_json=as_json, sandbox=box)
        if position:
            assert at is not None
            _print_position(reader, at, seat, as_json=as_json)
        else:
            _show(reader, at, seat, number, page, as_json=as_json, as_text=as_text)
    return 0


def _check_options(**on: bool) -> None:
    """Refuse options that contradict each other; each is given or not."""
    if on["at"] and on["number"]:
        raise click.UsageError("--at and --round cannot be used together: a line is in one round")
    if on["json"] and on["text"]:
        raise click.UsageError("--json and --text cannot be used together")
    if on["html"] and any(is_on for name, is_on in on.items() if name not in ("html", "seat")):
        raise click.UsageError("--html shows the whole game; only --seat goes with it")
    if on["pdb"] and not on["attach"]:
        raise click.UsageError("--pdb goes only with --attach")
    if on["seed"] and not on["attach"] and not on["rerun"]:
        raise click.UsageError("--seed goes only with --attach and --rerun")
    if on["sandbox"] and not on["attach"] and not on["rerun"]:
        raise click.UsageError("options of the sandbox go only with --attach and --rerun")
    if on["pdb"] and on["json"]:
        raise click.UsageError("--pdb and --json cannot be used together: the debugger prints too")
    for name, needed in (("position", ["at"]), ("attach", ["seat", "at"]), ("rerun", ["seat"])):
        if not on[name]:
            continue
        for other in needed:
            if not on[other]:
                raise click.UsageError(f"--{name} needs --{other}")
        allowed = {name, "seat", "json", *needed, "pdb", "seed", "sandbox"}
        for other in set(on) - allowed:
            if on[other]:
                shown = {"number": "round"}.get(other, other)
                raise click.UsageError(f"--{name} and --{shown} cannot be used together")


def _print_position(reader: LogReader, at: int, seat: int | None, *, as_json: bool) -> None:
    from mtref.position import position_to_mapping, position_to_yaml  # noqa: PLC0415 - YAML is needed only here
    from mtref.replay.position import position_after  # noqa: PLC0415

    line, position = position_after(reader, at, seat)
    if as_json:
        click.echo(json.dumps(position_to_mapping(position)))
        return
    eyes = "" if seat is None else f", as seat {seat} knew it"
    click.echo(f"# line {line} of game {escape(reader.header.game)}{eyes}")
    click.echo(position_to_yaml(position), nl=False)


def _show(
    reader: LogReader,
    at: int | None,
    seat: int | None,
    number: int | None,
    page: Path | None,
    *,
    as_json: bool,
    as_text: bool,
) -> None:
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
        click.echo(f"mtref: the log breaks off{cut} after line {told.last}: the game has no end", err=True)


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _write_page(reader: LogReader, page: Path, seat: int | None) -> None:
    from mtref.replay.page.build import build  # noqa: PLC0415 - only pages need it

    if str(page) == "-":
        click.echo(build(reader, seat), nl=False)
        return
    if page.exists() and page.samefile(reader.path):
        raise click.UsageError("--html: that is the log itself")
    text = build(reader, seat)
    try:
        write_whole(page, text)
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

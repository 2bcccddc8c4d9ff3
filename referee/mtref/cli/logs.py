"""``mtref logs``: finds games among many logs. Parsing, calling and printing only; see `mtref.replay.find`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click

from mtref.cli.logslist import ORDERS, Form, Order, in_order, show
from mtref.cli.matchoptions import Duration
from mtref.match.fault import FaultKind
from mtref.replay.find import Found, Unread, find, log_files
from mtref.replay.query import Query
from mtref.server.processtree import die_with_parent

__all__ = ["command"]


@click.group("logs", short_help="Find games among many logs.")
def command() -> None:
    """Find games among many logs."""


class _Moment(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.5 on
    """A moment: ``2026-03-01``, ``2026-03-01 18:30``, or how long ago, such as ``90m``, ``12h``, ``7d``; in seconds since 1970."""

    name = "WHEN"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The moment a text names, by the clock and the zone of this machine."""
        text = str(value).strip()
        now = datetime.now().astimezone()
        try:
            ago = re.fullmatch(r"(\d+)([mhd])", text)
            if ago is not None:
                unit = {"m": "minutes", "h": "hours", "d": "days"}[ago[2]]
                return (now - timedelta(**{unit: int(ago[1])})).timestamp()
            return datetime.fromisoformat(text).astimezone().timestamp()
        except (ValueError, OverflowError):
            return self.fail(
                f"{text!r} is no moment; write 2026-03-01, '2026-03-01 18:30', or how long ago, such as 12h or 7d",
                param,
                ctx,
            )


_NUMBER = click.IntRange(0)
_CONDITIONS = (
    click.option("--rules", metavar="NAME", help="The rule set; a pattern."),
    click.option("--seats", type=click.IntRange(1), metavar="N", help="So many seats."),
    click.option("--rounds", type=_NUMBER, metavar="N", help="So many rounds were played to their end."),
    click.option("--game", metavar="ID", help="The game's id, or its beginning."),
    click.option("--deal", metavar="ID", help="The deal's id."),
    click.option("--finished/--unfinished", default=None, help="The game has an end, or it was broken off."),
    click.option("--since", type=_Moment(), metavar="WHEN", help="The file was written then or later."),
    click.option("--until", type=_Moment(), metavar="WHEN", help="The file was last written before."),
    click.option("--bot", metavar="NAME", help="Seat: the bot's name; a pattern."),
    click.option("--against", metavar="NAME", help="Seat: another seat has such a bot; a pattern."),
    click.option(
        "--hash", "content_hash", metavar="HEX", help="Seat: the bot's content hash, or its beginning."
    ),
    click.option("--seat", type=click.IntRange(0, 9), metavar="S", help="Seat: its number."),
    click.option(
        "--fault",
        "faults",
        type=click.Choice(["any", *(kind.value for kind in FaultKind)]),
        multiple=True,
        metavar="KIND",
        help="Seat: had a fault of this kind (docs/match.md), or `any`. May be repeated.",
    ),
    click.option("--forfeited", is_flag=True, help="Seat: forfeited."),
    click.option("--place", type=click.IntRange(1), metavar="P", help="Seat: its place."),
    click.option(
        "--lost-by", type=_NUMBER, metavar="N", help="Seat: lost, at least N points behind the winner."
    ),
    click.option(
        "--won-by", type=_NUMBER, metavar="N", help="Seat: won, at least N points ahead of the next."
    ),
    click.option("--total-from", type=_NUMBER, metavar="N", help="Seat: a total of at least N."),
    click.option("--total-to", type=_NUMBER, metavar="N", help="Seat: a total of at most N."),
    click.option(
        "--slower-than",
        "slower_than_ms",
        type=Duration(),
        metavar="TIME",
        help="Seat: took so long once, as 2s, 500ms.",
    ),
)


def _conditions(function: Any) -> Any:
    for option in reversed(_CONDITIONS):
        function = option(function)
    return function


@command.command("query")
@click.argument(
    "places", metavar="DIR|LOG...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
)
@_conditions
@click.option(
    "--sort", "order", type=click.Choice(ORDERS), help="Those with the most of it first. [default: by path]"
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="No more than N games.")
@click.option("--count", is_flag=True, help="Print only how many games there are.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line; with --count one object.")
@click.option("--paths", is_flag=True, help="Only the paths, one a line.")
@click.option(
    "-0", "paths0", is_flag=True, help="Only the paths, as they are, each ended by NUL: for xargs -0."
)
def query(
    places: tuple[Path, ...],
    *,
    order: Order | None,
    limit: int | None,
    count: bool,
    as_json: bool,
    paths: bool,
    paths0: bool,
    game: str | None,
    **conditions: Any,
) -> None:
    """List the games that meet all conditions. Those marked "Seat" must all be met by one and the same seat.

    A DIR is searched at any depth for names that end in .jsonl, .jsonl.zst or .jsonl.gz. A pattern has *, ? and [...] as in a
    shell. What cannot be read is told on stderr, a line each, and the rest is listed all the same; exit 1 then.
    """
    forms: dict[Form, bool] = {"json": as_json, "paths": paths, "paths0": paths0}
    form: Form = next((name for name, chosen in forms.items() if chosen), "text")
    if sum(forms.values()) > 1:
        raise click.UsageError("say one of --json, --paths and -0")
    if count and (paths or paths0):
        raise click.UsageError("--count prints no paths; leave --paths and -0 out")
    unread = _Unread()
    asked = Query(game=game or "", **conditions)
    found = unread.told(find(list(log_files(places)), asked, die_with_parent))
    listed = in_order(found, order, limit)
    if count:
        games = sum(1 for _ in listed)
        click.echo(f'{{"games": {games}}}' if form == "json" else games)
    else:
        for entry in listed:
            show(entry, form)
    if unread.some:
        raise SystemExit(1)


class _Unread:
    """Lets through what was found, says on stderr what could not be read, and remembers that there was some."""

    def __init__(self) -> None:
        self.some = False

    def told(self, answers: Iterable[Found | Unread]) -> Iterator[Found]:
        """What was found."""
        for answer in answers:
            if isinstance(answer, Found):
                yield answer
            else:
                self.some = True
                click.echo(f"mtref: {answer.reason}", err=True)

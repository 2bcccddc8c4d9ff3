"""How found logs are listed: as lines, as objects or as paths, in an order, up to a limit."""

from __future__ import annotations

import heapq
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, Literal, get_args

import click

from mtref.replay.find import Found
from mtref.replay.summary import SeatSummary
from mtref.text import escape, plural

__all__ = ["ORDERS", "Form", "Order", "in_order", "show"]

Form = Literal["text", "json", "paths", "paths0"]
"""A line, an object or the path of each game; the last with a NUL after each and nothing escaped."""

Order = Literal["newest", "behind", "slowest", "faults", "rounds"]
ORDERS: Final = get_args(Order)


def in_order(found: Iterable[Found], order: Order | None, limit: int | None) -> Iterator[Found]:
    """The first `limit` of `found`, as they come, or those with the most of what `order` names.

    Without an order nothing waits for the end of `found`; with a limit no more than so many are kept.
    """
    if order is None:
        yield from islice(found, limit)
    elif limit is None:
        yield from sorted(found, key=_RANKS[order], reverse=True)
    else:
        yield from heapq.nlargest(limit, found, key=_RANKS[order])


def _of_seats(figure: Callable[[SeatSummary], float | None]) -> Callable[[Found], float]:
    """The largest of a figure among the seats that were looked for; less than any where there is none."""

    def rank(found: Found) -> float:
        figures = [figure(found.summary.seats[seat]) for seat in found.seats]
        return max((value for value in figures if value is not None), default=float("-inf"))

    return rank


_RANKS: Final[dict[Order, Callable[[Found], float]]] = {
    "newest": lambda found: found.summary.changed,
    "behind": _of_seats(lambda seat: seat.behind),
    "slowest": _of_seats(lambda seat: seat.slowest_ms),
    "faults": _of_seats(lambda seat: sum(fault.times for fault in seat.faults.values())),
    "rounds": lambda found: found.summary.rounds,
}


def show(found: Found, form: Form) -> None:
    """Print one game."""
    summary = found.summary
    if form == "paths0":
        sys.stdout.flush()
        sys.stdout.buffer.write(bytes(summary.path) + b"\0")
    elif form == "paths":
        click.echo(escape(str(summary.path), 4096))
    elif form == "json":
        click.echo(json.dumps(_plain(found)))
    else:
        end = "" if summary.finished else ", not finished"
        order = sorted(summary.seats, key=lambda seat: (seat.place or 0, seat.total))
        everybody = len(found.seats) == len(order)
        seats = "; ".join(_seat(seat, marked=not everybody and seat.seat in found.seats) for seat in order)
        click.echo(
            f"{escape(str(summary.path), 4096)}: {escape(summary.preset, 40)}, {plural(summary.rounds, 'round')}{end}: {seats}"
        )


def _seat(seat: SeatSummary, *, marked: bool) -> str:
    """Such as ``2. *greedy 210 (+52, timeout 2 from 143, forfeited)``; the star is for the seats that were looked for."""
    place = "" if seat.place is None else f"{seat.place}. "
    notes = [f"{seat.behind:+}"] if seat.place != 1 and seat.behind is not None else []
    notes += [f"{escape(kind, 40)} {fault.times} from {fault.line}" for kind, fault in seat.faults.items()]
    notes += ["forfeited"] if seat.forfeited else []
    told = f" ({', '.join(notes)})" if notes else ""
    return f"{place}{'*' if marked else ''}{escape(seat.bot.name, 40)} {seat.total}{told}"


def _plain(found: Found) -> dict[str, Any]:
    summary = asdict(found.summary)
    seats = [{"seat": seat.pop("seat"), **seat.pop("bot"), **seat} for seat in summary.pop("seats")]
    return {
        "log": str(summary.pop("path")),
        "changed": datetime.fromtimestamp(summary.pop("changed"), UTC).isoformat(timespec="seconds"),
        "rules": summary.pop("preset"),
        **summary,
        "seats": seats,
        "matching": list(found.seats),
    }

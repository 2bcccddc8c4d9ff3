"""The tables of a ladder for people: standings, crosstable, comparison. What they hold is computed in `mtref.ladder`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mtref.ladder.intervals import Estimate
from mtref.ladder.standings import Cell, Row, Standings
from mtref.text import plural

__all__ = [
    "crosstable_table",
    "duration",
    "print_table",
    "shown_estimate",
    "standings_notes",
    "standings_table",
]

_PIPE_WIDTH = 400

_WIDE = 110
"""Columns from which on the standings are shown with everything."""

_HEADS = (
    ("", True),
    ("bot", True),
    ("games", True),
    ("place", False),
    ("score", True),
    ("rating", True),
    ("wins", True),
    ("forfeits", True),
    ("faults", True),
    ("ms a move", False),
    ("longest", False),
)
"""The columns of the standings, and whether they are always shown."""


def duration(seconds: float) -> str:
    """A time span in words, such as ``2 h 05 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{max(seconds, 0):.1f} s" if seconds < 10 else f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"


def shown_estimate(found: Estimate, digits: int = 1) -> str:
    """A mean with its interval, or with ``?`` where two deals are needed and there are not."""
    half = "?" if found.half is None else f"{found.half:.{digits}f}"
    return f"{found.mean:+.{digits}f} ± {half}"


def standings_table(table: Standings, width: int | None = None) -> Table:
    """The standings; groups that never met are set apart. A terminal of few columns gets fewer of them."""
    narrow = (stdout_width() if width is None else width) < _WIDE
    heads = [head for head, always in _HEADS if always or not narrow]
    shown = Table(*heads, box=None, pad_edge=False)
    for column in shown.columns:
        column.no_wrap = column.header not in {"bot", "faults"}
        column.justify = "left" if column.header in {"", "bot", "faults"} else "right"
    last = 1
    for row in table.rows:
        if row.group != last:
            shown.add_section()
            shown.add_row("", Text("not comparable with those above: they never met"), style="italic")
            last = row.group
        shown.add_row(
            *(cell for cell, (_, always) in zip(_cells(row), _HEADS, strict=True) if always or not narrow)
        )
    return shown


def stdout_width() -> int:
    """Columns of the terminal, or plenty when nobody is looking."""
    return Console().width if sys.stdout.isatty() else _PIPE_WIDTH


def _cells(row: Row) -> list[str]:
    rating = f"{row.rating.points:+.0f} ± " + ("?" if row.rating.half is None else f"{row.rating.half:.0f}")
    faults = ", ".join(f"{kind} {count}" for kind, count in row.faults.items()) or "-"
    a_move = 1000 * row.seconds / row.decisions if row.decisions else 0.0
    return [
        str(row.place),
        row.bot,
        str(row.games),
        f"{row.mean_place:.2f}",
        shown_estimate(row.relative),
        rating,
        f"{row.wins / row.games:.0%}",
        str(row.forfeits),
        faults,
        f"{a_move:.1f}",
        f"{row.longest_ms:.0f} ms",
    ]


def standings_notes(table: Standings) -> list[str]:
    """What the columns mean, in a few lines."""
    by = "score" if table.order_by == "score" else "rating"
    lines = [
        f"{plural(table.games, 'game')}; ordered by {by}. score: pips a game above (+) or below (-) the mean of the table, low is good.",
        "rating: 400 points are odds of 10 to 1 to finish before; 0 is the mean of the bots listed together.",
        "± is a 95 % interval over deals: all games on one deal are one observation.",
    ]
    if table.gain is not None:
        lines.append(
            f"Sharing deals was worth {table.gain:.2f} times as many games on deals of their own (median)."
        )
    return lines


def crosstable_table(order: Sequence[str], cells: Mapping[tuple[str, str], Cell]) -> Table:
    """Each bot against each: mean difference of scores, interval, games. Bold where the interval leaves out zero."""
    shown = Table("", *order, box=None, pad_edge=False)
    for column in shown.columns[1:]:
        column.justify = "right"
    for one in order:
        row = [Text(one)]
        for two in order:
            cell = cells.get((one, two))
            if cell is None:
                row.append(Text("" if one == two else "never met", style="dim"))
                continue
            text = f"{shown_estimate(cell.difference)} ({cell.difference.games})"
            good = "green" if cell.difference.mean < 0 else "red"
            row.append(Text(text, style=f"bold {good}" if cell.difference.significant else "dim"))
        shown.add_row(*row)
    return shown


def print_table(table: Table) -> None:
    """Print a table on stdout: as wide as the terminal, or without folding when nobody is looking."""
    Console(width=stdout_width(), highlight=False, markup=False).print(table)

"""The pages' HTML. Values in, text out; everything foreign is escaped here."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from html import escape as html_escape
from importlib.resources import files

from mtref.ladder.faultlist import FaultLine
from mtref.ladder.intervals import Estimate
from mtref.ladder.records import GameRecord, NotPlayed
from mtref.ladder.site.charts import interval, over_time
from mtref.ladder.standings import Cell, Row, Standings
from mtref.text import escape, plural

__all__ = ["bot_page", "crosstable", "front_page", "page", "standings_table"]

Points = Sequence[tuple[int, float, float | None]]

_STRONG, _MIDDLE = 3.0, 2.0

_CROSSTABLE_NOTE = (
    "Mean difference of the scores when both sat at one table; minus means the bot of the row left fewer pips."
    " Coloured where the interval leaves out zero. Small: the interval, and the number of games."
)


def page(title: str, body: str) -> str:
    """A whole page. It loads nothing and runs nothing, and its own policy says so."""
    style = (files("mtref.ladder.site") / "style.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">\n'
        f"<style>{style}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def front_page(
    name: str, facts: Sequence[str], table: Standings, cells: Mapping[tuple[str, str], Cell]
) -> str:
    """Standings and crosstable."""
    notes = [
        "Score: pips a game above (+) or below (-) the mean of the table; low is good.",
        "Rating: 400 points are odds of 10 to 1 to finish before another bot; 0 is the mean of the bots listed together.",
        "± is a 95 % interval in which each deal, with all games played on it, is one observation.",
    ]
    order = [row.bot for row in table.rows]
    body = [
        f"<h1>{_text(name)}</h1>",
        *(f'<p class="soft">{_text(fact)}</p>' for fact in facts),
        f"<h2>Standings</h2>{standings_table(table)}",
        f'<p class="soft">{" ".join(map(_text, notes))}</p>',
        f"<h2>Against each other</h2>{crosstable(order, cells)}",
        f'<p class="soft">{_CROSSTABLE_NOTE}</p>',
    ]
    return page(name, "\n".join(body))


def standings_table(table: Standings) -> str:
    """The standings, with each interval drawn on one scale."""
    heads = (
        "",
        "bot",
        "games",
        "mean place",
        "score",
        "",
        "rating",
        "wins",
        "forfeits",
        "faults",
        "ms a move",
    )
    low = min((row.relative.mean - (row.relative.half or 0) for row in table.rows), default=0.0)
    high = max((row.relative.mean + (row.relative.half or 0) for row in table.rows), default=0.0)
    lines = ["<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    group = 1
    for row in table.rows:
        if row.group != group:
            group = row.group
            lines.append(
                f'<tr><td class="group" colspan="{len(heads)}">not comparable with those above: they never met</td></tr>'
            )
        lines.append(_row(row, low, high))
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def _row(row: Row, low: float, high: float) -> str:
    drawn = interval(
        row.relative.mean, row.relative.half, low, high, _text(f"{row.bot}: {_shown(row.relative)}")
    )
    half = "?" if row.rating.half is None else f"{row.rating.half:.0f}"
    faults = ", ".join(f"{kind} {count}" for kind, count in row.faults.items()) or "-"
    a_move = 1000 * row.seconds / row.decisions if row.decisions else 0.0
    cells = (
        str(row.place),
        f'<a href="bots/{_text(row.bot)}.html">{_text(row.bot)}</a>',
        str(row.games),
        f"{row.mean_place:.2f}",
        _shown(row.relative),
        drawn,
        f"{row.rating.points:+.0f} ± {half}",
        f"{row.wins} ({row.wins / row.games:.0%})",
        str(row.forfeits),
        _text(faults),
        f"{a_move:.1f}",
    )
    texts = {1: ' class="text"', 9: ' class="text"'}
    return "<tr>" + "".join(f"<td{texts.get(n, '')}>{cell}</td>" for n, cell in enumerate(cells)) + "</tr>"


def crosstable(order: Sequence[str], cells: Mapping[tuple[str, str], Cell]) -> str:
    """Each bot against each, as a heat map."""
    lines = ["<tr><th></th>" + "".join(f"<th>{_text(bot)}</th>" for bot in order) + "</tr>"]
    for one in order:
        row = [f'<td class="text">{_text(one)}</td>']
        for two in order:
            cell = cells.get((one, two))
            row.append("<td>-</td>" if cell is None else _heat(cell.difference))
        lines.append(f"<tr>{''.join(row)}</tr>")
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def _heat(found: Estimate) -> str:
    """A cell, the darker the further its mean is from zero in halves of its interval."""
    shade = ""
    if found.half and found.significant:
        far = abs(found.mean) / found.half
        shade = ("g" if found.mean < 0 else "b") + str(3 if far > _STRONG else 2 if far > _MIDDLE else 1)
    half = "?" if found.half is None else f"{found.half:.1f}"
    return f'<td class="{shade}">{found.mean:+.1f} <small>± {half}, {found.games}</small></td>'


def bot_page(
    row: Row,
    points: Points,
    games: Sequence[GameRecord],
    replays: Mapping[str, str],
    faults: Sequence[FaultLine],
    unplayed: Sequence[NotPlayed],
) -> str:
    """One bot: its figures, its rating over time, what went wrong, its games. `replays` maps a game to its page."""
    body = [
        '<p><a href="../index.html">All bots</a></p>',
        f"<h1>{_text(row.bot)}</h1>",
        f"<p>Place {row.place} of its group, {plural(row.games, 'game')}, {plural(row.wins, 'win')}, {plural(row.forfeits, 'forfeit')}.</p>",
        f"<p>Score against the mean of its tables: {_shown(row.relative)} pips a game.</p>",
    ]
    if len(points) > 1:
        body.append(
            "<h2>Rating over time</h2>" + over_time(points, _text(f"rating of {row.bot} after so many deals"))
        )
    body.append("<h2>What went wrong</h2>")
    body += [
        f"<pre>deal {fault.deal}, seat {fault.seat}: {_text(fault.kind)}, {_text(fault.done)}: {_text(fault.message)}</pre>"
        for fault in faults
    ]
    body += [f"<pre>deal {game.deal}, not played: {_lines(game.reason)}</pre>" for game in unplayed]
    if not faults and not unplayed:
        body.append("<p>Nothing.</p>")
    lines = ["<tr><th>deal</th><th>place</th><th>score</th><th class='text'>table</th><th></th></tr>"]
    for game in games:
        seat = next(seat for seat in game.seats if seat.bot == row.bot)
        mean = sum(other.counted for other in game.seats) / len(game.seats)
        table = ", ".join(f"{other.bot} {other.total}" for other in game.seats)
        link = f'<a href="../{replays[game.id]}">watch</a>' if game.id in replays else ""
        place = f"{seat.place}{' (forfeited)' if seat.forfeited else ''}"
        cells = f"<td>{place}</td><td>{seat.counted - mean:+.1f}</td><td class='text'>{_text(table)}</td><td>{link}</td>"
        lines.append(f"<tr><td>{game.deal}</td>{cells}</tr>")
    body.append(f'<h2>Games</h2><div class="scroll"><table>{"".join(lines)}</table></div>')
    return page(row.bot, "\n".join(body))


def _shown(found: Estimate) -> str:
    return f"{found.mean:+.1f} ± " + ("?" if found.half is None else f"{found.half:.1f}")


def _text(text: str) -> str:
    """Foreign text, harmless in a page and on a screen."""
    return html_escape(escape(text, 500), quote=True)


def _lines(text: str) -> str:
    return "\n".join(map(_text, text.splitlines()))

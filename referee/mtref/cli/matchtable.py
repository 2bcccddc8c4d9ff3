"""The result of a match as a table for people. The figures come from `mtref.match.result`; nothing is computed here."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from mtref.cli.matchreport import report_lines
from mtref.match.result import BotResult, GameResult, MatchResult, SeatResult
from mtref.match.times import Times
from mtref.text import escape, plural

__all__ = ["print_result"]

_PIPE_WIDTH = 400
"""Columns when nobody is looking."""

_NAME_LIMIT = 32

_ROUNDS = "rounds"
_TIMES = ("median", "p95", "max")


def print_result(result: MatchResult) -> None:
    """Print a match on stdout: one game round by round, several games as a summary."""
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    if result.options.games == 1:
        game = result.games[0]
        tables = [
            _game_table(result, game, apart=True, gap=2),
            _game_table(result, game, apart=True, gap=1),
            _game_table(result, game, apart=False, gap=1),
        ]
    else:
        tables = [_summary_table(result, gap=2), _summary_table(result, gap=1)]
    console.print(next((table for table in tables if _fits(console, table)), tables[-1]))
    console.print(Text(_footer(result)), soft_wrap=True)
    for line in report_lines(result):
        console.print(Text(line), soft_wrap=True)


def _fits(console: Console, table: Table) -> bool:
    roomy = console.options.update(width=_PIPE_WIDTH)
    return Measurement.get(console, roomy, table).maximum <= console.width


def _table(gap: int, numbers: Sequence[str], bot: str, *rest: str) -> Table:
    """An empty table: columns of numbers, one for the bot's name, columns of numbers, one for faults, with gaps between.

    Only names, faults and lists may be folded when there is no room; numbers never are.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, gap - 1, 0, 0))
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(bot, overflow="fold", min_width=8)
    for heading in rest:
        if heading == _ROUNDS:
            table.add_column(heading, overflow="fold", min_width=12)
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("faults", overflow="fold")
    return table


def _game_table(result: MatchResult, game: GameResult, *, apart: bool, gap: int) -> Table:
    """The seats by place; the scores of the rounds each in its column, or all in one where there is no room."""
    rounds = [str(number) for number in range(1, game.rounds + 1)] if apart else [_ROUNDS]
    table = _table(gap, ["place", "seat"], "bot", *rounds, "total", "decisions", *_TIMES)
    for number, seat in sorted(enumerate(game.seats), key=lambda item: (item[1].place, item[0])):
        bot = result.bots[seat.bot]
        scores = [str(score) for score in seat.scores] if apart else [" ".join(map(str, seat.scores))]
        table.add_row(
            str(seat.place),
            str(number),
            Text(escape(bot.name, _NAME_LIMIT)),
            *scores,
            str(seat.total),
            str(seat.decisions),
            *_times(seat.times_ms),
            _faults(seat),
        )
    return table


def _summary_table(result: MatchResult, *, gap: int) -> Table:
    """The bots by mean score."""
    table = _table(gap, ["#"], "bot", "score", "behind", "wins", "place", "decisions", *_TIMES)
    ranking = sorted(range(len(result.bots)), key=lambda index: result.bots[index].mean_counted)
    for index in ranking:
        bot = result.bots[index]
        table.add_row(
            str(index + 1),
            Text(escape(bot.name, _NAME_LIMIT)),
            f"{bot.mean_counted:.1f}",
            _behind(result, index, ranking[0]),
            str(bot.wins),
            f"{bot.mean_place:.2f}",
            str(bot.decisions),
            *_times(bot.times_ms),
            _faults(bot),
        )
    return table


def _behind(result: MatchResult, bot: int, first: int) -> str:
    """By how many points a game a bot is behind the first, with the error bar."""
    if bot == first:
        return "-"
    pairs = {frozenset((margin.bot, margin.other)): margin for margin in result.margins}
    margin = pairs[frozenset((bot, first))]
    return str(margin if margin.bot == bot else margin.reversed)


def _times(times: Times) -> list[str]:
    return [
        f"{value:.2f}" if value < 100 else f"{value:.0f}" for value in (times.median, times.p95, times.max)
    ]


def _faults(of: SeatResult | BotResult) -> str:
    parts = [f"{kind} {count}" for kind, count in of.faults.items()]
    forfeits = of.forfeited if isinstance(of, SeatResult) else of.forfeits
    if forfeits:
        parts.append("forfeited" if isinstance(of, SeatResult) else f"forfeits {forfeits}")
    return ", ".join(parts) or "-"


def _footer(result: MatchResult) -> str:
    options = result.options
    first = result.games[0]
    games = f"{plural(len(result.games), 'game')} of " if options.games > 1 else ""
    parts = [
        f"{options.rules.name}, {games}{plural(first.rounds, 'round')}, {result.transport}, {result.facts.seconds:.1f} s"
    ]
    if options.games > 1:
        parts.append(f"means a game; behind: 95 % interval over {plural(result.margins[0].deals, 'deal')}")
    else:
        parts.append(f"game {first.game}, digest {first.digest[:16]}")
    if options.seed is not None:
        parts.append(f"seed {escape(options.seed, 60)!r}")
    logs = [game.log for game in result.games if game.log]
    if logs:
        parts.append(f"log {escape(logs[0], 200)}" + (f" and {len(logs) - 1} more" if len(logs) > 1 else ""))
    return " · ".join([*parts, "times in ms"])

"""The result of a match as a table for people. The figures come from `mtref.match.result`; nothing is computed here."""

from __future__ import annotations

import sys

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mtref.match.result import BotResult, GameResult, MatchResult, SeatResult, Times
from mtref.text import escape

__all__ = ["print_result"]

_PIPE_WIDTH = 400
"""Columns when nobody is looking."""

_NAME_LIMIT = 32


def print_result(result: MatchResult) -> None:
    """Print a match on stdout: one game round by round, several games as a summary."""
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    if len(result.games) == 1:
        game = result.games[0]
        console.print(_game_table(result, game, console.width))
    else:
        console.print(_summary_table(result))
    console.print(Text(_footer(result)), soft_wrap=True)


def _game_table(result: MatchResult, game: GameResult, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    apart = width >= 75 + 5 * game.rounds
    for heading in ("place", "seat"):
        table.add_column(heading, justify="right")
    table.add_column("bot", overflow="fold")
    if apart:
        for number in range(1, game.rounds + 1):
            table.add_column(str(number), justify="right", min_width=3)
    else:
        table.add_column("rounds", overflow="fold")
    for heading in ("total", "decisions", "median ms", "p95", "max"):
        table.add_column(heading, justify="right")
    table.add_column("faults")
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


def _summary_table(result: MatchResult) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("bot", overflow="fold")
    headings = ("games", "mean score", "behind", "wins", "mean place", "decisions", "median ms", "p95", "max")
    for heading in headings:
        table.add_column(heading, justify="right")
    table.add_column("faults")
    ranking = sorted(range(len(result.bots)), key=lambda index: result.bots[index].mean_counted)
    for index in ranking:
        bot = result.bots[index]
        table.add_row(
            str(index + 1),
            Text(escape(bot.name, _NAME_LIMIT)),
            str(bot.games),
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
    parts = [f"{options.rules.name}, {first.rounds} rounds, {result.transport}, {result.seconds:.1f} s"]
    if len(result.games) > 1:
        parts.append(f"behind: points a game, 95 % interval over {result.margins[0].deals} deals")
    else:
        parts.append(f"game {first.game}, digest {first.digest[:16]}")
    if options.seed is not None:
        parts.append(f"seed {escape(options.seed, 60)!r}")
    logs = [game.log for game in result.games if game.log]
    if logs:
        parts.append(f"log {escape(logs[0], 200)}" + (f" and {len(logs) - 1} more" if len(logs) > 1 else ""))
    return " · ".join(parts)

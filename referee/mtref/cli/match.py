"""``mtref match``: plays games between bots and prints the result. Parsing and calling only; see `mtref.match`."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Sequence

import click

from mtref.cli.options import rules_options
from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry, parse_entry
from mtref.match.fault import POLICIES
from mtref.match.logs import LogPlace
from mtref.match.options import MAX_TABLES, MatchOptions
from mtref.match.result import MatchResult
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

__all__ = ["command"]


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.5 on
    """A time: seconds (``0.5``, ``2s``) or milliseconds (``500ms``), given on as milliseconds."""

    name = "TIME"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The milliseconds of a text; numbers are milliseconds already."""
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip()
        for unit, factor in (("ms", 1.0), ("s", 1000.0), ("", 1000.0)):
            if text.endswith(unit):
                with contextlib.suppress(ValueError):
                    amount = float(text.removesuffix(unit)) * factor
                    if 0 <= amount < 1e9:
                        return amount
                break
        return self.fail(
            f"{text!r} is no time; write seconds such as 0.5 or milliseconds such as 500ms", param, ctx
        )


_CLOCK = ClockSettings()


def _duration(flag: str, default: float, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    shown = f"{default / 1000:g} s"
    return click.option(
        flag, type=Duration(), default=default, metavar="TIME", help=f"{text} [default: {shown}]"
    )


@click.command("match", short_help="Play games between bots.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@rules_options
@click.option(
    "--games", type=click.IntRange(min=1), default=1, metavar="N", help="Play deals 1 to N. [default: 1]"
)
@click.option("--seed", metavar="TEXT", help="Make everything repeatable. [default: a fresh secret seed]")
@click.option("--log", "log", metavar="FILE|DIR", help="Record the game, or each game in a directory.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress; just the result.")
@click.option("--verbose", is_flag=True, help="Say on stderr what happens: starts, ends, faults.")
@_duration("--move-time", _CLOCK.move_ms, "Time for a move, free every time.")
@_duration("--bank", _CLOCK.bank_ms, "Time beyond that for the whole game.")
@_duration("--increment", _CLOCK.increment_ms, "What every round but the first adds to the bank.")
@_duration("--margin", _CLOCK.margin_ms, "Granted for transport on top of both.")
@_duration("--start-limit", _CLOCK.startup_ms, "How long a bot may take to get ready.")
@click.option("--no-clock", is_flag=True, help="Wait for every move as long as it takes.")
@click.option(
    "--in-process", is_flag=True, help="Load the bots' files into this process: trusted bots only, no clock."
)
@click.option("--skip-forced", is_flag=True, help="Do not ask a bot that has one legal move only.")
@click.option(
    "--tables",
    type=click.IntRange(1, MAX_TABLES),
    default=1,
    metavar="N",
    help="Play N games side by side over the same processes. [default: 1, with fresh processes for each game]",
)
@click.option(
    "--faults",
    type=click.Choice(list(POLICIES)),
    default="lenient",
    help="lenient: forfeit at the third strike or a crash; strict: at the first fault, and exit 1. [default: lenient]",
)
def command(
    bots: Sequence[str],
    *,
    rules: RuleSet,
    games: int,
    seed: str | None,
    log: str | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    move_time: float,
    bank: float,
    increment: float,
    margin: float,
    start_limit: float,
    no_clock: bool,
    in_process: bool,
    skip_forced: bool,
    tables: int,
    faults: str,
) -> None:
    """Play games between two to ten bots, each in a process of its own, and print the result.

    A BOT is a Python file that uses mtref_sdk (bots/greedy.py), any command in quotes ("node bot.js"), or either with a
    name in front (OLD=bots/greedy.py). The same one may be given several times. docs/match.md tells everything.
    """
    entries = [parse_entry(text) for text in bots]
    if len(entries) < 2:
        raise ConfigError("needs at least two; the same bot may be given twice", key="BOT")
    rules.hand_size(len(entries))
    options = MatchOptions(
        rules=rules,
        games=games,
        seed=seed,
        clock=ClockSettings(
            move_ms=move_time,
            bank_ms=bank,
            increment_ms=increment,
            margin_ms=margin,
            startup_ms=start_limit,
            enabled=not (no_clock or in_process),
        ),
        tables=tables,
        policy=POLICIES[faults],
        skip_forced=skip_forced,
    )
    result = _play(
        options, entries, LogPlace(log, games), in_process=in_process, quiet=quiet or as_json, verbose=verbose
    )
    if as_json:
        click.echo(json.dumps(result.to_dict()))
    else:
        from mtref.cli.matchtable import print_result  # noqa: PLC0415 - rich is not needed before

        print_result(result)
    if faults == "strict" and any(bot.forfeits for bot in result.bots):
        raise SystemExit(1)


def _play(
    options: MatchOptions,
    entries: Sequence[Entry],
    logs: LogPlace,
    *,
    in_process: bool,
    quiet: bool,
    verbose: bool,
) -> MatchResult:
    from mtref.cli.matchprogress import watching  # noqa: PLC0415 - rich and structlog are not needed for --help

    with watching(options, quiet=quiet, verbose=verbose) as watch:
        if in_process:
            from mtref.match.inprocess import play_in_process  # noqa: PLC0415 - nor are bots

            with contextlib.redirect_stdout(sys.stderr):  # what bots print is no result
                return play_in_process(options, entries, logs, time.perf_counter, watch.record, watch.game)

        from mtref.server.interrupt import Interrupted, run_until_signal  # noqa: PLC0415 - nor grpc
        from mtref.server.runner import play_match  # noqa: PLC0415

        try:
            return run_until_signal(play_match(options, entries, logs, watch.record, watch.game, watch.note))
        except Interrupted as end:
            raise SystemExit(128 + end.number) from None

"""The options that every command has which plays games: rules, deals, clock, faults, output. Parsing only."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import click

from mtref.cli.given import refuse
from mtref.cli.options import DEFAULT_RULES, rules_options
from mtref.match.clock import ClockSettings
from mtref.match.fault import POLICIES
from mtref.match.options import MatchOptions
from mtref_sdk.ruleset import RuleSet, preset

__all__ = ["CLOCK_OPTIONS", "Duration", "Shown", "match_options", "play_options", "refuse_for_processes"]

_Returned = TypeVar("_Returned")
_CLOCK = ClockSettings()

CLOCK_OPTIONS = ("move_time", "bank", "increment", "margin")
"""The parameters that mean nothing where no clock runs."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be printed and recorded. ``log`` is what ``--log`` says."""

    log: str | None
    as_json: bool
    quiet: bool
    verbose: bool


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.5 on
    """A time: seconds (``0.5``, ``2s``) or milliseconds (``500ms``), given on as milliseconds; 0 if `zero_allowed`."""

    name = "TIME"

    def __init__(self, *, zero_allowed: bool = True) -> None:
        self._zero_allowed = zero_allowed

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The milliseconds of a text; numbers are milliseconds already."""
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip()
        for unit, factor in (("ms", 1.0), ("s", 1000.0), ("", 1000.0)):
            if text.endswith(unit):
                with contextlib.suppress(ValueError):
                    amount = float(text.removesuffix(unit)) * factor
                    if 0 < amount < 1e9 or (amount == 0 and self._zero_allowed):
                        return amount
                    if amount == 0:
                        return self.fail("must be more than 0, such as 0.5 or 500ms", param, ctx)
                break
        return self.fail(
            f"{text!r} is no time; write seconds such as 0.5 or milliseconds such as 500ms", param, ctx
        )


def _duration(
    flag: str, default: float, text: str, *, zero_allowed: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    shown = f"{default / 1000:g} s"
    kind = Duration(zero_allowed=zero_allowed)
    return click.option(flag, type=kind, default=default, metavar="TIME", help=f"{text} [default: {shown}]")


_DEALS = (
    rules_options,
    click.option(
        "--games",
        type=click.IntRange(1, 100_000),
        default=1,
        metavar="N",
        help="Play deals 1 to N. [default: one a table]",
    ),
    click.option("--seed", metavar="TEXT", help="Make everything repeatable. [default: a fresh secret seed]"),
)
_PLAY = (
    click.option("--log", metavar="FILE|DIR", help="Record the game, or each game in a directory."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
    click.option("--quiet", is_flag=True, help="No progress; just the result."),
    click.option("--verbose", is_flag=True, help="Say on stderr what happens: starts, ends, faults."),
    _duration("--move-time", _CLOCK.move_ms, "Time for a move, free every time."),
    _duration("--bank", _CLOCK.bank_ms, "Time beyond that for the whole game."),
    _duration("--increment", _CLOCK.increment_ms, "What every round but the first adds to the bank."),
    _duration("--margin", _CLOCK.margin_ms, "Granted for transport on top of both."),
    _duration(
        "--start-limit", _CLOCK.startup_ms, "How long a bot may take to get ready.", zero_allowed=False
    ),
    click.option("--no-clock", is_flag=True, help="Wait for every move as long as it takes."),
    click.option("--skip-forced", is_flag=True, help="Do not ask a bot that has one legal move only."),
    click.option(
        "--faults",
        type=click.Choice(list(POLICIES)),
        default="lenient",
        help="lenient: forfeit at the third strike or a crash; strict: at the first fault, and exit 1. "
        "[default: lenient]",
    ),
)


def match_options(function: Callable[..., _Returned]) -> Callable[..., _Returned]:
    """Give a command these options; it is called with ``options`` (`MatchOptions`, of one table) and ``shown`` (`Shown`)."""

    @functools.wraps(function)
    def parsed(
        *args: Any, options: MatchOptions, rules: RuleSet, games: int, seed: str | None, **kwargs: Any
    ) -> _Returned:
        return function(*args, options=replace(options, rules=rules, games=games, seed=seed), **kwargs)

    return _with(_DEALS, play_options(parsed))


def play_options(function: Callable[..., _Returned]) -> Callable[..., _Returned]:
    """The same without those that say what is played: the rules are the usual ones, and it is one game without a seed."""

    @functools.wraps(function)
    def parsed(
        *args: Any,
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
        skip_forced: bool,
        faults: str,
        **kwargs: Any,
    ) -> _Returned:
        if no_clock:
            refuse(*CLOCK_OPTIONS, beside="--no-clock", because="there is no clock then")
        clock = ClockSettings(
            move_ms=move_time,
            bank_ms=bank,
            increment_ms=increment,
            margin_ms=margin,
            startup_ms=start_limit,
            enabled=not no_clock,
        )
        options = MatchOptions(
            rules=preset(DEFAULT_RULES), clock=clock, policy=POLICIES[faults], skip_forced=skip_forced
        )
        return function(*args, options=options, shown=Shown(log, as_json, quiet, verbose), **kwargs)

    return _with(_PLAY, parsed)


def refuse_for_processes() -> None:
    """Raise UsageError if an option was given that means nothing with ``--in-process``."""
    refuse(*CLOCK_OPTIONS, "start_limit", beside="--in-process", because="there is no clock then")
    refuse("bot_memory", "bot_processes", beside="--in-process", because="bots are no processes then")


def _with(
    options: Sequence[Callable[[Callable[..., Any]], Callable[..., Any]]], function: Callable[..., _Returned]
) -> Callable[..., _Returned]:
    command = function
    for option in reversed(options):
        command = option(command)
    return command

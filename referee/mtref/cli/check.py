"""``mtref check``: runs one bot through numbered steps and says for each whether it went well."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from mtref.cli.matchoptions import Duration
from mtref.cli.matchrun import isolated
from mtref.cli.options import override_option, resolve_rules
from mtref.cli.sandboxoptions import sandbox_options
from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry, parse_entry
from mtref.server.sandbox.levels import Limits
from mtref.text import plural
from mtref_sdk.ruleset import RuleSet

if TYPE_CHECKING:
    from mtref.server.checkup import Step
    from mtref.server.isolation import Isolation

__all__ = ["command"]

_PRESETS = ("playboard", "dominos-cc", "online-table", "cubano", "traditional")


@click.command("check", short_help="Find out whether a bot is fit to play.")
@click.argument("bot")
@click.option(
    "--rules",
    "names",
    multiple=True,
    metavar="NAME|FILE",
    help="A rule set it claims to play; may be repeated. [default: the five main ones]",
)
@override_option
@click.option(
    "--move-time",
    type=Duration(zero_allowed=False),
    default=1000.0,
    metavar="TIME",
    help="Time for a move. [default: 1 s]",
)
@click.option(
    "--start-limit",
    type=Duration(zero_allowed=False),
    default=30_000.0,
    metavar="TIME",
    help="To get ready. [default: 30 s]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@sandbox_options
def command(
    bot: str,
    *,
    names: Sequence[str],
    overrides: Mapping[str, str],
    move_time: float,
    start_limit: float,
    as_json: bool,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
) -> int:
    """Start BOT, let it play a short game of every rule set it claims, start it again, and look at its times, its memory and what
    it leaves behind. BOT is given as to `mtref match`.

    For each step `passed` is printed, or what the bot did and said. Exit code 1 when a step failed.
    """
    entry = parse_entry(bot)
    rules = [resolve_rules(name, overrides) for name in names or _PRESETS]
    clock = replace(ClockSettings(), move_ms=move_time, startup_ms=start_limit)
    with isolated(sandbox, sandbox_require, limits) as isolation:
        line = str(isolation.facts()["line"])
        if not as_json:
            click.echo(line)
        steps = asyncio.run(_steps(entry, rules, clock, isolation, quiet=as_json))
    failed = sum(not step.passed for step in steps)
    if as_json:
        click.echo(
            json.dumps({"sandbox": line, "steps": [asdict(step) for step in steps], "passed": not failed})
        )
    else:
        click.echo("fit to play" if not failed else f"{failed} of {plural(len(steps), 'step')} failed")
    return int(failed > 0)


async def _steps(
    entry: Entry, rules: Sequence[RuleSet], clock: ClockSettings, isolation: Isolation, *, quiet: bool
) -> list[Step]:
    from mtref.server.checkup import check_bot  # noqa: PLC0415 - slow to import

    steps: list[Step] = []
    async for step in check_bot(entry, rules, clock, isolation):
        steps.append(step)
        if not quiet:
            click.echo(f"{len(steps):2}. {step.name}: {'passed' if step.passed else 'FAILED'}: {step.found}")
            for line in step.output:
                click.echo(f"      | {line}")
    return steps

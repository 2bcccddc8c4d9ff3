"""``mtref drill``: shows that villains cannot spoil a match on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import click

from mtref.cli.matchrun import isolated
from mtref.cli.options import rules_options
from mtref.cli.sandboxoptions import sandbox_options
from mtref.server.sandbox.levels import Limits
from mtref.text import escape
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

__all__ = ["command"]


@click.command("drill", short_help="Play honest bots against the shipped villains.")
@click.argument("names", nargs=-1, metavar="[VILLAIN...]")
@rules_options
@click.option("--seed", metavar="TEXT", default="drill", show_default=True, help="The deals.")
@click.option("--list", "only_list", is_flag=True, help="Print the names of the villains.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@sandbox_options
def command(
    names: Sequence[str],
    *,
    rules: RuleSet,
    seed: str,
    only_list: bool,
    as_json: bool,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
) -> int:
    """Let an honest bot play against each villain, or those named, and against what should come of it.

    The game must be the control game event by event, the honest bot must be charged with nothing, the villain with what it
    did, and nothing may be left running. Exit code 1 when one of these fails.
    """
    from mtref.server.drill import VILLAINS, drill  # noqa: PLC0415 - imports grpc

    if only_list:
        for name, villain in VILLAINS.items():
            click.echo(f"{escape(name):24} {' '.join(villain.argv)}")
        return 0
    for name in names:
        if name not in VILLAINS:
            raise ConfigError("no such villain; see mtref drill --list", key=escape(name, 60))
    failed = 0
    reports: list[dict[str, object]] = []
    with isolated(sandbox, sandbox_require, limits) as isolation:
        line = str(isolation.facts()["line"])
        if not as_json:
            click.echo(line)
        for name in names or VILLAINS:
            done = asyncio.run(drill(VILLAINS[name], rules, seed, isolation))
            failed += bool(done.problems)
            reports.append(
                {"villain": name, "faults": done.faults, "problems": done.problems, "seconds": done.seconds}
            )
            if not as_json:
                charged = ", ".join(f"{kind} {count}" for kind, count in done.faults.items())
                verdict = "; ".join(done.problems) or "nobody noticed"
                click.echo(
                    f"{'FAILED' if done.problems else 'passed'}  {escape(name):24} {charged or '-'}: {verdict}"
                )
    if as_json:
        click.echo(json.dumps({"sandbox": line, "drilled": reports, "failed": failed}))
    else:
        click.echo(f"{len(reports)} villains, {failed} of them made a difference")
    return int(failed > 0)

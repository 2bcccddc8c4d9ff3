"""``mtref sandbox check``: what isolation works on this machine, found out by running a canary at every level."""

from __future__ import annotations

import json

import click

from mtref.cli.sandboxoptions import memory_option
from mtref.server.sandbox.levels import Level, Limits

__all__ = ["command"]


@click.group()
def command() -> None:
    """Find out how far bots can be isolated on this machine."""


@command.command(short_help="Say what bots could do at each level of isolation.")
@memory_option
@click.option(
    "--require",
    type=click.Choice([str(level) for level in reversed(Level)]),
    help="Exit with 1 if this level, or a stronger one, does not work.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(bot_memory: int, require: str | None, *, as_json: bool) -> int:
    """Run a harmless program at every level and print what it could and could not do.

    docs/isolation.md says what each level stops. Exit code 1 when --require is not met.
    """
    from mtref.server.sandbox.report import examine  # noqa: PLC0415 - imports what starts processes

    report = examine(Limits(memory=bot_memory))
    click.echo(json.dumps(report.to_mapping()) if as_json else report.text())
    return int(require is not None and report.strongest.strength < Level(require).strength)

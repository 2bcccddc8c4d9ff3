"""``mtref submit``: hands a bot in to a ladder."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mtref.cli.ladderfile import beginning, ladder_option
from mtref.text import escape

if TYPE_CHECKING:
    from mtref.server.checkup import Step

__all__ = ["command"]


@click.command("submit", short_help="Hand a bot in to a ladder.")
@click.argument("bot", type=click.Path(path_type=Path))
@click.option(
    "--name",
    metavar="NAME",
    help="What it is called. [default: what its mtref-bot.yaml says, or the file's name]",
)
@click.option("--author", metavar="NAME", help="Who wrote it.")
@ladder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(bot: Path, *, name: str | None, author: str | None, ladder: Path, as_json: bool) -> None:
    """Hand in BOT, a Python file, a folder, or a .zip or .tar archive (.gz, .xz, .zst), as a new version of the bot of its name.

    It is copied, goes through the steps of `mtref check` in the ladder's sandbox, and plays a game. Then it is entered, and plays
    when the ladder is run next, or at once if it runs. See docs/ladder.md, "Submitting".
    """
    from mtref.ladder.submit.admission import admit, default_name  # noqa: PLC0415 - imports grpc
    from mtref.ladder.submit.source import read_bot  # noqa: PLC0415

    steps: list[Step] = []

    def tell(step: Step) -> None:
        steps.append(step)
        if not as_json:
            click.echo(
                f"{len(steps):2}. {step.name}: {'passed' if step.passed else 'FAILED'}: {escape(step.found, 500)}"
            )
            for line in step.output:
                click.echo(f"      | {escape(line, 300)}")

    with beginning(ladder) as (config, journal):
        files = read_bot(bot, config.submissions.limits)
        admitted = asyncio.run(
            admit(config, journal, files, name, author, tell, default_name(bot.absolute().name))
        )
    if as_json:
        click.echo(json.dumps({**asdict(admitted), "steps": [asdict(step) for step in steps]}))
    elif admitted.already:
        click.echo(f"{admitted.label} is this bot already, to the last byte; nothing was entered")
    else:
        click.echo(f"entered as {admitted.label} (content {admitted.content[:12]})")

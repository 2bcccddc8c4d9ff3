"""``mtref submit``: hands a bot in to a ladder, here or elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mtref.cli.given import given, refuse
from mtref.cli.ladderfile import beginning, ladder_option
from mtref.cli.remoteoptions import remote_options
from mtref.ladder.submit.limits import RefusedError
from mtref.text import escape
from mtref_sdk.errors import ConfigError, MtrefError

if TYPE_CHECKING:
    from mtref.portal.client import LadderClient
    from mtref.server.checkup import Step

__all__ = ["command"]


@click.command("submit", short_help="Hand a bot in to a ladder.")
@click.argument("bot", type=click.Path(path_type=Path))
@click.option(
    "--name",
    metavar="NAME",
    help="What it is called. [default: what its mtref-bot.yaml says, or the file's name]",
)
@click.option("--author", metavar="NAME", help="Who wrote it. Elsewhere the token says that.")
@ladder_option
@click.option(
    "--to", "address", metavar="HOST:PORT", help="A ladder that is served there, instead of one here."
)
@remote_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    bot: Path,
    *,
    name: str | None,
    author: str | None,
    ladder: Path,
    address: str | None,
    dial: Callable[[str], LadderClient],
    as_json: bool,
) -> None:
    """Hand in BOT, a Python file, a folder, or a .zip or .tar archive (.gz, .xz, .zst), as a new version of the bot of its name.

    It is copied, goes through the steps of `mtref check` in the ladder's sandbox, and plays a game. Then it is entered, and plays
    when the ladder is run next, or at once if it runs. See docs/ladder.md, "Submitting".
    """
    steps: list[dict[str, Any]] = []

    def tell(step: dict[str, Any]) -> None:
        steps.append(step)
        if not as_json:
            word = "passed" if step["passed"] else "FAILED"
            click.echo(f"{len(steps):2}. {escape(step['name'], 80)}: {word}: {escape(step['found'], 500)}")
            for line in step["output"]:
                click.echo(f"      | {escape(line, 300)}")

    if address is not None:
        refuse("author", beside="--to", because="elsewhere the token says whose bot it is")
        refuse("ladder", beside="--to", because="that ladder has a file of its own")
    elif options := given("ca", "token_file", "insecure"):
        raise click.UsageError(f"{options[0]} goes only with --to")
    if author is not None and (not author.strip() or escape(author, 1000) != author):
        raise ConfigError("must be a text that can be printed, and not empty", key="--author")
    try:
        if address is None:
            admitted = _here(bot, name, author, ladder, tell)
        else:
            admitted = _elsewhere(dial(address), bot, name, tell)
    except RefusedError as error:
        error.steps = steps  # which a program is told, too
        raise
    label = escape(admitted["label"], 80)
    if as_json:
        click.echo(json.dumps({**admitted, "steps": steps}))
    elif admitted["already"]:
        click.echo(f"{label} is this bot already, to the last byte; nothing was entered")
    else:
        click.echo(f"entered as {label} (content {escape(admitted['content'][:12])})")


Tell = Callable[[dict[str, Any]], None]


def _here(bot: Path, name: str | None, author: str | None, ladder: Path, tell: Tell) -> dict[str, Any]:
    """Hand it in to a ladder on this machine."""
    from mtref.ladder.submit.admission import admit, default_name  # noqa: PLC0415 - slow to import
    from mtref.ladder.submit.source import read_bot  # noqa: PLC0415

    def told(step: Step) -> None:
        tell(asdict(step))

    with beginning(ladder) as (config, journal):
        files = read_bot(bot, config.submissions.limits)
        called = default_name(bot.absolute().name)
        return asdict(asyncio.run(admit(config, journal, files, name, author, told, called)))


def _elsewhere(client: LadderClient, bot: Path, name: str | None, tell: Tell) -> dict[str, Any]:
    """Send it to a ladder that is served. What would be refused there anyway is refused here."""
    from mtref.ladder.submit.send import to_send  # noqa: PLC0415

    file_name, data = to_send(bot)
    try:
        for answer in client.submit(name or "", file_name, data):
            if "step" in answer:
                tell(answer["step"])
            elif "admitted" in answer:
                found: dict[str, Any] = answer["admitted"]
                return found
            else:
                raise RefusedError(str(answer.get("refused", "refused")).removeprefix("refused: "))
        raise MtrefError("the ladder did not say what became of it; ask: mtref remote versions")
    finally:
        client.close()

"""``mtref remote``: an author asks a ladder that is served elsewhere. Parsing, calling and printing only."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mtref.cli.laddertables import shown_estimate
from mtref.cli.remoteoptions import remote_options
from mtref.ladder.intervals import Estimate
from mtref.text import escape
from mtref_sdk.errors import ConfigError, MtrefError

if TYPE_CHECKING:
    from mtref.portal.client import LadderClient

__all__ = ["command"]

Dial = Callable[[str], "LadderClient"]

_address = click.argument("address", metavar="HOST:PORT")
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


@click.group("remote", short_help="Ask a ladder that is served elsewhere.")
def command() -> None:
    """Ask a ladder that is served elsewhere (`mtref ladder serve`), as one of its authors. To hand a bot in: `mtref submit --to`."""


@command.command("versions")
@_address
@remote_options
@_json
def versions(address: str, *, dial: Dial, as_json: bool) -> None:
    """List your bots, all versions."""
    with _calling(dial, address) as client:
        found = client.versions()
    if as_json:
        click.echo(json.dumps(found))
        return
    for version in found["versions"]:
        state = "" if version["current"] else ", replaced"
        state = f", parked: {version['parked'].partition(chr(10))[0]}" if version["parked"] else state
        click.echo(
            escape(
                f"{version['label']}  {version['content'][:12]}  {version['entered_at']}  {version['games']} games{state}",
                400,
            )
        )
    if not found["versions"]:
        click.echo("no bot of yours is in the ladder")


@command.command("standings")
@_address
@remote_options
@_json
def standings(address: str, *, dial: Dial, as_json: bool) -> None:
    """Print the table."""
    with _calling(dial, address) as client:
        found = client.standings()
    if as_json:
        click.echo(json.dumps(found))
        return
    for row in found["rows"]:
        score = shown_estimate(_estimate(row["score"], row.get("score_half"), row["games"]))
        rating = shown_estimate(_estimate(row["rating"], row.get("rating_half"), row["games"]), 0)
        group = f" (group {row['group']})" if row["group"] > 1 else ""
        click.echo(
            f"{row['place']:3}. {escape(row['bot'], 60):24} {row['games']:6} games  score {score:>14}  rating {rating:>12}{group}"
        )
    if not found["rows"]:
        click.echo("no game has been played yet")


@command.command("head-to-head")
@_address
@click.argument("one", metavar="BOT")
@click.argument("two", metavar="BOT")
@remote_options
@_json
def head_to_head(address: str, one: str, two: str, *, dial: Dial, as_json: bool) -> None:
    """Compare two bots over the games in which they sat at one table."""
    with _calling(dial, address) as client:
        found = client.compare(one, two)
    if as_json:
        click.echo(json.dumps(found))
        return
    names = f"{escape(found['one'], 60)} against {escape(found['two'], 60)}"
    if not found["games"]:
        click.echo(f"{names}: they never met" if found["one"] != found["two"] else "that is the same bot")
        return
    difference = shown_estimate(_estimate(found["difference"], found.get("half"), found["games"]))
    counts = f"before {found['wins']}, level {found['ties']}, after {found['losses']}"
    click.echo(f"{names}: {found['games']} games, {difference} pips a game; {counts}")


@command.command("games")
@_address
@click.argument("bot", default="", metavar="[BOT]")
@click.option(
    "--logs",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also fetch the logs that can be had and are not there yet.",
)
@remote_options
@_json
def games(address: str, bot: str, *, logs: Path | None, dial: Dial, as_json: bool) -> None:
    """List the games of your bots, or of one, and fetch their logs. A deal's logs can be had when its last game is over."""
    with _calling(dial, address) as client:
        found = list(client.games(bot))
        if logs is not None:
            for game in found:
                target = logs / f"{int(game['deal'])}-{_hex(game['id'])[:16]}.jsonl.zst"
                if game["log"] and not target.exists():
                    _keep(target, client.log(game["id"]))
    if as_json:
        click.echo(json.dumps({"games": found}))
        return
    for game in found:
        state = "" if game["log"] else "  (log not yet)"
        click.echo(escape(f"deal {game['deal']}  {game['id'][:16]}  {_table(game)}{state}", 400))
    if not found:
        click.echo("no bot of yours has played yet")


@command.command("unrated")
@_address
@click.argument("bot")
@click.argument("opponents", nargs=-1, metavar="[OPPONENT...]")
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.jsonl.zst",
    help="Where to keep the log.",
)
@remote_options
@_json
def unrated(
    address: str, bot: str, opponents: tuple[str, ...], *, log: Path | None, dial: Dial, as_json: bool
) -> None:
    """Let a bot of yours play a game now that counts nowhere, with bots of the ladder, on a deal of its own."""
    if log is not None and log.exists():
        raise ConfigError("exists already, and a log is never overwritten", where=str(log))
    with _calling(dial, address) as client:
        result, data = client.unrated(bot, list(opponents))
    if log is not None:
        _keep(log, data)
    click.echo(json.dumps(result) if as_json else escape(_table(result), 400))


@contextlib.contextmanager
def _calling(dial: Dial, address: str) -> Iterator[LadderClient]:
    client = dial(address)
    try:
        yield client
    finally:
        client.close()


def _estimate(mean: float, half: float | None, games: int) -> Estimate:
    return Estimate(mean, half, games, 0)


def _table(game: dict[str, Any]) -> str:
    return ", ".join(
        f"{seat['bot']} {seat['total']} (place {seat['place']}{', forfeited' if seat['forfeited'] else ''})"
        for seat in game["seats"]
    )


def _hex(text: str) -> str:
    if not text or set(text) - set("0123456789abcdef"):
        raise MtrefError(f"the ladder sent a strange id: {escape(text, 40)}")
    return text


def _keep(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(data)
    fresh.replace(path)

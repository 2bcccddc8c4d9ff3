"""``mtref verify``: checks recorded games, one line of answer each."""

from __future__ import annotations

import json

import click

from mtref.replay.reader import LogError
from mtref.replay.verify import Verified, verify_log
from mtref.text import escape, plural
from mtref_sdk.errors import ReplayError

__all__ = ["command"]


@click.command("verify", short_help="Check recorded games against the rules and their seeds.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object about all logs.")
def command(logs: tuple[str, ...], *, as_json: bool) -> None:
    """Deal again from the revealed seed, play every move again, and compare all that each LOG says.

    A line for each log; the first line of a log that is wrong is named. Exit 1 if any log fails.
    """
    results: list[dict[str, object]] = []
    for log in logs:
        try:
            found = verify_log(log)
            result, shown = _good(log, found), _line(log, found)
        except ReplayError as error:
            result = _bad(log, error)
            shown = f"FAILED {error}"
        results.append(result)
        if not as_json:
            click.echo(shown)
    fine = all(result["ok"] for result in results)
    if as_json:
        click.echo(json.dumps({"ok": fine, "logs": results}))
    if not fine:
        raise SystemExit(1)


def _good(log: str, found: Verified) -> dict[str, object]:
    return {
        "log": log,
        "ok": True,
        "game": found.game,
        "rounds": found.rounds,
        "decisions": found.decisions,
        "game_digest": found.game_digest,
        "seed_revealed": found.seed_revealed,
        "line": None,
        "error": None,
    }


def _bad(log: str, error: ReplayError) -> dict[str, object]:
    line, reason = (error.line, error.reason) if isinstance(error, LogError) else (None, str(error))
    return {"log": log, "ok": False, "line": line, "error": reason}


def _line(log: str, found: Verified) -> str:
    seed = "" if found.seed_revealed else "; the seed is not revealed, so the commitment is not checked"
    return (
        f"ok {escape(log)}: game {escape(found.game)}, {plural(found.rounds, 'round')}, "
        f"{plural(found.decisions, 'decision')}, digest {found.game_digest[:16]}{seed}"
    )

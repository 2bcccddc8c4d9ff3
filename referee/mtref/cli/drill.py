"""``mtref drill``: shows that villains cannot spoil a match on this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from mtref.cli.matchrun import isolated
from mtref.cli.options import rules_options
from mtref.cli.sandboxoptions import sandbox_options
from mtref.server.sandbox.levels import Limits
from mtref.text import escape, plural
from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleset import RuleSet

if TYPE_CHECKING:
    from mtref.server.drill import Drilled, Outcome

__all__ = ["command"]


@click.command("drill", short_help="Play a ladder of honest bots with and without villains.")
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
    """Play a ladder of honest bots without villains and with them, all or those named, and compare the two.

    Every game must equal, event by event, its control game, in which the referee's default moves are made from the villain's
    fault on; no honest bot may be charged with anything, the villain with what it did, and nothing may be left running. Exit code 1 when one
    of these fails.
    """
    from mtref.server.drill import drill  # noqa: PLC0415 - slow to import
    from mtref.server.interrupt import Interrupted, run_until_signal  # noqa: PLC0415
    from mtref.server.pack import VILLAINS  # noqa: PLC0415 - needed to play, not for --help

    if only_list:
        if as_json:
            click.echo(json.dumps({"villains": {name: villain.words for name, villain in VILLAINS.items()}}))
            return 0
        for name, villain in VILLAINS.items():
            click.echo(f"{escape(name):24} {villain.words}")
        return 0
    for name in names:
        if name not in VILLAINS:
            raise ConfigError("no such villain; see mtref drill --list", key=escape(name, 60))
    villains = [VILLAINS[name] for name in names or VILLAINS]
    with isolated(sandbox, sandbox_require, limits) as isolation:
        line = str(isolation.facts()["line"])
        if not as_json:
            click.echo(line)
        told = (lambda _: None) if as_json else _tell
        try:
            outcome = run_until_signal(drill(villains, rules, seed, isolation, told=told))
        except Interrupted as end:
            raise SystemExit(128 + end.number) from None
    if as_json:
        click.echo(json.dumps({"sandbox": line, **_facts(outcome)}))
    else:
        _summarise(outcome)
    return int(outcome.failed > 0)


def _tell(done: Drilled) -> None:
    """One villain's line."""
    charged = ", ".join(f"{kind} {count}" for kind, count in done.faults.items())
    verdict = "; ".join(done.problems) or done.left_out or "nobody noticed"
    word = "FAILED" if done.problems else "omitted" if done.left_out else "passed"
    click.echo(f"{word:8}{escape(done.villain.name):24} {charged or '-'}: {verdict}")


def _summarise(outcome: Outcome) -> None:
    click.echo(
        f"{'honest bot':12} {'games':>5}  {'as without villains':>19}  {'mean score':>10}  {'without':>7}"
    )
    for score in outcome.honest:
        games = max(score.games, 1)
        means = f"{score.with_villains / games:10.1f}  {score.without / games:7.1f}"
        click.echo(f"{escape(score.name):12} {score.games:5}  {score.equal:19}  {means}")
    for problem in outcome.problems:
        click.echo(f"among honest bots: {problem}")
    played = sum(not done.left_out for done in outcome.drilled)
    made = sum(bool(done.problems) for done in outcome.drilled)
    click.echo(
        f"{plural(played, 'villain')}, {made} of them made a difference; {plural(outcome.games, 'game')} compared"
    )


def _facts(outcome: Outcome) -> dict[str, object]:
    return {
        "drilled": [
            {
                "villain": done.villain.name,
                "faults": done.faults,
                "problems": done.problems,
                "left_out": done.left_out or None,
                "seconds": round(done.seconds, 3),
            }
            for done in outcome.drilled
        ],
        "honest": [asdict(score) for score in outcome.honest],
        "games": outcome.games,
        "problems": outcome.problems,
        "failed": outcome.failed,
    }

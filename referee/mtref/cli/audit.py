"""``mtref audit``: shows an organiser that no seat is sent anything that depends on what it cannot see."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from mtref.cli.given import refuse
from mtref.cli.matchrun import isolated
from mtref.cli.options import rules_options
from mtref.cli.sandboxoptions import SANDBOX_OPTIONS, sandbox_options
from mtref.match.entry import Entry, parse_entry
from mtref.match.plan import PlannedGame, draw_master_seed, draw_seed_text, plan_games
from mtref.replay.reader import LogReader
from mtref.replay.records import SeedRevealed
from mtref.server.sandbox.levels import Limits
from mtref.text import escape, plural
from mtref_sdk.errors import ConfigError, MtrefError, ReplayError
from mtref_sdk.ruleset import RuleSet

if TYPE_CHECKING:
    from mtref.server.isolation import Isolation

__all__ = ["command"]


@click.command("audit", short_help="Show that no seat is sent what it may not know.")
@click.argument("words", nargs=-1, metavar="[LOG...|BOT...]")
@rules_options
@click.option("--seats", type=click.IntRange(1, 10), help="Seats. [default: as many as the rules allow]")
@click.option("--deals", type=click.IntRange(1), default=3, show_default=True, metavar="N", help="How many.")
@click.option("--seed", metavar="TEXT", help="Make the deals repeatable. [default: a fresh seed]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@sandbox_options
def command(
    words: Sequence[str],
    *,
    rules: RuleSet,
    seats: int | None,
    deals: int,
    seed: str | None,
    as_json: bool,
    sandbox: str,
    sandbox_require: str | None,
    limits: Limits,
) -> int:
    """Play each deal in two worlds that differ only in two tiles a seat cannot see, over real connections, and compare what
    that seat is sent, byte by byte, until the difference becomes public. Once for every seat, and for both ways to be told.

    With a BOT that bot sits on the seat, in both worlds; it must be told the same, and then choose the same. With a LOG, a file that ends
    in .jsonl, .gz or .zst, its rules and its deal are taken; its seed must have been revealed. Exit code 1 when something differs.
    """
    seed = draw_seed_text() if seed is None else seed
    logs = [word for word in words if word.endswith((".jsonl", ".gz", ".zst"))]
    bots = [parse_entry(word) for word in words if word not in logs]
    if logs and bots:
        raise ConfigError("give logs or bots, not both", key="LOG|BOT")
    if not bots:
        refuse(*SANDBOX_OPTIONS, beside="no BOT", because="nothing is started that could be isolated")
    if logs:
        names = ("rules_name", "overrides", "seats", "deals", "seed")
        refuse(*names, beside="a LOG", because="its own rules and deal are taken")
        games = [_of_log(log) for log in logs]
    else:
        count = rules.seats[1] if seats is None else seats
        rules.hand_size(count)
        named = enumerate(plan_games(draw_master_seed(seed), count, deals), 1)
        games = [(f"deal {number}", rules, planned) for number, planned in named]
    findings = [
        {"game": name, "rules": chosen.name, **found}
        for name, chosen, planned in games
        for found in (() if bots else _compare(chosen, planned))
    ]
    if bots:
        with isolated(sandbox, sandbox_require, limits) as isolation:
            findings += [
                {"game": name, "rules": chosen.name, **_compare_bot(chosen, planned, bot, isolation)}
                for name, chosen, planned in games
                for bot in bots
            ]
    leaks = [found for found in findings if found["leak"]]
    if as_json:
        click.echo(json.dumps({"seed": None if logs else seed, "compared": findings, "leaks": len(leaks)}))
        return int(bool(leaks))
    for found in findings:
        verdict = "all equal" if not found["leak"] else f"message {found['leak']['message']} DIFFERS"
        if found["leak"] and found["leak"]["chose"]:
            verdict = (
                f"all equal up to message {found['leak']['message']}, and then the bot CHOSE DIFFERENTLY"
            )
        if found["swapped"] is None:
            verdict = "nothing is hidden from this seat"
        click.echo(
            f"{escape(str(found['game']))}, {found['rules']}, seat {found['seat']}, {found['told_by']}: "
            f"{plural(found['messages'], 'message')}, {plural(found['decisions'], 'decision')}, {found['size']} bytes: {verdict}"
        )
        if found["leak"]:
            click.echo(f"  one world:   {found['leak']['first']}\n  the other:   {found['leak']['second']}")
    total = sum(found["decisions"] for found in findings)
    click.echo(
        f"{plural(len(findings), 'comparison')}, {plural(total, 'decision')}: "
        + (f"{len(leaks)} of them differ" if leaks else "nobody was told what he may not know")
    )
    if not logs:
        click.echo(f"the same deals again: --seed {escape(seed, 200)}")
    return int(bool(leaks))


def _of_log(path: str) -> tuple[str, RuleSet, PlannedGame]:
    with LogReader(path) as reader:
        header = reader.header
        for line in reader:
            if isinstance(line.record, SeedRevealed):
                planned = PlannedGame(
                    1,
                    header.deal,
                    header.game,
                    line.record.seed,
                    header.commitment,
                    tuple(range(header.seats)),
                )
                return path, RuleSet.from_mapping(header.rules), planned
    raise ReplayError(f"{escape(path)}: the seed is not revealed, so the deal cannot be made again")


def _compare_bot(rules: RuleSet, planned: PlannedGame, bot: Entry, isolation: Isolation) -> dict[str, Any]:
    from mtref.server.twins import compare_bot  # noqa: PLC0415 - imports grpc

    seat = planned.number % len(planned.bots)
    try:
        found = asyncio.run(compare_bot(rules, planned, seat, bot, isolation))
    except MtrefError as error:
        raise MtrefError(f"{escape(bot.name, 60)} ({escape(bot.command, 100)}) {error}") from error
    return {**asdict(found), "told_by": f"bot {escape(bot.name, 60)}"}


def _compare(rules: RuleSet, planned: PlannedGame) -> Iterator[dict[str, Any]]:
    from mtref.server.launching import make_run_directory  # noqa: PLC0415 - not needed for --help
    from mtref.server.twins import compare_worlds  # noqa: PLC0415 - imports grpc

    for seat in range(len(planned.bots)):
        for views in (False, True):
            folder = make_run_directory()
            try:
                found = asyncio.run(compare_worlds(rules, planned, seat, folder, views=views))
            finally:
                shutil.rmtree(folder)
            yield {**asdict(found), "told_by": "views" if views else "events"}

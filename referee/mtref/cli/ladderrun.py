"""``mtref ladder run``: plays what is left of a ladder and prints the standings."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import signal
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path

import click

from mtref.cli.failures import complain, print_error
from mtref.cli.given import given
from mtref.cli.ladderfile import ladder_argument, recompute_option
from mtref.cli.ladderlive import Watcher, watching
from mtref.cli.laddertables import print_table, standings_notes, standings_table
from mtref.ladder.config import LadderConfig
from mtref.ladder.configfile import load_config
from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.course import check_tables
from mtref.ladder.happenings import Ended
from mtref.ladder.isolation import check_isolation
from mtref.ladder.journal import HeldError, Journal, open_journal
from mtref.ladder.referees import LocalReferees, Referees
from mtref.ladder.runner import LadderRun
from mtref.match.plan import draw_master_seed
from mtref.text import plural
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["check_cluster", "held", "referees", "resume_command", "run", "until_signal"]

INCOMPLETE = 3
_HELD = 4


@click.command("run", short_help="Play what is left of a ladder.")
@ladder_argument
@click.option(
    "--concurrency", type=click.IntRange(1, 256), metavar="N", help="Instead of what the file says."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster, such as tcp://head:8786 (see docs/cluster.md).",
)
@recompute_option
@click.option("--json", "as_json", is_flag=True, help="Print what happens, one JSON object a line.")
def run(ladder: Path, *, concurrency: int | None, cluster: str | None, recompute: bool, as_json: bool) -> int:
    """Play what is left of a ladder; the same command again goes on after any kind of stop.

    Ctrl-C lets the running games finish, a second one stops at once. Exit 0: every game has a result; 3: some are left;
    4: another runner is at work on it; 1: something failed, or games that must be equal were not.
    """
    config = load_config(ladder)
    command = resume_command(ladder)
    if concurrency is not None:
        config = replace(config, concurrency=concurrency)
    check_isolation(config)
    check_tables(config)
    check_cluster(config, cluster)
    bots = entered_bots(config)
    journal = open_journal(config, create=True)
    try:
        with journal.hold():
            journal.begin(contract_of(config), bots, draw_master_seed(config.seed))
            journal.declare(bots)
            players = referees(config, cluster)
            ended = _play(config, journal, players, command, recompute=recompute, as_json=as_json)
    except HeldError as error:
        return held(error, as_json=as_json)
    finally:
        journal.close()
    with contextlib.suppress(BrokenPipeError):  # the ladder is as complete whether anybody reads this or not
        _report(ended, ladder, command)
    if ended.discrepancies or ended.conflicts:
        return 1
    return 0 if ended.complete else INCOMPLETE


def held(error: HeldError, *, as_json: bool) -> int:
    """Say that another runner is at work; the exit code for it."""
    complain(str(error))
    if as_json:
        print_error(str(error), _HELD, error)
    return _HELD


def check_cluster(config: LadderConfig, cluster: str | None) -> None:
    """Raises ConfigError for an address that is none, and for a ladder that is not for a cluster. To be called before its journal is made, which would hold it to that."""
    if cluster is not None and not re.fullmatch(r"(tcp|tls)://\S+:[0-9]{1,5}", cluster):
        raise ConfigError(
            f"{cluster!r} is no address; write tcp://HOST:PORT or tls://HOST:PORT", key="--cluster"
        )
    if config.pin and cluster is not None:
        raise config.error("pin", "referees of a cluster are not pinned; leave it out, or --cluster")


def referees(config: LadderConfig, cluster: str | None) -> Referees:
    """Who plays: processes here, or a cluster."""
    if cluster is None:
        processors = len(os.sched_getaffinity(0))
        if config.concurrency > processors:
            click.echo(
                f"mtref: {config.concurrency} tables at a time on {processors} processors: bots that think get less time than"
                " their clock shows",
                err=True,
            )
        return LocalReferees(pinned=config.pin)
    from mtref.ladder.cluster.dask import DaskReferees  # noqa: PLC0415 - needs an extra

    return DaskReferees(cluster, config)


def _play(
    config: LadderConfig, journal: Journal, players: Referees, command: str, *, recompute: bool, as_json: bool
) -> Ended:
    """Run it, with the terminal as its watcher and signals to stop it. `command` is what goes on."""
    with watching(as_json=as_json) as watcher:
        ladder = LadderRun(config, journal, players, watcher.hear, recompute=recompute)
        watcher.table = ladder.table
        ended = asyncio.run(until_signal(ladder, ladder.run(), watcher, command))
        watcher.hear(ended)
    table = ladder.table()
    if table.rows and not as_json:
        with contextlib.suppress(BrokenPipeError):
            print_table(standings_table(table))
            click.echo("\n".join(standings_notes(table)))
    return ended


async def until_signal(
    ladder: LadderRun, job: Coroutine[None, None, Ended], watcher: Watcher, command: str
) -> Ended:
    """Do a job that runs a ladder. The first Ctrl-C lets running games finish; any other signal, or a second one, ends them.

    `command` is what goes on.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(job)
    caught: list[int] = []

    def interrupt(number: int) -> None:
        caught.append(number)
        if number == signal.SIGINT and len(caught) == 1:
            ladder.stop()
            watcher.say("finishing the games that are running; press Ctrl-C again to stop at once")
        else:
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, interrupt, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not caught:
            raise
        click.echo(f"stopped at once; what was not finished is played again by: {command}", err=True)
        raise SystemExit(128 + caught[-1]) from None
    except MtrefError:  # such as a full disk; what it is, is said by whoever shows errors
        click.echo(f"stopped; to go on: {command}", err=True)
        raise


def _report(ended: Ended, path: Path, command: str) -> None:
    """Say on stderr how the run ended."""
    lines: list[str] = []
    if ended.discrepancies:
        lines.append(
            "SELF-TEST FAILED: these games had to be equal, and are not (identical bots on the same seats of the same deal):"
        )
        lines += [f"  {found}" for found in ended.discrepancies]
        lines.append(
            "Either a bot goes by more than what it is told (then say deterministic: false), or the platform is at fault."
        )
    elif ended.compared:
        lines.append(
            f"self-test: {plural(ended.compared, 'game')} had to be equal to another one, and came out so"
        )
    if ended.conflicts:
        lines.append(
            f"{plural(ended.conflicts, 'game')} came out differently when played again; the first results stand"
        )
    if ended.given_up:
        lines.append(
            f"{plural(ended.given_up, 'game')} could not be played, given up; see: mtref ladder errors --ladder {shlex.quote(str(path))}"
        )
    if ended.open:
        why = f" ({', '.join(ended.parked)} not ready)" if ended.parked else ""
        lines.append(f"INCOMPLETE: {plural(ended.open, 'game')} left{why}; to go on: {command}")
    for line in lines:
        click.echo(line, err=True)


def resume_command(path: Path) -> str:
    """The running command as it goes on with a ladder: with the options that were given and matter to that."""
    context = click.get_current_context()
    words = ["mtref", "ladder", str(context.info_name), str(path)]
    for option in context.command.params:
        if (
            isinstance(option, click.Option)
            and given(str(option.name))
            and option.name not in ("as_json", "recompute")
        ):
            words += (
                option.opts[:1] if option.is_flag else [option.opts[0], str(context.params[str(option.name)])]
            )
    return shlex.join(words)

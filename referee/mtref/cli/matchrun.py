"""Playing a match for a command: in the sandbox that was asked for, watched as asked, until it ends or a signal comes."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from mtref.cli.matchoptions import Shown
from mtref.match.entry import Entry
from mtref.match.options import MatchOptions
from mtref.server.sandbox.levels import Limits

if TYPE_CHECKING:
    from mtref.match.inprocess import Arranged
    from mtref.match.result import MatchResult
    from mtref.server.isolation import Isolation
    from mtref.server.launching import LauncherProcess
    from mtref.server.runner import MatchSetup
    from mtref.server.sandbox.choose import Sandbox

__all__ = ["isolated", "play_here", "play_over_grpc", "print_outcome", "started"]


@contextlib.contextmanager
def isolated(
    sandbox: str, require: str | None, limits: Limits, *, pondering: bool = True
) -> Iterator[Isolation]:
    """The sandbox for the bots of a match. That `auto` had to fall back is said on stderr, whatever else is shown."""
    from mtref.server.isolation import Isolation  # noqa: PLC0415 - starts processes, and is not needed for --help
    from mtref.server.sandbox.choose import choose_sandbox  # noqa: PLC0415

    with contextlib.closing(choose_sandbox(sandbox, require=require, limits=limits)) as box:
        _say_less(box)
        yield Isolation(box, pondering)


@contextlib.contextmanager
def started(
    sandbox: str,
    require: str | None,
    limits: Limits,
    entries: Sequence[Entry],
    *,
    pondering: bool = True,
    live: bool = False,
) -> Iterator[tuple[Isolation, LauncherProcess]]:
    """The same with a launcher for the bots of one match, both got ready while we import the rest; `live` is that of `MatchSetup`."""
    from mtref.server.ahead import begin  # noqa: PLC0415 - starts processes, and is not needed for --help

    beginning = begin(sandbox, require, limits, entries, live=live)
    importlib.import_module("mtref.server.runner")  # and asyncio with it, which takes as long
    from mtref.server.isolation import Isolation  # noqa: PLC0415

    box, launcher = beginning.result()
    with contextlib.closing(box), contextlib.closing(launcher):
        _say_less(box)
        yield Isolation(box, pondering), launcher


def _say_less(box: Sandbox) -> None:
    if box.warning is not None:
        click.echo(f"mtref: {box.warning} (see: mtref sandbox check)", err=True)


def play_over_grpc(
    options: MatchOptions, entries: Sequence[Entry], shown: Shown, setup: MatchSetup
) -> MatchResult:
    """Play the match; a signal ends the program once everything has been cleaned up."""
    from mtref.cli.matchprogress import watching  # noqa: PLC0415 - rich and structlog are not needed for --help
    from mtref.match.logs import LogPlace  # noqa: PLC0415
    from mtref.server.interrupt import Interrupted, run_until_signal  # noqa: PLC0415 - nor asyncio
    from mtref.server.runner import play_match  # noqa: PLC0415

    logs = LogPlace(shown.log, options.games)
    with watching(options, quiet=shown.quiet or shown.as_json, verbose=shown.verbose) as watch:
        job = play_match(options, entries, logs, watch.record, watch.game, watch.note, setup=setup)
        try:
            return run_until_signal(job)
        except Interrupted as end:
            raise SystemExit(128 + end.number) from None


def play_here(
    options: MatchOptions, entries: Sequence[Entry], shown: Shown, arranged: Arranged | None = None
) -> MatchResult:
    """Play the match with the bots loaded into this process."""
    from mtref.cli.matchprogress import watching  # noqa: PLC0415
    from mtref.match.inprocess import play_in_process  # noqa: PLC0415 - bots are not needed for --help
    from mtref.match.logs import LogPlace  # noqa: PLC0415

    logs = LogPlace(shown.log, options.games)
    with (
        watching(options, quiet=shown.quiet or shown.as_json, verbose=shown.verbose) as watch,
        _printing_on_stderr(),  # what bots print is no result
    ):
        return play_in_process(
            options, entries, logs, time.perf_counter, watch.record, watch.game, arranged=arranged
        )


@contextlib.contextmanager
def _printing_on_stderr() -> Iterator[None]:
    """While this lasts, what is written to stdout goes to stderr, also past Python: by a library or a child."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdout.flush()  # it may have been written to under its other name, sys.__stdout__
        os.dup2(kept, 1)
        os.close(kept)


def print_outcome(result: MatchResult, shown: Shown) -> None:
    """Print the result. Exits with 1 when a game was not played, or strict faults made somebody forfeit."""
    if shown.as_json:
        click.echo(json.dumps(result.to_dict()))
    else:
        from mtref.cli.matchtable import print_result  # noqa: PLC0415 - rich is not needed before

        print_result(result)
    strict = result.options.policy.name == "strict"
    if result.facts.unplayed or (strict and any(bot.forfeits for bot in result.bots)):
        raise SystemExit(1)

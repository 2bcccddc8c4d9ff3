"""The options with which a command that starts bots is told how to isolate them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from mtref.cli.given import refuse
from mtref.server.sandbox.levels import AUTO, CHOICES, MIB, Level, Limits

__all__ = ["SANDBOX_OPTIONS", "memory_option", "sandbox_options"]

SANDBOX_OPTIONS = ("sandbox", "sandbox_require", "bot_memory", "bot_processes")
"""The parameters of `sandbox_options`, which mean nothing where no bot is started."""

LEAST_MEMORY = 64
"""MiB: with less, Python and the SDK do not even start."""

_Returned = TypeVar("_Returned")


def _bytes(context: click.Context, parameter: click.Parameter, text: str) -> int:
    """The size that `text` means, in bytes: 512M, 2G; a bare number is MiB."""
    del context, parameter  # click passes them to every callback
    found = re.fullmatch(r"(\d{1,9})\s*(M|MiB|G|GiB)?", text)
    if not found:
        raise click.BadParameter(f"cannot read {text!r}; write a size such as 512M or 2G")
    size = int(found[1]) * (1024 if str(found[2]).startswith("G") else 1)
    if size < LEAST_MEMORY:
        raise click.BadParameter(f"{text} is too little to start a bot in; at least {LEAST_MEMORY}M")
    return size * MIB


memory_option = click.option(
    "--bot-memory",
    metavar="SIZE",
    callback=_bytes,
    default="512M",
    show_default=True,
    help="Memory of a bot with all its processes; without cgroups, of each process.",
)
"""``--bot-memory SIZE``: the command gets ``bot_memory`` in bytes."""


def sandbox_options(function: Callable[..., _Returned]) -> Callable[..., _Returned]:
    """Give a command the options of isolation; it is called with ``sandbox`` (one of `CHOICES`), ``sandbox_require``
    (the name of a level, or None) and ``limits`` (`Limits`).
    """

    @click.option(
        "--sandbox",
        type=click.Choice(CHOICES),
        default=AUTO,
        show_default=True,
        help="How bots are kept apart; auto takes the strongest that works here, and says so.",
    )
    @click.option(
        "--sandbox-require",
        type=click.Choice([str(level) for level in reversed(Level)]),
        help="Do not play if bots cannot be isolated at least like this.",
    )
    @memory_option
    @click.option(
        "--bot-processes",
        type=click.IntRange(16, 4096),
        default=Limits().processes,
        show_default=True,
        help="Processes and threads of a bot.",
    )
    @functools.wraps(function)
    def with_sandbox(*args: Any, bot_memory: int, bot_processes: int, **kwargs: Any) -> _Returned:
        if kwargs["sandbox"] == Level.NONE:
            refuse("bot_memory", "bot_processes", beside="--sandbox none", because="bots have no limits then")
        return function(*args, limits=Limits(memory=bot_memory, processes=bot_processes), **kwargs)

    return with_sandbox

"""The argument and options that ladder commands share, and the journal it leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from mtref.ladder.config import LadderConfig
from mtref.ladder.configfile import load_config
from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.course import check_tables
from mtref.ladder.isolation import check_isolation
from mtref.ladder.journal import Journal, open_journal
from mtref.match.plan import draw_master_seed

__all__ = ["beginning", "ladder_argument", "ladder_option", "reading", "recompute_option"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

_DEFAULT = "ladder.yaml"


def ladder_argument(function: _Function) -> _Function:
    """Give a command the argument LADDER, the file's path."""
    kind = click.Path(dir_okay=False, path_type=Path)
    decorate: Callable[[_Function], _Function] = click.argument(
        "ladder", type=kind, default=_DEFAULT, metavar="[LADDER.YAML]"
    )
    return decorate(function)


def ladder_option(function: _Function) -> _Function:
    """Give a command that has other arguments the option ``--ladder``."""
    kind = click.Path(dir_okay=False, path_type=Path)
    decorate: Callable[[_Function], _Function] = click.option(
        "--ladder", type=kind, default=_DEFAULT, show_default=True, metavar="FILE", help="The ladder."
    )
    return decorate(function)


def recompute_option(function: _Function) -> _Function:
    """Give a command that prints a table the option ``--recompute``."""
    decorate: Callable[[_Function], _Function] = click.option(
        "--recompute", is_flag=True, help="Add up every game again; do not believe sums kept in the journal."
    )
    return decorate(function)


@contextmanager
def beginning(path: Path) -> Iterator[tuple[LadderConfig, Journal]]:
    """The ladder of a file and its journal, which begins now if it has not. Raises ConfigError."""
    config = load_config(path)
    check_isolation(config)
    check_tables(config)
    bots = entered_bots(config)
    journal = open_journal(config, create=True)
    try:
        journal.begin(contract_of(config), bots, draw_master_seed(config.seed))
        journal.declare(bots)
        yield config, journal
    finally:
        journal.close()


@contextmanager
def reading(path: Path) -> Iterator[tuple[LadderConfig, Journal]]:
    """The ladder of a file and its journal, which must have begun. Raises ConfigError."""
    config = load_config(path)
    journal = open_journal(config, create=False)
    try:
        yield config, journal
    finally:
        journal.close()

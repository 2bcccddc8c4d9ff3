"""What `mtref match` says on stderr while it plays: a progress bar for people, and log lines with --verbose."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from mtref.match.options import MatchOptions
from mtref.replay.records import LogFault, LogHeader, Record
from mtref.text import escape
from mtref_sdk.events import RoundEnded

if TYPE_CHECKING:
    from rich.progress import Progress

    from mtref.match.result import GameResult

__all__ = ["Watch", "watching"]


class Note(Protocol):
    """Takes a word about what happened and its facts."""

    def __call__(self, event: str, **facts: Any) -> Any:
        """Note it down."""


class Watch:
    """Hears everything about a match."""

    def __init__(self, note: Note, bar: Progress | None, rounds: int) -> None:
        self.note = note
        self._bar = bar
        self._task = bar.add_task("rounds", total=rounds) if bar is not None else None
        self._seats: list[str] = []

    def record(self, record: Record) -> None:
        """Something happened at a table."""
        if isinstance(record, RoundEnded):
            if self._bar is not None and self._task is not None:
                self._bar.advance(self._task)
        elif isinstance(record, LogHeader):
            self.note("game started", game=record.game, deal=record.deal)
        elif isinstance(record, LogFault):
            self.note(
                "fault", seat=record.seat, kind=record.kind, done=record.done, message=escape(record.message)
            )

    def game(self, result: GameResult) -> None:
        """A game is over."""
        self.note("game ended", game=result.game, totals=[seat.total for seat in result.seats])


@contextmanager
def watching(options: MatchOptions, *, quiet: bool, verbose: bool) -> Iterator[Watch]:
    """A watch over a match with these options; the bar is gone afterwards."""
    note = _logger() if verbose else _silent
    rounds = options.games * options.rules.rounds
    if quiet or verbose or not sys.stderr.isatty():
        yield Watch(note, None, rounds)
        return
    from rich.console import Console  # noqa: PLC0415 - 50 ms that only a terminal needs
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rounds,"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Watch(note, bar, rounds)


def _silent(event: str, **facts: Any) -> None:
    """Nobody wants to know."""


def _logger() -> Note:
    import structlog  # noqa: PLC0415 - 30 ms that only --verbose needs

    structlog.configure(
        processors=[
            structlog.processors.TimeStamper(fmt="%H:%M:%S.%f", utc=False),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    note: Note = structlog.get_logger().info
    return note

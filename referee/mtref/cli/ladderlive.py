"""What a running ladder shows: a live table on a terminal, plain lines otherwise, or one JSON object a line.

Whatever happens to the terminal or the pipe, the run goes on.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Final

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mtref.cli.laddertables import duration, standings_table
from mtref.ladder.happenings import (
    Began,
    Conflicted,
    Ended,
    Happening,
    Isolated,
    Lost,
    Parked,
    Played,
    Revealed,
    Unplayed,
    to_dict,
)
from mtref.ladder.standings import Standings
from mtref.text import escape, plural

__all__ = ["Watcher", "watching"]

_EVERY: Final = 10.0
"""Seconds between two lines of progress where nobody can see a line change."""

_REDRAW: Final = 1.0


class Watcher:
    """Hears everything about a run and keeps count. ``table`` gives the run's standings, and is set before it begins."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.table: Callable[[], Standings] | None = None
        self.faults: Counter[str] = Counter()
        self.say = say
        self._total = self._over = self._here = 0
        self._began = time.monotonic()

    def hear(self, happening: Happening) -> None:
        """Something happened."""
        match happening:
            case Began():
                self._total, self._over = happening.games, happening.over
                stage = f"stage {happening.stage} of {happening.stages}: " if happening.stages > 1 else ""
                self.say(f"{stage}{plural(happening.games, 'game')} planned, {happening.over} of them over")
            case Played():
                self._over += 1
                self._here += 1
                for seat in happening.game.seats:
                    self.faults.update(seat.faults)
            case Unplayed():
                game = happening.game
                first, *rest = game.reason.splitlines()
                self.say(
                    f"not played (attempt {game.attempts}): deal {game.deal}, {', '.join(game.bots)}: {escape(first, 300)}"
                )
                for line in rest:
                    self.say(escape(line, 300))
            case Parked():
                until = "its next version" if happening.lasting else "the next run"
                why = "failed" if happening.lasting else "was not ready"
                self.say(f"parked until {until}, since it {why}: {happening.bot}")
            case Lost():
                self.say(f"no bot's fault: {escape(happening.reason)}; again: {', '.join(happening.bots)}")
            case Conflicted():
                self.say(
                    f"CONFLICT: game {happening.game[:12]} of deal {happening.deal} came out differently; the first result stands"
                )
            case Isolated():
                self.say(f"bots: {escape(happening.line, 400)}")
            case Revealed() | Ended():
                pass

    def line(self) -> str:
        """Where the run stands, in a line."""
        seconds = time.monotonic() - self._began
        rate = self._here / seconds if seconds > 0 else 0.0
        left = duration((self._total - self._over) / rate) if rate else "?"
        faults = plural(self.faults.total(), "fault") + (
            f" ({', '.join(f'{kind} {count}' for kind, count in sorted(self.faults.items()))})"
            if self.faults
            else ""
        )
        return f"{self._over} of {self._total} games, {60 * rate:.0f} a minute, {left} left, {faults}"


class _Lines(Watcher):
    """A line of progress now and then."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(say)
        self._next = time.monotonic() + _EVERY

    def hear(self, happening: Happening) -> None:
        """Also say where the run stands, if that is due."""
        super().hear(happening)
        if time.monotonic() >= self._next:
            self.say(self.line())
            self._next = time.monotonic() + _EVERY


class _Screen(Watcher):
    """A line and the standings that change in place."""

    def __init__(self, live: Live) -> None:
        super().__init__(live.console.print)
        self._live = live
        self._next = 0.0

    def hear(self, happening: Happening) -> None:
        """Also draw again, if that is due."""
        super().hear(happening)
        if time.monotonic() >= self._next:
            parts = [Text(self.line())]
            found = self.table() if self.table else None
            table = standings_table(found, self._live.console.width) if found and found.rows else None
            self._live.update(Group(table, *parts) if table is not None else parts[0], refresh=True)
            self._next = time.monotonic() + _REDRAW


class _Json(Watcher):
    """Every happening as a line on stdout; on stderr only what is said besides."""

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__(_careful(sys.stderr))
        self._write = write

    def hear(self, happening: Happening) -> None:
        """Write it."""
        self._write(json.dumps(to_dict(happening)))


@contextmanager
def watching(*, as_json: bool) -> Iterator[Watcher]:
    """The watcher for this terminal, pipe or stream; what it changes in place is gone afterwards."""
    console = Console(stderr=True, highlight=False, markup=False)
    if as_json:
        yield _Json(_careful(sys.stdout))
    elif console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            yield _Screen(live)
    else:
        yield _Lines(_careful(sys.stderr))


def _careful(stream: IO[str]) -> Callable[[str], None]:
    """Writes lines to a stream until nobody reads them any more; then to nowhere."""

    def write(line: str) -> None:
        try:
            stream.write(line + "\n")
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

    return write

"""Where the logs of a match go: one file, or a file a game in a directory. How a log looks is `mtref.replay`'s business."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mtref.match.plan import PlannedGame
from mtref.replay.digest import GameDigest
from mtref.replay.records import LogEnd, LogFault, LogHeader, Record
from mtref.replay.writer import LogWriter
from mtref.rules.native import mypyc_attr
from mtref_sdk.errors import ConfigError
from mtref_sdk.events import RoundEnded

__all__ = ["LOG_DELAY", "GameLog", "LogPlace"]

LOG_DELAY: Final = 1 << 17
"""Bytes of a log that a ladder keeps back: a game that is cut short is played again there, and its log is not looked at."""

_MILESTONES = frozenset([LogHeader, LogFault, RoundEnded, LogEnd])


class GameLog:
    """Where a game goes: writes its log if there is to be one, and knows its digest in any case.

    ``watch`` may be set, to hear of every milestone that has been taken: the header, faults, ends of rounds, the end.
    ``line`` is the number of the last record ``watch`` could hear of. `delay` is that of `LogWriter`.
    """

    def __init__(self, path: Path | None, *, delay: int = 0) -> None:
        self.path = path
        self.line = 0
        self.watch: Callable[[Record], None] | None = None
        self._writer = LogWriter(path, delay=delay) if path is not None else None
        self._digest = GameDigest()

    def take(self, records: Sequence[Record]) -> None:
        """Take what happened in one step of the game. Whatever kills the game now, this stays, if there is no `delay`."""
        if self._writer is not None:
            self._writer.write_all(records)
        else:
            self._digest.add_all(records)
        for record in records:
            if type(record) in _MILESTONES:
                break
        else:
            self.line += len(records)
            return
        if LogFault in map(type, records):  # it may be long, and is not kept back
            sink = self._digest if self._writer is None else self._writer
            sink.catch_up()
        for record in records:
            self.line += 1
            if self.watch is not None and type(record) in _MILESTONES:
                self.watch(record)

    @property
    def game_digest(self) -> str:
        """The ``game_digest`` of what was taken so far."""
        return self._digest.hexdigest() if self._writer is None else self._writer.game_digest

    def discard(self) -> None:
        """There was no game: leave no file."""
        if self._writer is not None:
            self._writer.discard()

    def close(self) -> None:
        """Finish the file. A log without an end stays as it is, readable up to there."""
        if self._writer is not None:
            self._writer.close()


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, slots=True)
class LogPlace:
    """What ``--log`` says. With several games, or when it is a directory or ends in a slash, it is a directory."""

    target: str | None = None
    games: int = 1

    def prepare(self) -> None:
        """Make the directory if one is meant. Raises ConfigError when that is impossible, or nothing is named."""
        if self.target in ("", "-"):
            raise ConfigError("needs the name of a file or directory; the log is not printed", key="--log")
        if self.target is None or not self._is_directory():
            return
        try:
            Path(self.target).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"cannot be made a directory for logs: {error.strerror}", key=self.target
            ) from error

    def open(self, game: PlannedGame) -> GameLog:
        """The log of a game; without a target, only its digest."""
        if self.target is None:
            return GameLog(None)
        if not self._is_directory():
            return GameLog(Path(self.target))
        width = len(str(self.games))
        return GameLog(Path(self.target) / f"{game.number:0{width}}-{game.game}.jsonl")

    def _is_directory(self) -> bool:
        target = str(self.target)
        return self.games > 1 or target.endswith(os.sep) or Path(target).is_dir()

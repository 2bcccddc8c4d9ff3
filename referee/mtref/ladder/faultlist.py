"""Finds the faults of a game in its log, each with the line where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mtref.ladder.records import GameRecord
from mtref.replay.reader import LogReader
from mtref.replay.records import LogFault

__all__ = ["FaultLine", "faults_in_log"]


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One fault. ``done`` says what it cost; ``log`` and ``line`` where it stands, or None and 0."""

    bot: str
    game: str
    deal: int
    seat: int
    kind: str
    done: str
    message: str
    log: str | None
    line: int


def faults_in_log(path: Path, game: GameRecord) -> list[FaultLine]:
    """The faults in the log of a game, in the order in which they happened. Raises ReplayError."""
    with LogReader(path) as log:
        return [
            FaultLine(
                bot=game.seats[line.record.seat].bot,
                game=game.id,
                deal=game.deal,
                seat=line.record.seat,
                kind=line.record.kind,
                done=line.record.done,
                message=line.record.message,
                log=str(path),
                line=line.number,
            )
            for line in log
            if isinstance(line.record, LogFault)
        ]

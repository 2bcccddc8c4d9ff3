"""What to tell the author of a bot that failed: what it did, where in which log, and what it printed. Values, no texts for the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from mtref.match.logs import GameLog
from mtref.match.plan import PlannedGame
from mtref.replay.records import LogFault, Record
from mtref.text import escape

__all__ = ["OUTPUT_LINES", "Incident", "IncidentBook", "last_lines"]

OUTPUT_LINES = 12
"""How many lines of a failed bot's output are shown."""


@dataclass(frozen=True, slots=True)
class Incident:
    """The fault of one bot in one game that cost it most: the one it forfeited by, else its first.

    ``bot`` is its index in the match, ``game`` the game's number, ``line`` the fault's line in the log (which is
    counted even when none is written, ``log`` being None then), ``output`` the last lines the bot printed.
    """

    bot: int
    game: int
    seat: int
    kind: str
    message: str
    done: str
    line: int
    log: str | None
    output: tuple[str, ...] = ()


class IncidentBook:
    """Collects incidents while games are played, at most one for each bot in each game."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], Incident] = {}

    def watching(
        self, planned: PlannedGame, log: GameLog, on_record: Callable[[Record], None]
    ) -> Callable[[Record], None]:
        """What is to hear of every record of a game that goes to `log`; it passes them on to `on_record`."""

        def watch(record: Record) -> None:
            if isinstance(record, LogFault):
                self._add(planned, log, record)
            on_record(record)

        return watch

    def _add(self, planned: PlannedGame, log: GameLog, fault: LogFault) -> None:
        key = planned.number, planned.bots[fault.seat]
        if key not in self._found or fault.done == "forfeit":
            self._found[key] = Incident(
                bot=key[1],
                game=planned.number,
                seat=fault.seat,
                kind=fault.kind,
                message=escape(fault.message, 500),
                done=fault.done,
                line=log.line,
                log=None if log.path is None else str(log.path),
            )

    def printed(self, bot: int, games: Iterable[int], output: bytes) -> None:
        """A bot printed this in a process that played these games."""
        for game in games:
            incident = self._found.get((game, bot))
            if incident is not None and not incident.output:
                self._found[game, bot] = replace(incident, output=last_lines(output))

    def all(self) -> tuple[Incident, ...]:
        """Every incident, by game and bot."""
        return tuple(self._found[key] for key in sorted(self._found))


def last_lines(output: bytes) -> tuple[str, ...]:
    """The last lines a bot printed that are not blank, escaped, at most `OUTPUT_LINES`."""
    lines: Sequence[str] = output.decode("utf-8", "backslashreplace").splitlines()
    return tuple([escape(line.rstrip()) for line in lines if line.strip()][-OUTPUT_LINES:])

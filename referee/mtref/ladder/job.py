"""What a referee process is told to play and what it answers: values, and their JSON. Nothing is played here."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mtref.ladder.records import SeatRecord
from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.fault import FaultKind, FaultPolicy, Treatment
from mtref.match.options import MatchOptions
from mtref.match.result import GameResult
from mtref_sdk.ruleset import RuleSet

__all__ = ["Answer", "Job", "JobBot", "JobGame", "log_name", "read_answer", "seat_records"]


@dataclass(frozen=True, slots=True)
class JobBot:
    """A bot of a job: what it is called, what it is, how it is started, and the folder it consists of, if it has one."""

    name: str
    content: str
    command: str
    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    folder: str | None = None

    def entry(self) -> Entry:
        """The bot as a match takes it."""
        folder = None if self.folder is None else Path(self.folder)
        return Entry(self.name, self.command, self.argv, None, self.content, self.env, folder)


@dataclass(frozen=True, slots=True)
class JobGame:
    """One game of a job. ``id`` is the journal's, ``shown`` the one its bots may know; ``bots`` index the job's by seat.

    ``log`` is the file to write, which does not exist.
    """

    id: str
    shown: str
    deal: int
    seed: str
    bots: tuple[int, ...]
    log: str


@dataclass(frozen=True, slots=True)
class Job:
    """Games of the same bots on different deals. ``together`` of them are played side by side by one set of processes.

    With ``together`` 1 each game has fresh processes. ``sandbox`` is one of `mtref.ladder.config.SANDBOX_LEVELS`; ``secret``
    are files and folders that no bot may read.
    """

    rules: RuleSet
    clock: ClockSettings
    faults: FaultPolicy
    skip_forced: bool
    seed_text: str | None
    bots: tuple[JobBot, ...]
    games: tuple[JobGame, ...]
    together: int
    sandbox: str = "none"
    secret: tuple[str, ...] = ()

    def options(self) -> MatchOptions:
        """How the games are played, as a match takes it."""
        return MatchOptions(
            rules=self.rules,
            games=len(self.games),
            seed=self.seed_text,
            clock=self.clock,
            tables=self.together,
            policy=self.faults,
            skip_forced=self.skip_forced,
        )

    def to_json(self) -> str:
        """The job as one line."""
        plain = {
            "rules": self.rules.to_mapping(),
            "clock": asdict(self.clock),
            "faults": self.faults.to_dict(),
            "skip_forced": self.skip_forced,
            "seed_text": self.seed_text,
            "bots": [asdict(bot) for bot in self.bots],
            "games": [asdict(game) for game in self.games],
            "together": self.together,
            "sandbox": self.sandbox,
            "secret": self.secret,
        }
        return json.dumps(plain)

    @classmethod
    def from_json(cls, text: str) -> Job:
        """The job of such a line."""
        plain = json.loads(text)
        faults = plain["faults"]
        treatments = {FaultKind(kind): Treatment(cost) for kind, cost in faults["treatments"].items()}
        return cls(
            rules=RuleSet.from_mapping(plain["rules"]),
            clock=ClockSettings(**plain["clock"]),
            faults=FaultPolicy(faults["name"], faults["strikes"], treatments),
            skip_forced=plain["skip_forced"],
            seed_text=plain["seed_text"],
            bots=tuple(
                JobBot(**{**bot, "argv": tuple(bot["argv"]), "env": tuple(map(tuple, bot["env"]))})
                for bot in plain["bots"]
            ),
            games=tuple(JobGame(**{**game, "bots": tuple(game["bots"])}) for game in plain["games"]),
            together=plain["together"],
            sandbox=plain["sandbox"],
            secret=tuple(plain["secret"]),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a referee process says: a game is over, or the job is.

    ``game`` is the id of a finished game, with its ``digest``, ``seats`` and ``seconds``. Otherwise the job is over: with ``reason``
    empty all its games were played; with ``blamed`` those bots, by index, were not ready; else we failed. ``isolation``
    is the line that says how bots are kept apart.
    """

    game: str | None = None
    digest: str = ""
    seats: tuple[SeatRecord, ...] = ()
    seconds: float = 0.0
    reason: str = ""
    blamed: tuple[int, ...] = ()
    isolation: str = ""

    def to_json(self) -> str:
        """The answer as one line."""
        return json.dumps(asdict(self))


def read_answer(text: str | bytes) -> Answer:
    """The answer of a line."""
    plain: dict[str, Any] = json.loads(text)
    seats = tuple(SeatRecord.from_plain(seat) for seat in plain["seats"])
    return Answer(**{**plain, "seats": seats, "blamed": tuple(plain["blamed"])})


def seat_records(result: GameResult, bots: tuple[JobBot, ...]) -> tuple[SeatRecord, ...]:
    """The seats of a match's game as the journal keeps them."""
    return tuple(
        SeatRecord(
            bot=bots[seat.bot].name,
            content=bots[seat.bot].content,
            scores=seat.scores,
            total=seat.total,
            counted=seat.counted,
            place=seat.place,
            forfeited=seat.forfeited,
            decisions=seat.decisions,
            time_ms=seat.times_ms.total,
            longest_ms=seat.times_ms.max,
            faults=seat.faults,
        )
        for seat in result.seats
    )


def log_name(game: str, deal: int) -> Path:
    """Where the log of a game lies within the state folder: under its deal, named by the beginning of its id."""
    return Path("logs") / str(deal) / f"{game[:16]}.jsonl.zst"

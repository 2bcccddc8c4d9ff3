"""What a log holds besides events, as frozen values: header, decisions, faults, end, revealed seed. No files here.

A `Record` is one line of a log: an event of `mtref_sdk.events` as it is, or one of the classes below. A *log sink*
takes records in order; it serves as the listener of a ``Game`` too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from mtref_sdk.events import Event

__all__ = [
    "FORMAT",
    "BotInfo",
    "By",
    "LogDecision",
    "LogEnd",
    "LogFault",
    "LogHeader",
    "LogSink",
    "Origin",
    "PositionOrigin",
    "Record",
    "SeedRevealed",
]

FORMAT = "mtref-log/3"
"""The format this package writes; see ``docs/log-format.md``. Which ones it reads: `mtref.replay.formats`."""

By = Literal["bot", "default", "forced", "branch"]
"""Who chose a move: the bot, the referee after a fault or a forfeit, the referee because there was only one; or whoever had the
game played on from here by this move."""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """Who sits on a seat: the name shown, the command that was run, the SHA-256 of its file (hex, None if unknown).

    Names identify nothing: they may be equal, empty, long or hostile, and are kept as given up to a length.
    """

    name: str
    command: str
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a branch comes from: the game in another log up to its line ``line``, where ``move`` (a code) was played instead.

    ``digest`` is the SHA-256 (hex) over all bytes of that log before the line. Rounds from ``fresh_from`` on were dealt from a seed
    of the branch's own, because the other log told nothing of them; None if there are none.
    """

    game: str
    digest: str
    line: int
    move: int
    fresh_from: int | None = None


@dataclass(frozen=True, slots=True)
class PositionOrigin:
    """Where a round comes from that was played on from a position, a mapping as in a position file, with ``move`` (a code)."""

    position: Mapping[str, Any]
    move: int


@dataclass(frozen=True, slots=True)
class LogHeader:
    """The first line: what is needed to play the game again, except the moves and the seed.

    ``rules`` is the whole rule set (``RuleSet.to_mapping()``), ``bots`` go by seat, ``commitment`` is 32 bytes,
    ``clock`` the settings of the clock in ms or None when it was off, ``mtref`` the version that wrote the log,
    ``sandbox`` the line that says how the bots were kept apart, None in logs that do not tell, ``origin`` where a branch
    comes from, None for any other game, ``format`` the version of the format that the log has.
    """

    line: ClassVar[str] = "header"
    game: str
    deal: str
    rules: Mapping[str, Any]
    seats: int
    first_starter: int
    bots: tuple[BotInfo, ...]
    seeded: bool
    commitment: bytes
    clock: Mapping[str, float | None] | None
    mtref: str
    sandbox: str | None = None
    origin: Origin | PositionOrigin | None = None
    format: str = FORMAT


@dataclass(slots=True, unsafe_hash=True)
class LogDecision:
    """A choice, written before the events it causes. Moves are codes; ``legal`` is plain and in canonical order.

    ``ms`` is the time charged, ``bank_ms`` what the bank held when the bot was asked; both None when nobody was asked.
    Nobody changes one. (It is not frozen because one is made for every decision, and that would take three times as long.)
    """

    line: ClassVar[str] = "decision"
    seat: int
    legal: tuple[int, ...]
    may_lift: tuple[int, ...]
    move: int
    by: By = "bot"
    ms: float | None = None
    bank_ms: float | None = None


@dataclass(frozen=True, slots=True)
class LogFault:
    """A bot's failure: its kind (of the closed list of ``mtref.match``), what it sent, and what was done about it.

    ``message`` is whatever text explains it; it is escaped and capped when written. ``sent`` is the beginning of the
    message that was the fault, escaped, None where there was none. ``decision`` is what the bot had been asked, as the
    object of a decision file (``mtref-decision/1``); None where it had not been asked anything.
    """

    line: ClassVar[str] = "fault"
    seat: int
    kind: str
    message: str
    done: str
    sent: str | None = None
    decision: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The game was played to its end. ``scores`` is one tuple a round, ``faults`` a count by kind for each seat.

    ``times_ms`` are figures of each seat's decisions and ``delay_ms`` of the referee's own delay, None where not told.
    The digests (hex) are filled in by whoever writes the log; leave them empty.
    """

    line: ClassVar[str] = "end"
    totals: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    faults: tuple[Mapping[str, int], ...]
    game_digest: str = field(default="")
    file_digest: str = field(default="")
    times_ms: tuple[Mapping[str, float | None], ...] | None = None
    delay_ms: Mapping[str, float | None] | None = None


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The deal's seed, 32 bytes, told after every game of the deal is over. Outside both digests."""

    line: ClassVar[str] = "seed_revealed"
    seed: bytes


Record = Event | LogHeader | LogDecision | LogFault | LogEnd | SeedRevealed
"""One line of a log."""

LogSink = Callable[[Record], None]
"""Takes the records of one game in order."""

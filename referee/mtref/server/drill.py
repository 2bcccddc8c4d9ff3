"""The drill: an honest bot plays against each of the villains that are shipped, and must not notice.

The villains are programs in the folder ``villains`` of this package, a few lines each. From its fault on, and where it has
none from the beginning, every one of them plays what ``first_legal.py`` plays there, so the control game is known.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import mtref
from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.result import GameResult
from mtref.server.isolation import Isolation
from mtref.server.leftovers import left_behind, marked, new_mark
from mtref.server.runner import MatchSetup, NotReadyError, play_match
from mtref_sdk.ruleset import RuleSet

__all__ = ["CLOCK", "FOLDER", "VILLAINS", "Drilled", "Villain", "drill", "program", "short"]

FOLDER = Path(mtref.__file__).parent / "villains"
"""Where the villains are."""

CLOCK = ClockSettings(move_ms=1500, bank_ms=500, margin_ms=500)
"""Enough for an honest bot on a busy machine, and over soon with one that hangs."""

_HONEST = "first_legal.py"
_GREEDY = "1000000"
"""For so many decisions first_legal.py plays another way than the default policy does."""


@dataclass(frozen=True, slots=True)
class Villain:
    """A program and its arguments. ``faults`` are the kinds it must be charged with; ``perhaps`` those it may be, too, for
    a stream that is lost is noticed only when the game is not over before. The first ``honest`` decisions it plays as first_legal.py does
    when given that number. Not ``ready``: it must not get as far as a game.
    """

    name: str
    argv: tuple[str, ...]
    faults: frozenset[str] = frozenset()
    honest: int = 0
    ready: bool = True
    perhaps: frozenset[str] = frozenset()


def _villain(
    name: str, words: str, faults: str = "", honest: int = 0, *, ready: bool = True, perhaps: str = ""
) -> tuple[str, Villain]:
    sets = [frozenset(kinds.split()) for kinds in (faults, perhaps)]
    return name, Villain(name, tuple(words.split()), sets[0], honest, ready, sets[1])


VILLAINS = dict(
    (
        _villain("hangs", "fails.py hangs 3", "timeout", 3),
        _villain("raises", "fails.py raises 5", "crash", 5),
        _villain("exits-0", "fails.py exits 5", "crash", 5),
        _villain("killed", "fails.py killed 5", "crash", 5),
        _villain("exits-at-once", "unimportable.py", ready=False),
        _villain("illegal", "fails.py illegal 4", "illegal_move", 4),
        _villain("late", "fails.py late_once 2 4", "timeout stale_reply", 2),
        _villain("eats-memory", "fails.py eats 3", "memory", 3),
        _villain("garbage", "raw.py garbage", "malformed_reply"),
        _villain("huge-reply", "raw.py too_big", "crash", perhaps="disconnect"),
        _villain("answers-twice", "raw.py twice", "stale_reply"),
        _villain("answers-old", "raw.py old", "stale_reply"),
        _villain("answers-nothing", "raw.py flood", "stale_reply flood"),
        _villain("second-hello", "raw.py hello_again", "protocol"),
        _villain("returns", "raw.py returns", perhaps="disconnect"),
        _villain("abuses-http2", "abuser.py", perhaps="timeout stale_reply"),
        _villain("slow-import", "slow_start.py 20"),
        _villain("forks", "mischief.py forks"),
        _villain("daemon", "mischief.py daemon"),
        _villain("stays", "mischief.py stays"),
        _villain("closes-stdio", "mischief.py closes"),
        _villain("floods-stdio", "mischief.py floods"),
        _villain("reads-files", "mischief.py reads"),
        _villain("network", "mischief.py network"),
        _villain("fills-disk", "mischief.py disk"),
        _villain("\x1b[2J<b>../\u202e name", "first_legal.py 0"),
    )
)
"""The pack, by name. The last one's villainy is its name."""


@dataclass(frozen=True, slots=True)
class Drilled:
    """How it went. ``problems`` are sentences, none when all is well; ``faults`` what the villain was charged with."""

    villain: Villain
    faults: dict[str, int]
    problems: tuple[str, ...]
    seconds: float


def program(name: str, words: tuple[str, ...]) -> Entry:
    """The bot of this name that a file in `FOLDER` with these arguments is."""
    file, *rest = words
    argv = (sys.executable, str(FOLDER / file), *rest)
    return Entry(name, " ".join(words), argv, None, None)


def short(rules: RuleSet) -> RuleSet:
    """The same rules for one round."""
    return rules.with_overrides({"rounds": 1})


async def drill(villain: Villain, rules: RuleSet, seed: str, isolation: Isolation) -> Drilled:
    """Let an honest bot play against a villain, and against what should come of it, and compare."""
    mark = new_mark()
    options = MatchOptions(short(rules), seed=seed, clock=CLOCK)
    honest = program("honest", (_HONEST, _GREEDY))
    seats = max(2, rules.seats[0])
    company = [honest] * (seats - 1)
    setup = MatchSetup(isolation)
    entries = [*company, marked(program(villain.name, villain.argv), mark)]
    try:
        result = await play_match(options, entries, LogPlace(), setup=setup)
    except NotReadyError as error:
        ready = villain.ready or error.bots != (seats - 1,)
        problems = [f"no game was played: {error.reasons.splitlines()[0]}"] if ready else []
        return Drilled(villain, {"start_failure": 1}, (*problems, *_remains(mark)), 0.0)
    control = [*company, program("control", (_HONEST, str(villain.honest)))]
    wanted = await play_match(options, control, LogPlace(), setup=setup)
    faults = result.bots[-1].faults
    problems = _differences(result.games[0], wanted.games[0])
    if not villain.ready:
        problems.append("a game was played")
    missing = sorted(villain.faults - faults.keys())
    others = sorted(faults.keys() - villain.faults - villain.perhaps)
    if missing:
        problems.append(f"was not charged with {', '.join(missing)}")
    if others:
        problems.append(f"was charged with {', '.join(others)}")
    return Drilled(villain, faults, (*problems, *_remains(mark)), result.facts.seconds)


def _differences(game: GameResult, control: GameResult) -> list[str]:
    problems: list[str] = []
    if game.digest != control.digest:
        problems.append("the game is not the control game")
    for number, seat in enumerate(game.seats[:-1], 1):
        if seat.faults:
            charged = ", ".join(f"{kind} {count}" for kind, count in seat.faults.items())
            problems.append(f"the honest bot {number} was charged with {charged}")
    return problems


def _remains(mark: str) -> list[str]:
    left = left_behind(mark)
    return [f"left processes behind: {', '.join(map(str, left))}"] if left else []

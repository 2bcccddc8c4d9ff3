"""The programs that are shipped for drills and checks: the villains, and the honest bots they sit with. Values only.

They are in the folder ``villains`` of this package, a few lines each. From its fault on, and where it has none from the
beginning, every villain plays what ``first_legal.py`` plays, which is what the referee's default policy plays; so it is known
what its game has to be.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import mtref
from mtref.match.entry import Entry

__all__ = ["FOLDER", "HONEST", "VILLAINS", "Villain", "program"]

FOLDER = Path(mtref.__file__).parent / "villains"
"""Where the programs are."""


def program(name: str, words: str) -> Entry:
    """The bot of this name that a file in `FOLDER` with arguments is, as in ``"fails.py hangs 3"``."""
    file, *rest = words.split()
    argv = (sys.executable, str(FOLDER / file), *rest)
    return Entry(name, words, argv, None, None)


@dataclass(frozen=True, slots=True)
class Villain:
    """A program with its arguments. ``faults`` are the kinds it must be charged with; ``perhaps`` those it may be, too, as
    it is for the machine's load to say. The first ``honest`` decisions it plays as first_legal.py does when given that
    number. Not ``ready``: it must not get as far as a game. ``limited``: only a limit stops it.
    """

    name: str
    words: str
    faults: frozenset[str] = frozenset()
    honest: int = 0
    ready: bool = True
    perhaps: frozenset[str] = frozenset()
    limited: bool = False

    @property
    def entry(self) -> Entry:
        """The villain as a bot."""
        return program(self.name, self.words)

    @property
    def double(self) -> Entry:
        """The bot that plays what has to come of the villain: as it does before its fault, then the default policy."""
        return program(f"{self.name}, by default", f"first_legal.py {self.honest}")


def _villain(
    name: str,
    words: str,
    faults: str = "",
    honest: int = 0,
    *,
    ready: bool = True,
    perhaps: str = "",
    limited: bool = False,
) -> Villain:
    sets = [frozenset(kinds.split()) for kinds in (faults, perhaps)]
    return Villain(name, words, sets[0], honest, ready, sets[1], limited)


_LATE = "timeout stale_reply"
"""What its own mischief may cost a bot in time, on a busy machine."""

VILLAINS = {
    villain.name: villain
    for villain in (
        _villain("hangs", "fails.py hangs 3", "timeout", 3),
        _villain("slow-import", "slow_start.py 20"),
        _villain("raises", "fails.py raises 5", "crash", 5),
        _villain("exits-0", "fails.py exits 5", "crash", 5),
        _villain("killed", "fails.py killed 5", "crash", 5),
        _villain("exits-0-at-once", "leaves.py", ready=False),
        _villain("unimportable", "unimportable.py", ready=False),
        _villain("illegal", "fails.py illegal 4", "illegal_move", 4),
        _villain("late", "fails.py late_once 2 4", "timeout stale_reply", 2),
        _villain("eats-memory", "fails.py eats 3", "memory", 3, perhaps=_LATE, limited=True),
        _villain("deaf", "raw.py deaf", "timeout"),
        _villain("garbage", "raw.py garbage", "malformed_reply"),
        _villain("huge-reply", "raw.py too_big", "crash", perhaps="disconnect"),
        _villain("answers-twice", "raw.py twice", "stale_reply"),
        _villain("answers-old", "raw.py old", "stale_reply"),
        _villain("answers-nothing", "raw.py flood", "stale_reply flood"),
        _villain("second-hello", "raw.py hello_again", "protocol"),
        _villain("returns", "raw.py returns", perhaps="disconnect"),
        _villain("abuses-http2", "abuser.py", perhaps=f"{_LATE} disconnect crash flood"),
        _villain("connects-often", "mischief.py connects", "flood", perhaps=f"{_LATE} disconnect"),
        _villain("floods-frames", "mischief.py frames", "flood", perhaps=f"{_LATE} disconnect"),
        _villain("forks", "mischief.py forks", perhaps=_LATE),
        _villain("daemon", "mischief.py daemon", perhaps=_LATE),
        _villain("ignores-term", "mischief.py stays"),
        _villain("closes-stdio", "mischief.py closes"),
        _villain("floods-stdio", "mischief.py floods", perhaps=_LATE),
        _villain("reads-files", "mischief.py reads", perhaps=_LATE),
        _villain("network", "mischief.py network", perhaps=_LATE),
        _villain("fills-disk", "mischief.py disk", perhaps=_LATE),
        _villain("\x1b[2J<b>../\u202e name", "first_legal.py 0"),
    )
}
"""The pack, by name. The last one's villainy is its name."""

HONEST = tuple(program(liking, f"honest.py {liking}") for liking in ("heavy", "light", "doubles", "high"))
"""Honest bots that differ, and play the same whenever they are told the same."""

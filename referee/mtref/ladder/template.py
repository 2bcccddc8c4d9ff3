"""The file `mtref ladder init` writes. Every key of a ladder file stands in it, explained; a test reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path

__all__ = ["EXAMPLES", "template"]

EXAMPLES = ("bots/greedy.py", "bots/random_bot.py")
"""The bots of a file that is made for none: those that come with this repository."""

_TEXT = """\
# A ladder: which bots play, by which rules, how often. Every key is described in docs/ladder.md.
name: my-ladder

# A preset (see `mtref rules`), or one with changes: {preset: playboard, rounds: 2}
rules: playboard

# Bots at a table.
seats: 2

# round-robin: every table of that many bots. {gauntlet: {challenger: NAME}}: only tables with that bot.
# {swiss: {stages: 5}}: five times, tables of neighbours in the standings.
format: round-robin

# Deals that every table plays. All tables play the same deals.
deals: 10

# rotations: every deal again with all rotations of the seats. random: once, with seats dealt out evenly.
rotation: rotations

# Milliseconds: free for each move, for all that goes beyond in a game, added each round, for transport, to get ready.
# Or: clock: none
clock: {move_ms: 1000, bank_ms: 10000, increment_ms: 0, margin_ms: 100, startup_ms: 30000}

# lenient, strict, or changes to lenient such as {strikes: 2, timeout: forfeit}
faults: lenient

# Do not ask a bot that has only one move.
skip_forced: false

# How bots are kept apart: auto (the strongest way that works here), at least bwrap, landlock or rlimits, or none.
sandbox: auto

# Tables at the same time; more than there are processors makes bots slow.
concurrency: 1

# Whether each table's referee and bots share one core. Not for bots with threads, or that think on others' time.
pin: false

# Whether one set of bot processes plays several tables. Needs sandbox: bwrap.
reuse: false

# Whether bots of one author may sit at one table.
same_author: false

# The deals come from a secret seed. A text here makes them repeatable, and known to whoever reads it:
# seed: some text

# Where the journal and the logs go.
state: {state}

# Bots handed in with `mtref submit`: what is taken at most (MiB sent, MiB and number of files, parts of a path, characters of
# a name, MiB of files for a MiB sent), deals a new version plays at each table at first, failures running until it is parked,
# and with `mtref ladder serve`, bots and unrated games an hour for each author.
submissions:
  {archive_mb: 16, unpacked_mb: 32, files: 1000, depth: 8, name_length: 100, ratio: 100, deals: 10, park_after: 3, per_hour: 20,
   unrated_per_hour: 60}

bots:
{bots}"""

_EXAMPLE = """\
  - file: bots/greedy.py
    # name: greedy        # otherwise the file's name
    # author: somebody
    # env: {LEVEL: "3"}
    # deterministic: true # plays the same whenever it is told the same
  - file: bots/random_bot.py
  # - command: node bots/bot.js
  # - submitted: alpha    # a name that is kept for a bot that this author will hand in
  #   author: somebody
"""


def template(bots: Sequence[str]) -> str:
    """The text of a new ladder file for these Python files, or for example bots."""
    taken: set[str] = set()
    listed = "".join(_entry(bot, taken) for bot in bots)
    return _TEXT.replace("{state}", "ladder-state").replace("{bots}", listed or _EXAMPLE)


def _entry(bot: str, taken: set[str]) -> str:
    """The lines of one bot; with a name if its file's is no name, or taken."""
    stem = Path(bot).stem
    base = name = re.sub(r"^[^A-Za-z0-9]+|[^A-Za-z0-9._+-]", "_", stem)[:30].lstrip("._+-") or "bot"
    for number in count(2):
        if name not in taken:
            break
        name = f"{base}-{number}"
    taken.add(name)
    return f"  - file: {json.dumps(bot)}\n" + (f"    name: {name}\n" if name != stem else "")

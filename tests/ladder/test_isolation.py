"""Bots of a ladder in the sandbox: what they get, what they cannot read, and processes that play several tables."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.commands import mtref
from tests.ladder.processes import wait_until_gone
from tests.ladder.smallladder import BOTS, games_of, small_ladder

CURIOUS = """
import os
from pathlib import Path
assert os.environ["LEVEL"] == "3"
here = Path(__file__).parent
for name in ("ladder-state/journal.sqlite", "ladder-state", "ladder.yaml", "a.py", "c.py"):
    try:
        found = os.listdir(here / name) if name == "ladder-state" else (here / name).read_bytes()
    except OSError:
        found = None
    if found:
        raise SystemExit(f"{name} can be read")
"""


def test_shared_processes_in_the_sandbox_play_the_same_games_as_fresh_ones(tmp_path: Path) -> None:
    results = []
    for name, settings in (("fresh", ""), ("shared", "reuse: 3\n")):
        path = small_ladder(tmp_path / name, "seats: 2\ndeals: 3\n" + settings + BOTS)
        path.write_text(path.read_text().replace("sandbox: none", "sandbox: bwrap"))
        done = mtref("ladder", "run", path)
        assert done.returncode == 0, done.stderr
        assert "bots: " in done.stderr and "bwrap" in done.stderr
        results.append({game.id: game.digest for game in games_of(path)[1]})
    assert results[0] == results[1] and len(results[0]) == 18
    wait_until_gone(str(tmp_path))


def test_a_bot_gets_its_environment_and_reads_neither_journal_nor_rivals(tmp_path: Path) -> None:
    path = small_ladder(
        tmp_path / "x", "seats: 2\n" + BOTS.replace("{file: b.py}", "{file: b.py, env: {LEVEL: 3}}")
    )
    path.write_text(path.read_text().replace("sandbox: none", "sandbox: bwrap"))
    bot = tmp_path / "x" / "b.py"
    bot.write_text(bot.read_text().replace("from mtref_sdk", CURIOUS + "from mtref_sdk", 1))
    done = mtref("ladder", "run", path)
    assert done.returncode == 0, done.stderr + mtref("ladder", "errors", "--ladder", path).stdout
    assert mtref("ladder", "errors", "--ladder", path).stdout == "nothing went wrong\n"

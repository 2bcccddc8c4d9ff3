"""Ladders of real bots with the shortest of games, for tests that start processes."""

from __future__ import annotations

import shutil
from pathlib import Path

from mtref.ladder.config import LadderConfig
from mtref.ladder.configfile import load_config
from mtref.ladder.journal import open_journal
from mtref.ladder.records import GameRecord
from tests.house.repository import ROOT

__all__ = ["BOTS", "games_of", "small_ladder"]

SHORT = "name: short\nrules: {preset: cubano, tile_set: 6, hand: 5, rounds: 1}\nseed: short\nconcurrency: 2\nsandbox: none\n"
BOTS = "bots: [{file: a.py}, {file: b.py}, {file: c.py}]\n"


def small_ladder(folder: Path, settings: str) -> Path:
    """The file of a ladder with a greedy bot twice (``a.py``, ``c.py``) and a random one (``b.py``)."""
    folder.mkdir(exist_ok=True)
    for name, bot in (("a", "greedy"), ("b", "random_bot"), ("c", "greedy")):
        shutil.copy(ROOT / "bots" / f"{bot}.py", folder / f"{name}.py")
    path = folder / "ladder.yaml"
    path.write_text(SHORT + settings)
    return path


def games_of(path: Path) -> tuple[LadderConfig, list[GameRecord]]:
    """The ladder of a file and the games in its journal, in which nothing is out of order."""
    config = load_config(path)
    journal = open_journal(config, create=False)
    try:
        assert journal.conflicts() == []
        return config, list(journal.games())
    finally:
        journal.close()

"""Writes the golden logs of the current format: ``python -m tests.golden.make``. Existing files are never replaced.

A log here stands for those that users have. Once released it stays as it is for ever: if it no longer verifies,
the program is wrong, or it is a new format, which gets a folder of its own.
"""

from __future__ import annotations

from pathlib import Path

from mtref.replay.records import FORMAT
from mtref_sdk.ruleset import PRESET_NAMES, preset
from tests.replay.games import short, write_game

FOLDER = Path(__file__).parent / FORMAT.replace("/", "-")


def main() -> None:
    """Make what is missing: a short game of every preset, and one that was broken off."""
    FOLDER.mkdir(exist_ok=True)
    for number, name in enumerate(PRESET_NAMES):
        fewest, most = preset(name).seats
        path = FOLDER / f"{name}.jsonl{('.zst', '.gz')[number % 2]}"
        if not path.exists():
            seats = fewest + number % (most - fewest + 1)
            write_game(path, short(name), seats=seats, seed=f"golden {name}", faulty=number % 3 == 0)
    for name, reveal, stop_after in (("unrevealed", False, None), ("broken-off", False, 12)):
        path = FOLDER / f"{name}.jsonl"
        if not path.exists():
            write_game(path, short(), seats=3, seed=f"golden {name}", reveal=reveal, stop_after=stop_after)


if __name__ == "__main__":
    main()

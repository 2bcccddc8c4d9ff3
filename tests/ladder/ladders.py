"""Ladder files for tests: a base that is valid, and ways to change it."""

from __future__ import annotations

from pathlib import Path

from mtref.ladder.config import LadderConfig
from mtref.ladder.configfile import parse_config

__all__ = ["BASE", "config_of", "make_config"]

BASE = """\
name: test
rules: {preset: playboard, rounds: 1}
seats: 2
bots:
  - {command: "./a", name: a}
  - {command: "./b", name: b}
"""


def config_of(text: str, folder: Path = Path("/nowhere")) -> LadderConfig:
    """The ladder of a text, as if it were ``ladder.yaml`` in that folder."""
    return parse_config(text, folder / "ladder.yaml")


def make_config(
    bots: int, seats: int, *, authors: list[str] | None = None, settings: str = ""
) -> LadderConfig:
    """A ladder of so many bots called b0, b1, …, with more lines of settings."""
    lines = ["name: test", "rules: {preset: traditional, rounds: 1}", f"seats: {seats}", settings, "bots:"]
    for number in range(bots):
        author = f", author: {authors[number]}" if authors else ""
        lines.append(f'  - {{command: "./b{number}", name: b{number}{author}}}')
    return config_of("\n".join(lines) + "\n")

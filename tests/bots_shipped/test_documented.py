"""docs/bots.md: its margins are those of the bots as they are, and its searching bot plays."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from mtref.cli.match import command
from mtref.match.entry import parse_entry
from mtref.match.fault import STRICT
from mtref.match.margin import Margin
from mtref_sdk.load import load_bot
from tests.bots.villains import bot
from tests.house.repository import ROOT, code_block
from tests.server.playing import play_here

DOCUMENT = ROOT / "docs" / "bots.md"
TEXT = DOCUMENT.read_text("utf-8")
COMMANDS = [line for line in TEXT.splitlines() if line.startswith("mtref match") and "margins" in line]
ROWS = re.findall(r"^\| (.+ against .+) \| (.+) \|$", TEXT, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4), ids=lambda number: " ".join(COMMANDS[number].split()[2:4]))
def test_the_first_bot_beats_the_others_by_the_margins_told(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    command.main([*shlex.split(COMMANDS[number])[2:], "--json"], standalone_mode=False)
    result = json.loads(capsys.readouterr().out)
    margins = [Margin(**margin) for margin in result["margins"] if margin["bot"] == 0]
    assert all(margin.is_clear and margin.mean < 0 for margin in margins)
    assert ROWS[number][1] == ", ".join(str(margin.reversed) for margin in margins)


def test_a_margin_is_told_for_each_command() -> None:
    assert len(ROWS) == len(COMMANDS) == 4
    assert all("--games 200" in command for command in COMMANDS[:2])


def searcher(folder: Path) -> Path:
    """The searching bot of the document, as a file, with few worlds."""
    path = folder / "searcher.py"
    text = code_block(DOCUMENT, "python", containing="sample").replace("WORLDS = 20", "WORLDS = 2")
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("rules", ["playboard", "cubano-forgetful", "online-table-family", "traditional"])
def test_the_searching_bot_plays_without_a_fault_and_the_same_again(rules: str, tmp_path: Path) -> None:
    entries = [parse_entry(str(searcher(tmp_path))), bot("greedy")]
    games = [play_here(entries, rules=rules, rounds="1", policy=STRICT) for _ in range(2)]
    assert games[0].faults() == []
    assert games[0].seats[0].decisions > 1
    assert games[0].game.digest == games[1].game.digest


def test_the_searching_bot_is_about_thirty_lines(tmp_path: Path) -> None:
    path = searcher(tmp_path)
    assert type(load_bot(path)).__name__ == "Searcher"
    assert len([line for line in path.read_text("utf-8").splitlines() if line.strip()]) <= 30

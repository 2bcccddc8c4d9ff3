"""The command run in this process, a log and a bot."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mtref.cli.main import main
from tests.cli.loggames import FIRST, Run
from tests.replay.games import short, write_game


@pytest.fixture
def mtref(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; gives back exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mtref", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game of one round, two seats, in which seat 0 lays its heaviest tile."""
    return write_game(tmp_path / "game.jsonl.zst", short())


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot that plays its first legal move."""
    path = tmp_path / "first.py"
    path.write_text(FIRST)
    return path

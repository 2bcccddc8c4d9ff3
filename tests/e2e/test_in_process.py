"""Bots loaded into the referee's own process: what they print and raise is theirs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.commands import mtref

BOT = """
import asyncio, os, subprocess, sys
from mtref_sdk import Bot, run


class Odd(Bot):
    def choose(self, decision):
        {action}
        return decision.legal_moves[0]


run(Odd())
"""
QUICK = ("--rule", "rounds=1", "--seed", "in process", "--in-process")


def bot(folder: Path, action: str) -> Path:
    file = folder / "odd.py"
    file.write_text(BOT.format(action=action))
    return file


@pytest.mark.parametrize(
    "action",
    [
        "os.write(1, b'loud\\n')",
        "sys.__stdout__.write('loud\\n')",
        "print('loud')",
        "subprocess.run(['echo', 'loud'])",
    ],
)
def test_whatever_way_a_bot_prints_it_goes_to_stderr(tmp_path: Path, action: str) -> None:
    done = mtref("match", bot(tmp_path, action), "bots/greedy.py", *QUICK, "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["transport"] == "in-process"
    assert "loud" in done.stderr


@pytest.mark.parametrize(
    "error",
    [
        "SystemExit(0)",
        "GeneratorExit()",
        "asyncio.CancelledError()",
        "BaseException('odd')",
        "OSError(28, 'full')",
    ],
)
def test_whatever_a_bot_raises_is_its_crash(tmp_path: Path, error: str) -> None:
    done = mtref("match", bot(tmp_path, f"raise {error}"), "bots/greedy.py", *QUICK, "--json")
    assert done.returncode == 0
    odd, greedy = json.loads(done.stdout)["bots"]
    assert odd["faults"] == {"crash": 1} and not greedy["faults"]


def test_a_keyboard_interrupt_of_a_bot_ends_the_match_like_ctrl_c(tmp_path: Path) -> None:
    done = mtref("match", bot(tmp_path, "raise KeyboardInterrupt"), "bots/greedy.py", *QUICK, "--json")
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")

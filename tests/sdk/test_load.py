"""Loading a bot's file into this process: what it may do, what is undone, and one line for each way to be broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mtref_sdk import Bot, run
from mtref_sdk.errors import ConfigError
from mtref_sdk.load import load_bot
from mtref_sdk.testing import ask
from tests.sdk.sample_decisions import early_decision

GOOD = """
from mtref_sdk import Bot, run

class Mine(Bot):
    def choose(self, decision):
        return decision.legal_moves[0]

{guard}run(Mine())
raise AssertionError("nothing after run() happens")
"""
USING_HELPER = """
from dataclasses import dataclass
from helper import which
from mtref_sdk import Bot, run

@dataclass
class Mine(Bot):
    place: int = which

    def choose(self, decision):
        return decision.legal_moves[self.place]

run(Mine())
"""


def written(folder: Path, source: str, name: str = "bot.py") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(source)
    return file


@pytest.mark.parametrize("guard", ["", "if __name__ == '__main__': "])
def test_the_file_runs_up_to_run_and_gives_its_bot(tmp_path: Path, guard: str) -> None:
    bot = load_bot(written(tmp_path, GOOD.format(guard=guard)))
    assert isinstance(bot, Bot)
    assert type(bot).__name__ == "Mine"
    assert ask(bot, early_decision()) == early_decision().legal_moves[0]


def test_what_loading_changes_is_changed_back(tmp_path: Path) -> None:
    before = sys.modules["__main__"], sys.argv, list(sys.path), set(sys.modules)
    written(tmp_path, "which = 0\n", "helper.py")
    load_bot(str(written(tmp_path, USING_HELPER)))
    assert (sys.modules["__main__"], sys.argv, list(sys.path), set(sys.modules)) == before


def test_two_bots_may_each_have_a_helper_of_the_same_name(tmp_path: Path) -> None:
    bots = []
    for which in (0, 1):
        folder = tmp_path / str(which)
        written(folder, f"which = {which}\n", "helper.py")
        bots.append(load_bot(written(folder, USING_HELPER)))
    decision = early_decision()
    assert [ask(bot, decision) for bot in bots] == list(decision.legal_moves[:2])


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("x = (\n", ":1", "SyntaxError: '(' was never closed"),
        ("x = 1\nimport nothing_of_this_name\n", ":2", "No module named 'nothing_of_this_name'"),
        ("def f():\n    return 1 / 0\n\nf()\n", ":2", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)\n", ":1", "SystemExit: 3"),
        ("x = 1\n", "", "the file never calls run(…) with its bot"),
        ("from mtref_sdk import Bot, run\nrun(Bot)\n", ":2", "TypeError: run() needs an instance of a Bot"),
        ("\x00", ":1", "null bytes"),
    ],
)
def test_a_broken_file_is_one_line_with_the_place(tmp_path: Path, source: str, line: str, said: str) -> None:
    file = written(tmp_path, source)
    with pytest.raises(ConfigError) as caught:
        load_bot(file)
    message = str(caught.value)
    assert message.startswith(f"{file}{line}: ")
    assert said in message
    assert "\n" not in message


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nosuch\.py: No such file or directory"):
        load_bot(tmp_path / "nosuch.py")


def test_run_is_itself_again_after_loading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = load_bot(written(tmp_path, GOOD.format(guard="")))
    monkeypatch.delenv("MTREF_ADDRESS", raising=False)
    with pytest.raises(SystemExit, match="2"):
        run(bot)


@pytest.mark.parametrize("module", ["mtref_sdk", "mtref_sdk.testing", "mtref_sdk.session", "mtref_sdk.load"])
def test_a_bot_can_be_tested_without_grpc_or_protobuf(module: str) -> None:
    code = f"import {module}, sys; sys.exit(bool({{'grpc', 'google', 'asyncio'}} & set(sys.modules)))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0

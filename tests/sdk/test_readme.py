"""The README of the SDK: its bot plays, its code runs, it is typed, and it names only what exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mtref_sdk
from mtref_sdk import Bot, Decision, Move, Observation, Train, load_bot
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.testing import ask, decision_to_json
from tests.sdk.sample_decisions import early_decision
from tests.sdk.scripted import LEGAL, ScriptedReferee, asking, finished, table_start
from tests.sdk.test_client import meet

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "sdk" / "README.md").read_text("utf-8")
THE_BOT, THE_TEST = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
LONGER = """
from __future__ import annotations

from mtref_sdk import STOP, Bot, Decision, GameResult, GameStart, Move, Tile, run
from mtref_sdk.events import TilePlayed


class Counting(Bot):
    def __init__(self) -> None:
        self.seen: set[Tile] = set()

    def game_started(self, game: GameStart) -> None:
        self.seat: int = game.seat

    def choose(self, decision: Decision) -> Move:
        table = decision.observation
        self.seen = {event.tile for event in table.history if isinstance(event, TilePlayed)}
        own = [move for move in decision.legal_moves if move != STOP and move.train == table.own_train]
        if own and table.trains[table.own_train].end in (own[0].tile.low, own[0].tile.high):
            return own[0]
        if decision.may_lift and decision.clock.move_time > 0.1:
            return decision.may_lift[0].lifted()
        return self.rng.choice(decision.legal_moves)

    def game_ended(self, result: GameResult) -> None:
        print(result.places[self.seat] if result.places else result.outcome)


run(Counting())
"""


def written(folder: Path, source: str) -> Path:
    file = folder / "my_bot.py"
    file.write_text(source)
    return file


def test_the_bot_of_the_readme_has_ten_lines_and_chooses_the_heaviest_tile(tmp_path: Path) -> None:
    assert len([line for line in THE_BOT.splitlines() if line.strip()]) <= 10
    assert str(ask(load_bot(written(tmp_path, THE_BOT)), early_decision())) == "4-5@2"


def test_the_bot_of_the_readme_plays_over_grpc(tmp_path: Path) -> None:
    referee = ScriptedReferee(
        [
            pb.FromReferee(starts=[table_start(1)]),
            pb.FromReferee(updates=[asking(1, 5)]),
            pb.FromReferee(ends=[finished(1)]),
        ]
    )
    assert meet(THE_BOT, referee, tmp_path) == (0, "")
    assert list(referee.heard[-1].answers) == [pb.Answer(table=1, decision=5, move=LEGAL[1])]


def test_the_test_of_the_readme_runs(tmp_path: Path) -> None:
    written(tmp_path, THE_BOT)
    (tmp_path / "decision.json").write_text(decision_to_json(early_decision()))
    done = subprocess.run(
        [sys.executable, "-c", THE_TEST], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("source", [THE_BOT, LONGER], ids=["readme", "longer"])
def test_a_typed_bot_passes_the_strict_type_checker(source: str, tmp_path: Path) -> None:
    """From outside the project and without its settings, as an author's own run of mypy."""
    written(tmp_path, source)
    environment = os.environ | {"MYPYPATH": str(ROOT / "sdk")}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "my_bot.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")


def test_the_longer_bot_chooses(tmp_path: Path) -> None:
    assert str(ask(load_bot(written(tmp_path, LONGER)), early_decision())) == "0-4@2 lift"


def members(table: str) -> set[str]:
    """The names in the first column of the README's table that is headed `table`."""
    rows = TEXT.split(f"| `{table}` | |\n", 1)[1].split("\n\n", 1)[0]
    return {name for row in rows.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def public(kind: type[object]) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_the_readme_tells_of_everything_a_decision_and_an_observation_have() -> None:
    assert members("decision.") == public(Decision) - {"allows"}
    assert members("decision.observation.") == public(Observation) - {"after", "of"}
    assert {"tiles", "links", "end", "marked", "forgotten", "unsatisfied", "owner"} <= public(Train)


def test_what_the_package_exports_is_there_and_sorted_as_ruff_sorts_it() -> None:
    for name in mtref_sdk.__all__:
        assert getattr(mtref_sdk, name) is not None
    assert len(set(mtref_sdk.__all__)) == len(mtref_sdk.__all__)
    assert issubclass(mtref_sdk.Bot, Bot)
    assert mtref_sdk.Move is Move

"""``mtref replay --position`` and ``mtref pin`` as an author meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mtref.replay.records import LogDecision
from mtref_sdk.decisionfile import decision_from_json
from tests.cli.loggames import HOSTILE, ROOT, Run, decisions, plays_first
from tests.replay.games import write_game

GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/*.jsonl*"))


def test_positions_of_a_log_go_into_explain(mtref: Run, log: Path, tmp_path: Path) -> None:
    line = decisions(log, 1)[4]
    assert isinstance(line.record, LogDecision)
    for eyes in ([], ["--seat", 1]):
        code, out, _ = mtref("replay", log, "--at", line.number, *eyes, "--position")
        assert code == 0 and out.startswith(f"# line {line.number} of game test-1")
        (tmp_path / "here.yaml").write_text(out)
        _, out, _ = mtref("explain", tmp_path / "here.yaml", "--json")
        assert len(json.loads(out)["legal"]) == len(line.record.legal)
        _, out, _ = mtref("replay", log, "--at", line.number, *eyes, "--position", "--json")
        (tmp_path / "here.json").write_text(out)
        assert mtref("explain", tmp_path / "here.json")[0] == 0


def test_a_pinned_decision_passes_with_a_bot_that_chooses_well_and_fails_with_another(
    mtref: Run, log: Path, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = next(line for line in decisions(log, 0)[3:] if not plays_first(line))
    assert isinstance(line.record, LogDecision)
    monkeypatch.chdir(tmp_path)
    at = ("pin", log, "--seat", 0, "--at", line.number, "--bot", bot.name)
    (tmp_path / "tests").mkdir()
    as_it_was, another = tmp_path / "tests/test_as_it_was.py", tmp_path / "tests/test_another.py"
    code, out, err = mtref(*at, "-o", as_it_was)
    assert (code, out) == (0, "") and f"pytest {as_it_was}" in err
    _, legal, _ = mtref(*at)
    played = legal.split("GOOD_MOVES = {")[1].split("}")[0].strip('"')
    assert mtref(*at, "--avoid", played, "-o", another)[0] == 0
    assert ' / "../first.py"' in another.read_text()
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "1 failed, 1 passed" in ran.stdout
    assert "FAILED tests/test_as_it_was.py::test_line_" in ran.stdout
    code, _, err = mtref(*at, "-o", another)
    assert code == 2 and "exists already and is not overwritten" in err


def test_a_pin_of_a_hostile_log_is_a_harmless_test(mtref: Run, tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", bots=HOSTILE, seed="'''+\"\"\"{x}")
    code, out, _ = mtref("pin", log, "--seat", 0, "--at", 9)
    assert code == 0 and out.isascii() and "\x1b" not in out
    spaces: dict[str, object] = {"__file__": "x.py", "__name__": "x"}
    exec(compile(out, "x.py", "exec"), spaces)
    assert "decision" in str(spaces["DECISION"])


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_golden_logs_can_be_pinned(mtref: Run, path: Path) -> None:
    code, out, err = mtref("pin", path, "--seat", 1, "--at", 2)
    assert (code, err) == (0, "")
    spaces: dict[str, object] = {"__file__": "x.py", "__name__": "x"}
    exec(compile(out, "x.py", "exec"), spaces)
    decision = decision_from_json(str(spaces["DECISION"]))
    assert spaces["GOOD_MOVES"] <= {str(move) for move in decision.legal_moves} | {  # type: ignore[operator]
        str(move.lifted()) for move in decision.may_lift
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--avoid", "3-9@9"], "3-9@9 is not legal there; legal: "),
        (["--avoid", "nonsense"], "nonsense"),
        (["--move", "0-0@0", "--avoid", "0-0@0"], "--move and --avoid cannot be used together"),
        (["--seat", "5"], "--seat 5: the log has the seats 0 to 1"),
    ],
)
def test_a_wrong_pin_is_refused(mtref: Run, log: Path, options: list[str], message: str) -> None:
    code, out, err = mtref("pin", log, "--seat", 0, "--at", 9, *options)
    assert code != 0 and out == "" and message in err


def test_a_pin_with_a_dash_is_printed(
    mtref: Run, log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = mtref("pin", log, "--seat", 0, "--at", 9, "-o", "-")
    assert code == 0 and "def test_line_" in out and not (tmp_path / "-").exists()

"""``mtref explain`` on the command line: text, JSON, decisions, refusals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from mtref.cli.explain import command
from mtref_sdk.errors import ConfigError, IllegalMoveError, InvalidMoveError, MtrefError
from mtref_sdk.testing import decision_from_json, load_decision
from tests.house.repository import ROOT, code_block
from tests.scenarios.running import scenarios

DUTY = """
rule_set: dominos-cc
seats: 3
engine: 12
turn: 1
trains: {0: [12-5, 5-5], 1: [12-4], 2: [12-8]}
unsatisfied: [0]
hands: {0: [1-1, 2-2], 1: [4-6, 2-9], 2: [8-9, 0-5]}
boneyard: [4-8, 3-3]
"""


def explain(position: str, *arguments: str) -> str:
    result = CliRunner().invoke(command, ["-", *arguments], input=position, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def told(position: str, *arguments: str) -> dict[str, Any]:
    output = explain(position, "--json", *arguments)
    assert output.count("\n") == 1
    plain: dict[str, Any] = json.loads(output)
    return plain


def mtref(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    code = "from mtref.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "explain", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "COLUMNS": "100"},
    )


def test_as_it_stands_a_draw_comes_next() -> None:
    assert told(DUTY) == {
        "turn": 1,
        "legal": ["draw"],
        "forced": True,
        "may_lift": [],
        "marked": [],
        "unsatisfied": ["0"],
        "boneyard": 2,
        "hand_sizes": [2, 2, 2],
        "trains": {"0": ["12-5", "5-5"], "1": ["12-4"], "2": ["12-8"], "m1": []},
        "events": [],
        "over": None,
        "winner": None,
        "scores": None,
        "why_not": {
            "2-9": "no open end you may use is 2 or 9: the double on train 0 must be satisfied first (R-lock-table)",
            "4-6": "no open end you may use is 4 or 6: the double on train 0 must be satisfied first (R-lock-table)",
        },
    }


def test_settled_the_duty_has_travelled() -> None:
    settled = told(DUTY, "--settle")
    assert settled["turn"] == 2
    assert (settled["legal"], settled["forced"]) == (["0-5@0"], False)
    assert settled["events"] == ["tile_drawn", "turn_passed", "marker_raised", "turn_started"]
    assert (settled["marked"], settled["boneyard"], settled["hand_sizes"]) == ([1], 1, [2, 3, 2])


def test_moves_are_made_in_order_with_the_forced_steps_between() -> None:
    after = told(DUTY, "5-0@0", "8-4@1")
    assert (after["trains"]["0"], after["trains"]["1"]) == (["12-5", "5-5", "5-0"], ["12-4", "4-8"])
    assert (after["turn"], after["legal"]) == (2, ["8-9@2"])
    assert [name for name in after["events"] if name in {"tile_drawn", "turn_passed", "tile_played"}] == [
        "tile_drawn",  # seat 1
        "turn_passed",
        "tile_played",  # seat 2
        "tile_drawn",  # seat 0
        "turn_passed",
        "tile_played",  # seat 1
    ]
    assert told(DUTY, "5-0@0", "8-4@1", "--settle") == after


def test_the_round_can_end() -> None:
    moves = ["5-0@0", "8-4@1", "8-9@2"]
    ended = told(DUTY, *moves)
    assert (ended["over"], ended["winner"], ended["turn"]) == ("went_out", 2, None)
    assert (ended["legal"], ended["forced"], ended["why_not"]) == ([], False, {})
    assert ended["scores"] == [12, 21, 0]
    assert ended["events"][-1] == "round_ended"
    assert "seat 2 went out; scores 12 21 0" in explain(DUTY, *moves)


def test_unknown_hands_and_tiles() -> None:
    position = DUTY.replace("0: [1-1, 2-2]", "0: 2").replace("2: [8-9, 0-5]", "2: 2")
    settled = told(position, "--settle")
    assert (settled["turn"], settled["legal"], settled["forced"], settled["why_not"]) == (2, None, False, {})
    assert "which is unknown" in explain(position, "--settle")
    dark = position.replace("[4-8, 3-3]", "7")
    stuck = told(dark, "--settle")
    assert (stuck["turn"], stuck["legal"], stuck["forced"], stuck["boneyard"]) == (1, ["draw"], True, 7)
    assert "draws, a tile that is unknown (R-draw)" in explain(dark, "--settle")


def test_scores_of_unknown_hands_are_null() -> None:
    position = DUTY.replace("1: [4-6, 2-9]", "1: [5-6]").replace("0: [1-1, 2-2]", "0: 2")
    assert told(position, "5-6@0")["scores"] == [None, 0, 13 + 9]
    assert "scores unknown 0 22" in explain(position, "5-6@0")


@pytest.mark.parametrize(
    ("moves", "error", "words"),
    [
        (
            ["8-9@2"],
            IllegalMoveError,
            "seat 2 may not play 8-9@2: the double on train 0 must be satisfied first",
        ),
        (["0-5@0 lift"], IllegalMoveError, "(R-marker-down); legal: 0-5@0"),
        (["stop"], IllegalMoveError, "(R-must-play); legal: 0-5@0"),
        (
            ["pass"],
            IllegalMoveError,
            "seat 2 may not play pass: a seat that can play must play (R-must-play)",
        ),
        (["0-5@0", "9-9@2"], IllegalMoveError, "9-9 is not in its hand"),
        (["0-5@9"], IllegalMoveError, "there is no train 9 at a table of 3"),
        (["0-5@0", "4-8@1", "8-9@2", "1-1@0"], MtrefError, "1-1@0 cannot be played: the round is over"),
        (["hello"], InvalidMoveError, "not a move: 'hello'"),
        (["0-25@0"], InvalidMoveError, "no such tile"),
    ],
)
def test_refused_moves(moves: list[str], error: type[MtrefError], words: str) -> None:
    with pytest.raises(error) as caught:
        CliRunner().invoke(command, ["-", *moves], input=DUTY, catch_exceptions=False)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_draw_or_pass_that_is_due_may_be_named() -> None:
    assert told(DUTY, "draw")["events"] == told(DUTY, "--settle")["events"]


@pytest.mark.parametrize(
    ("change", "moves", "words"),
    [
        (("[4-8, 3-3]", "7"), ["draw"], "the tile that seat 1 draws is unknown"),
        (("[4-8, 3-3]", "7"), ["5-7@0"], "the tile that seat 1 draws is unknown"),
        (("[4-8, 3-3]", "7"), ["4-6@0"], "the open end of train 0 is 5"),
        (("2: [8-9, 0-5]", "2: 2"), ["0-5@0"], "the hand of seat 2 is unknown"),
    ],
)
def test_what_cannot_be_judged(change: tuple[str, str], moves: list[str], words: str) -> None:
    with pytest.raises(MtrefError, match=words):
        CliRunner().invoke(command, ["-", *moves], input=DUTY.replace(*change), catch_exceptions=False)


def test_text_for_people() -> None:
    text = explain(DUTY, "--settle")
    assert text.splitlines() == [
        "since then    seat 1 draws 4-8, seat 1 passes, marker 1 up",
        "",
        "dominos-cc, round 1, engine 12-12, seat 2 on turn",
        "train 0       12-5 5-5 (5) [unsatisfied]",
        "train 1       12-4 (4) [marked]",
        "train 2       12-8 (8)",
        "Mexican m1    (12)",
        "hand 0 (2)    1-1 2-2",
        "hand 1 (3)    2-9 4-6 4-8",
        "hand 2 (2)    0-5 8-9",
        "boneyard (1)  3-3",
        "",
        "may play      0-5@0",
        "",
        "not playable:",
        "  8-9    no open end you may use is 8 or 9: the double on train 0 must be satisfied first (R-lock-table)",
    ]


def test_text_names_the_tiles_that_may_lift() -> None:
    text = explain(yaml.safe_dump(scenarios()["edge-27-next-turn-may-lift"]["position"]))
    assert "may lift with 2-7@m1 6-8@0" in text
    assert "[marked, forgotten]" in text


def test_a_quiet_end_comes_next() -> None:
    position = yaml.safe_load(yaml.safe_dump(scenarios()["run-as-it-stands"]["position"]))
    position["hands"][0] = ["12-8", "7-7"]
    text = yaml.safe_dump(position)
    quiet = told(text)
    assert (quiet["legal"], quiet["forced"], quiet["turn"]) == (["stop"], True, 0)
    assert "its turn ends quietly (R-run)" in explain(text)
    assert told(text, "--settle")["events"] == ["turn_stopped", "turn_started"]


def test_the_decision_is_one_a_bot_can_be_asked(tmp_path: Path) -> None:
    file = tmp_path / "decision.json"
    file.write_text(explain(DUTY, "--decision"))
    decision = load_decision(file)
    assert [str(move) for move in decision.legal_moves] == ["0-5@0"]
    table = decision.observation
    assert (table.seat, table.turn, table.marked, table.unsatisfied) == (2, 2, (1,), ("0",))
    assert [str(tile) for tile in table.hand] == ["0-5", "8-9"]
    assert (table.hand_sizes, table.boneyard, table.passes) == ((2, 3, 2), 1, 1)
    assert table.just_drawn is None


def test_the_decision_is_on_one_line_where_json_is_asked_for() -> None:
    line = explain(DUTY, "--json", "--decision")
    assert line.count("\n") == 1
    assert line == explain(DUTY, "--decision", "--json")
    assert json.loads(line) == json.loads(explain(DUTY, "--decision"))


def test_the_decision_knows_the_tile_just_drawn() -> None:
    decision = decision_from_json(explain(DUTY.replace("[4-8, 3-3]", "[5-8, 3-3]"), "--decision"))
    assert str(decision.observation.just_drawn) == "5-8"
    assert (decision.observation.drawn, decision.observation.fresh) == (True, True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("[4-8, 3-3]", "7"), "a tile that is unknown"),
        (("2: [8-9, 0-5]", "2: 2"), "the hand of seat 2 is unknown"),
        (("1: [4-6, 2-9]", "1: [5-6]"), "the round is over"),
    ],
)
def test_where_there_is_no_decision(change: tuple[str, str], words: str) -> None:
    position = DUTY.replace(*change)
    moves = ["5-6@0"] if "5-6" in position else []
    with pytest.raises(MtrefError, match=words):
        CliRunner().invoke(command, ["-", "--decision", *moves], input=position, catch_exceptions=False)


def test_the_example_of_the_document() -> None:
    document = ROOT / "docs" / "positions.md"
    position = code_block(document, "yaml", containing="rule_set")
    assert told(position) == json.loads(code_block(document, "json", containing="why_not"))


def test_yaml_and_json_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(yaml.safe_load(DUTY), indent="\t"))
    result = CliRunner().invoke(command, [str(file), "--json"], catch_exceptions=False)
    assert json.loads(result.output) == told(DUTY)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "position.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, words in {
        str(tmp_path / "missing.yaml"): "cannot be read: No such file",
        str(tmp_path): "cannot be read: Is a directory",
        str(binary): "is not UTF-8 text",
    }.items():
        with pytest.raises(ConfigError, match=words):
            CliRunner().invoke(command, [path], catch_exceptions=False)


def test_exit_codes(tmp_path: Path) -> None:
    file = tmp_path / "duty.yaml"
    file.write_text(DUTY)
    assert mtref(str(file), "--settle").returncode == 0
    refused = mtref(str(file), "8-9@2")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert "R-lock-table" in refused.stderr
    broken = mtref("-", text=DUTY.replace("5-5]", "6-6]"))
    assert (broken.returncode, broken.stdout, broken.stderr.count("\n")) == (2, "", 1)
    assert "standard input: trains: " in broken.stderr
    assert mtref().returncode == 2

"""``mtref new``: the starter bot plays as it is, under every rule set, and is clean to its author's tools."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from mypy import api

from mtref.cli.new import command
from mtref.explain import Inquiry, decision_of
from mtref.position import position_from_mapping
from mtref_sdk.errors import ConfigError
from mtref_sdk.testing import ask, load_bot
from tests.scenarios.running import scenarios


def new(file: Path) -> str:
    result = CliRunner().invoke(command, [str(file)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def refusal(file: str) -> str:
    with pytest.raises(ConfigError) as caught:
        CliRunner().invoke(command, [file], catch_exceptions=False)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_starter_bot_answers_every_decision_of_the_scenarios(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    assert f"mtref match {file} {file}" in new(file)
    bot = load_bot(file)
    asked = lifted = 0
    for scenario in scenarios().values():
        inquiry = Inquiry(position_from_mapping(scenario["position"]))
        inquiry.settle()
        if inquiry.legal:
            decision = decision_of(inquiry)
            move = ask(bot, decision)  # refuses a move that is not allowed
            assert move.lift == (move.plain() in decision.may_lift)
            asked += 1
            lifted += move.lift
    assert asked > 150 and lifted > 5


def test_the_starter_bot_is_strictly_typed(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    new(file)
    limit = sys.getrecursionlimit()  # mypy raises it and leaves it so, for all tests to come
    report, errors, status = api.run(
        ["--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache"), str(file)]
    )
    sys.setrecursionlimit(limit)
    assert (status, errors) == (0, ""), report


def test_a_file_that_exists_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text("mine")
    assert "there already" in refusal(str(file))
    assert file.read_text() == "mine"


@pytest.mark.parametrize("name", ['a"""b.py', "a\\b.py", "my bot.py", "zug-ñ.py", "it's.py"])
def test_no_name_of_a_file_breaks_the_bot(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    new(file)
    ast.parse(file.read_text("utf-8"))
    load_bot(file)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    assert "cannot be written: No such file" in refusal(str(tmp_path / "missing" / "my_bot.py"))
    assert "ends in .py" in refusal(str(tmp_path / "my_bot"))
    (tmp_path / "folder.py").mkdir()
    assert "there already" in refusal(str(tmp_path / "folder.py"))

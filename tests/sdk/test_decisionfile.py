"""Decision files and the testing module: what a bot's author uses instead of a referee."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mtref_sdk import Bot, Decision, GameStart, Move, parse_move
from mtref_sdk.errors import ConfigError
from mtref_sdk.testing import ask, decision_from_json, decision_to_json, load_decision
from mtref_sdk.view import view_fields
from tests.sdk.sample_decisions import early_decision, plain_decision
from tests.sdk.scripted import FirstMove


@pytest.mark.parametrize("make", [early_decision, plain_decision])
def test_a_decision_survives_its_file(make: Callable[[], Decision], tmp_path: Path) -> None:
    file = tmp_path / "decision.json"
    file.write_text(decision_to_json(make()))
    before, after = make(), load_decision(file)
    assert view_fields(after.observation) == view_fields(before.observation)
    assert after.observation.rules == before.observation.rules
    assert after.observation.seat == before.observation.seat
    assert after.observation.seats == before.observation.seats
    assert (after.legal_moves, after.may_lift) == (before.legal_moves, before.may_lift)
    assert (after.clock, after.game) == (before.clock, before.game)
    assert decision_to_json(after) == decision_to_json(before)


def test_a_decision_file_reads_like_a_position() -> None:
    plain = json.loads(decision_to_json(early_decision()))
    assert plain["format"] == "mtref-decision/1"
    assert plain["trains"] == {"0": [], "1": ["8-3", "3-0"], "2": ["8-4", "4-4"], "m1": ["8-2"]}
    assert plain["legal"] == ["0-4@2", "4-5@2"]
    assert plain["hand"] == ["0-4", "1-1", "4-5"]
    assert json.loads(decision_to_json(plain_decision()))["move_time"] is None


def changed(**changes: Any) -> str:
    plain = json.loads(decision_to_json(early_decision())) | changes
    return json.dumps({key: value for key, value in plain.items() if value != "gone"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "d.json: not JSON"),
        ("[]", "d.json: format: not a decision file; allowed: mtref-decision/1"),
        (changed(format="mtref-decision/2"), "d.json: format: not a decision file"),
        (changed(hand="gone"), "d.json: hand: is missing"),
        (changed(hand=["0-44"]), "d.json: not a usable decision: no such tile"),
        (changed(hand=7), "d.json: not a usable decision"),
        (changed(legal=["0-4"]), "d.json: not a usable decision: not a move: '0-4'"),
        (changed(trains={"1": ["8-3", "8-5"]}), "d.json: not a usable decision: train 1: 5-8 does not join"),
        (changed(trains={"x": []}), "d.json: not a usable decision: not a train"),
        (changed(rules={"preset": "bingo"}), "d.json: not a usable decision: preset"),
    ],
)
def test_a_file_that_is_no_decision_is_one_line(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        decision_from_json(text, where="d.json")
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_decision(tmp_path / "nosuch.json")


class Seated(Bot):
    """Needs to have been seated, as in a game, before it can choose."""

    def __init__(self, answer: Move) -> None:
        self.answer = answer
        self.seat = -1

    def game_started(self, game: GameStart) -> None:
        self.seat = game.seat

    def choose(self, decision: Decision) -> Move:
        assert self.seat == decision.observation.seat
        return self.answer


def test_ask_seats_a_copy_of_the_bot_and_returns_its_move() -> None:
    bot = Seated(parse_move("0-4@2 lift"))
    assert ask(bot, early_decision()) == parse_move("0-4@2 lift")
    assert bot.seat == -1


def test_ask_refuses_a_move_that_is_not_allowed() -> None:
    with pytest.raises(ValueError, match=r"4-5@2 lift, which is not allowed here; legal: 0-4@2, 4-5@2"):
        ask(Seated(parse_move("4-5@2 lift")), early_decision())


def test_ask_repeats_itself_for_the_same_seed() -> None:
    class Random(FirstMove):
        def choose(self, decision: Decision) -> Move:
            return self.rng.choice(decision.legal_moves)

    moves = [ask(Random(), early_decision(), bytes([seed] * 32)) for seed in range(20)]
    assert moves == [ask(Random(), early_decision(), bytes([seed] * 32)) for seed in range(20)]
    assert len(set(moves)) == 2

"""Every bot that comes with mtref plays whole games of every preset, without a fault and the same ones again."""

from __future__ import annotations

import pytest

from mtref.match.fault import STRICT
from mtref_sdk.ruleset import PRESET_NAMES, preset
from tests.bots.villains import HONEST, bot
from tests.server.playing import play_here

BOTS = sorted(path.stem for path in HONEST.glob("*.py"))


def test_these_bots_come_with_mtref() -> None:
    assert BOTS == ["greedy", "planner", "random_bot"]


@pytest.mark.parametrize("end", ["fewest", "most"])
@pytest.mark.parametrize("rules", PRESET_NAMES)
@pytest.mark.parametrize("name", BOTS)
def test_a_shipped_bot_plays_a_legal_whole_game(name: str, rules: str, end: str) -> None:
    seats = preset(rules).seats[end == "most"]
    played = play_here([bot(name)] * seats, rules=rules, policy=STRICT)
    assert played.faults() == []
    assert played.game.rounds == preset(rules).rounds
    assert all(seat.decisions for seat in played.seats)


@pytest.mark.parametrize("rules", PRESET_NAMES)
def test_shipped_bots_play_the_same_game_again(rules: str) -> None:
    """All three at one table where there is room; two rounds where the rule set allows."""
    seats = min(3, preset(rules).seats[1])
    bots = [bot(name) for name in BOTS[:seats]]
    short = {} if preset(rules).engine == "highest_held" else {"rounds": "2"}
    first, second = (play_here(bots, rules=rules, **short) for _ in range(2))
    assert first.game.digest == second.game.digest

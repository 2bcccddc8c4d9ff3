"""The same seed gives the same game in one process and over gRPC, whatever the rules."""

from __future__ import annotations

import pytest

from mtref_sdk.ruleset import PRESET_NAMES, preset
from tests.bots.villains import bot
from tests.server.playing import play, play_here


@pytest.mark.slow
@pytest.mark.parametrize("rules", PRESET_NAMES)
def test_in_process_and_over_grpc_give_the_same_digest(rules: str) -> None:
    most = preset(rules).seats[1]
    entries = [bot(("random_bot", "greedy")[seat % 2]) for seat in range(min(most, 4))]
    over_grpc, here = play(entries, rules=rules), play_here(entries, rules=rules)
    assert over_grpc.game.digest == here.game.digest
    assert over_grpc.game.game == here.game.game
    assert [seat.scores for seat in over_grpc.seats] == [seat.scores for seat in here.seats]
    assert over_grpc.faults() == here.faults() == []


@pytest.mark.slow
def test_ten_bots_play_at_one_table() -> None:
    entries = [bot(("random_bot", "greedy")[seat % 2]) for seat in range(10)]
    over_grpc, here = (how(entries, rules="traditional", rounds="2") for how in (play, play_here))
    assert over_grpc.game.digest == here.game.digest

"""Matches in a sandbox: the same games, what is in force is told, memory is a fault of its own, nobody ponders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mtref.match.clock import ClockSettings
from mtref.replay.records import LogHeader
from mtref.server.isolation import Isolation
from mtref.server.runner import MatchSetup
from mtref.server.sandbox.choose import choose_sandbox
from mtref.server.sandbox.levels import Level
from tests.bots.villains import bot
from tests.server.playing import play

ONE_ROUND = {"rules": "playboard", "rounds": "1"}
PATIENT = ClockSettings(move_ms=20_000)


@pytest.fixture
def isolation(request: pytest.FixtureRequest) -> Iterator[Isolation]:
    box = choose_sandbox(getattr(request, "param", Level.RLIMITS))
    yield Isolation(box)
    box.close()


@pytest.mark.parametrize("isolation", list(Level), indirect=True)
def test_at_every_level_the_game_is_the_same_and_the_log_says_what_is_in_force(isolation: Isolation) -> None:
    entries = [bot("greedy"), bot("first_legal", 3)]
    played = play(entries, MatchSetup(isolation), clock=PATIENT, **ONE_ROUND)
    assert played.faults() == []
    assert played.game.digest == play(entries, **ONE_ROUND).game.digest
    header = next(record for record in played.records if isinstance(record, LogHeader))
    assert header.sandbox is not None and header.sandbox.startswith(f"sandbox: {isolation.in_force.level}")
    assert played.result.to_dict()["sandbox"]["line"] == header.sandbox


def test_a_bot_that_eats_memory_forfeits_by_it(isolation: Isolation) -> None:
    entries = [bot("greedy"), bot("fails", "eats", 3)]
    played = play(entries, MatchSetup(isolation), clock=PATIENT, **ONE_ROUND)
    kind = "memory" if "cgroup" in isolation.in_force.memory else "crash"
    assert played.faults() == [(1, kind, "forfeit")]
    assert played.result.bots[1].faults == {kind: 1}
    control = play([bot("greedy"), bot("first_legal", 3)], **ONE_ROUND)
    assert played.game.digest == control.game.digest


def test_bots_that_are_paused_off_move_play_the_same_game(isolation: Isolation) -> None:
    entries = [bot("greedy"), bot("first_legal", 3)]
    paused = Isolation(isolation.sandbox, pondering=False)
    played = play(entries, MatchSetup(paused), clock=PATIENT, **ONE_ROUND)
    assert played.faults() == []
    assert played.game.digest == play(entries, **ONE_ROUND).game.digest
    assert "paused" in str(played.result.to_dict()["sandbox"]["line"])

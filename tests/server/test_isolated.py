"""Matches in a sandbox: the same games, what is in force is told, memory is a fault of its own, nobody ponders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mtref.match.clock import ClockSettings
from mtref.replay.records import LogHeader
from mtref.server.isolation import Isolation
from mtref.server.runner import MatchSetup
from mtref.server.sandbox import cgroup
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


@pytest.mark.parametrize("cgroups", [True, False], ids=["as it is", "without cgroups"])
@pytest.mark.parametrize("level", [Level.BWRAP, Level.LANDLOCK, Level.RLIMITS])
def test_a_bot_that_eats_memory_forfeits_by_it(
    level: Level, cgroups: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not cgroups:
        monkeypatch.setattr(cgroup, "here", _no_place)
    box = choose_sandbox(level)
    assert cgroups or "for each process" in box.in_force.memory
    entries = [bot("greedy"), bot("fails", "eats", 3)]
    played = play(entries, MatchSetup(Isolation(box)), clock=PATIENT, **ONE_ROUND)
    box.close()
    assert played.faults() == [(1, "memory", "forfeit")]
    assert played.result.bots[1].faults == {"memory": 1}
    control = play([bot("greedy"), bot("first_legal", 3)], **ONE_ROUND)
    assert played.game.digest == control.game.digest


def _no_place() -> cgroup.Place:
    raise cgroup.NoCgroupError("there are none in this test")


@pytest.mark.parametrize(
    ("says", "kind"),
    [
        ("MemoryError", "memory"),
        ("numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB", "memory"),
        ("  what():  std::bad_alloc", "memory"),
        ("ValueError: no MemoryError at all", "crash"),
        ("", "crash"),
    ],
)
def test_without_a_word_about_memory_an_end_is_a_crash(says: str, kind: str, isolation: Isolation) -> None:
    entries = [bot("greedy"), bot("fails", "says", 3, says)]
    played = play(entries, MatchSetup(isolation), clock=PATIENT, **ONE_ROUND)
    assert played.faults() == [(1, kind, "forfeit")]
    without_limits = play(entries, clock=PATIENT, **ONE_ROUND)
    assert without_limits.faults() == [(1, "crash", "forfeit")]


def test_bots_that_are_paused_off_move_play_the_same_game(isolation: Isolation) -> None:
    entries = [bot("greedy"), bot("first_legal", 3)]
    paused = Isolation(isolation.sandbox, pondering=False)
    played = play(entries, MatchSetup(paused), clock=PATIENT, **ONE_ROUND)
    assert played.faults() == []
    assert played.game.digest == play(entries, **ONE_ROUND).game.digest
    assert "paused" in str(played.result.to_dict()["sandbox"]["line"])

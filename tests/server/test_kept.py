"""Bots whose one process plays game after game: whatever it did in one, the next is played in good order, or listed as not played."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mtref.match.clock import ClockSettings
from mtref.server.runner import MatchSetup, NotReadyError
from mtref.server.stream import BotServer
from tests.bots.villains import bot
from tests.server.playing import play

KEPT = MatchSetup(keeps_bots=True, lists_unplayed=True)
ONE_ROUND = {"rules": "playboard", "rounds": "1"}
QUICK = ClockSettings(move_ms=1000, bank_ms=500, margin_ms=500)
NO_CLOCK = ClockSettings(enabled=False, startup_ms=5000)


@pytest.mark.parametrize("tables", [1, 2])
@pytest.mark.parametrize("clock", [QUICK, NO_CLOCK], ids=["clock", "no clock"])
def test_a_bot_that_died_in_one_game_is_there_for_the_next(tables: int, clock: ClockSettings) -> None:
    entries = [bot("greedy"), bot("fails", "exits", 3)]
    played = play(entries, KEPT, **ONE_ROUND, games=4, tables=tables, clock=clock)
    assert [game.number for game in played.result.games] == [1, 2, 3, 4]
    assert [bot.faults for bot in played.result.bots] == [{}, {"crash": 4}]
    if tables == 1:  # of several, the one pays whose answer was lost with the process
        assert all(seat.decisions >= 4 for game in played.result.games for seat in game.seats)


@pytest.mark.slow
@pytest.mark.parametrize("tables", [1, 2])
def test_a_bot_that_hangs_in_one_game_is_ended_and_started_for_the_next(tables: int) -> None:
    entries = [bot("greedy"), bot("fails", "hangs", 3)]
    played = play(entries, KEPT, **ONE_ROUND, games=2 * tables, tables=tables, clock=QUICK)
    assert len(played.result.games) == 2 * tables
    assert played.result.bots[0].faults == {}
    assert played.result.bots[1].forfeits == 2 * tables
    last = max(played.result.games, key=lambda game: game.number)
    assert next(seat for seat in last.seats if seat.bot == 1).decisions >= 4


@pytest.mark.slow
@pytest.mark.parametrize("clock", [QUICK, NO_CLOCK], ids=["clock", "no clock"])
@pytest.mark.parametrize("way", ["leaves", "returns_too_often"])
def test_a_bot_that_lost_its_stream_for_good_forfeits_and_is_started_for_the_next_game(
    way: str, clock: ClockSettings
) -> None:
    played = play([bot("greedy"), bot("raw", way)], KEPT, **ONE_ROUND, games=2, clock=clock)
    assert played.result.bots[0].faults == {}
    assert all(seat.forfeited == (seat.bot == 1) for seat in played.result.games[0].seats)
    if len(played.result.games) == 1:  # its process lives and does not call again
        assert [game.bots for game in played.result.facts.unplayed] == [(1,)]


def test_a_bot_may_come_back_five_times_in_every_game() -> None:
    played = play([bot("greedy"), bot("raw", "returns_often")], KEPT, **ONE_ROUND, games=3)
    assert played.result.bots[0].faults == {}
    assert played.result.bots[1].forfeits == 0
    assert len(played.result.games) == 3


@pytest.mark.slow
def test_a_bot_that_reads_nothing_forfeits_every_game() -> None:
    played = play([bot("greedy"), bot("raw", "deaf")], KEPT, **ONE_ROUND, games=3, clock=QUICK)
    assert played.result.bots[0].faults == {}
    assert played.result.bots[1].forfeits == 3
    assert played.result.bots[1].faults == {"timeout": 9}


def test_a_bot_that_cannot_be_told_the_commitment_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    async def for_ever(_: BotServer) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(BotServer, "flushed", for_ever)
    with pytest.raises(NotReadyError, match="read nothing for 5 s before the deal"):
        play([bot("greedy"), bot("first_legal")], **ONE_ROUND, clock=NO_CLOCK)


def test_a_bot_that_cannot_be_started_again_costs_its_games_and_nobody_elses(tmp_path: Path) -> None:
    once = bot("starts_once", tmp_path / "mark", "3")
    played = play([bot("greedy"), once], KEPT, **ONE_ROUND, games=3)
    assert [game.number for game in played.result.games] == [1]
    assert [(game.number, game.bots) for game in played.result.facts.unplayed] == [(2, (1,)), (3, (1,))]
    assert played.result.bots[1].faults == {"crash": 1, "start_failure": 2}

"""Several tables over one process a bot: times, deaths and hangs of one table are no other table's."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtref.match.clock import ClockSettings
from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision
from tests.bots.villains import bot
from tests.server.playing import Played, play, play_here

ONE_ROUND = {"rules": "playboard", "rounds": "1"}


def faults_by_game(played: Played) -> dict[int, dict[str, int]]:
    return {game.number: seat.faults for game in played.result.games for seat in game.seats if seat.faults}


def test_many_tables_side_by_side_are_the_same_games_as_one_after_another() -> None:
    entries = [bot("greedy"), bot("random_bot"), bot("greedy")]
    shared = play(entries, games=40, tables=16, **ONE_ROUND)
    alone = play_here(entries, games=40, **ONE_ROUND)
    assert [game.digest for game in shared.result.games] == [game.digest for game in alone.result.games]
    assert [game.number for game in shared.result.games] == list(range(1, 41))
    assert len({game.commitment for game in shared.result.games}) == 40


@pytest.mark.slow
def test_when_one_of_32_tables_sleeps_no_other_is_charged(tmp_path: Path) -> None:
    nap, limit_ms = 4.0, 2_000
    entries = [bot("greedy"), bot("fails", "naps_at_table_1", 1, nap)]
    clock = ClockSettings(move_ms=limit_ms, bank_ms=60_000, margin_ms=500)
    played = play(entries, log=str(tmp_path), games=32, tables=32, clock=clock, **ONE_ROUND)
    assert faults_by_game(played) == {}
    sleepers = [game.seats[game.number % 2].times_ms for game in played.result.games]
    assert sleepers[0].max > 2 * limit_ms * 0.9
    decisions: list[LogDecision] = []
    for log in tmp_path.iterdir():
        with LogReader(log) as reader:
            decisions += [line.record for line in reader if isinstance(line.record, LogDecision)]
    assert len(decisions) > 32 and sum((made.ms or 0) > limit_ms for made in decisions) == 1
    assert max(times.max for times in sleepers[1:]) < limit_ms
    honest = [game.seats[1 - game.number % 2].times_ms for game in played.result.games]
    assert max(times.max for times in honest) < limit_ms


def test_a_table_that_is_late_costs_the_others_nothing_while_the_bot_is_still_busy_with_it() -> None:
    entries = [bot("greedy"), bot("fails", "sleeps_for_table_1", 1, 4.0)]
    clock = ClockSettings(move_ms=1000, bank_ms=200, margin_ms=300)
    played = play(entries, games=8, tables=8, clock=clock, **ONE_ROUND)
    assert list(faults_by_game(played)) == [1]
    assert played.result.games[0].seats[1].faults["timeout"] == 3


@pytest.mark.parametrize("way", ["dies_at_table_1", "hangs_for_table_1"])
def test_when_a_shared_process_dies_or_hangs_only_one_game_is_charged_and_the_others_go_on(way: str) -> None:
    entries = [bot("greedy"), bot("fails", way, 4)]
    clock = ClockSettings(move_ms=1500, bank_ms=500, margin_ms=500)
    played = play(entries, games=6, tables=6, clock=clock, **ONE_ROUND)
    control = play([bot("greedy"), bot("first_legal", 4)], games=6, tables=6, **ONE_ROUND)
    assert list(faults_by_game(played)) == [1]
    assert played.result.games[0].seats[1].forfeited
    assert [game.digest for game in played.result.games] == [game.digest for game in control.result.games]


def test_a_bot_that_dies_at_every_table_forfeits_every_game_and_the_match_ends() -> None:
    played = play([bot("greedy"), bot("fails", "exits", 3)], games=5, tables=5, **ONE_ROUND)
    assert all(game.seats[game.number % 2].forfeited for game in played.result.games)
    assert [bot.forfeits for bot in played.result.bots] == [0, 5]


def test_a_random_bot_repeats_itself_in_a_fresh_process() -> None:
    """Its generator is where it was, because the old decisions are put to it again."""
    entries = [bot("random_bot"), bot("random_crasher")]
    played = play(entries, games=4, tables=4, **ONE_ROUND)
    control = play_here([bot("random_bot"), bot("random_bot")], games=4, **ONE_ROUND)
    assert played.result.bots[1].forfeits == 1
    assert [game.digest for game in played.result.games[1:]] == [
        game.digest for game in control.result.games[1:]
    ]

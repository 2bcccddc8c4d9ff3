"""Bots that misbehave after the deal: the game ends by itself, and equals one in which the default policy took over."""

from __future__ import annotations

from functools import cache

import pytest

from mtref.match.clock import ClockSettings
from mtref.match.fault import STRICT
from mtref.match.options import Limits
from tests.bots.villains import bot
from tests.server.playing import Played, play, play_here

QUICK = ClockSettings(move_ms=1000, bank_ms=500, margin_ms=500)
"""A clock on which a bot that hangs has forfeited in five seconds, and on which an honest one is in time on a busy machine."""

RULES = {"rules": "playboard", "rounds": "2"}


@cache
def control_digest(after: int) -> str:
    """The digest of the game in which the other bot turns to the default policy by itself, after so many decisions."""
    return play([bot("greedy"), bot("first_legal", after)], **RULES).game.digest


def same_game(played: Played, after: int) -> bool:
    """Whether the game went on, from the fault on, as if the bot itself had turned to the default policy."""
    return played.game.digest == control_digest(after)


@pytest.mark.parametrize("after", [0, 5])
@pytest.mark.parametrize("way", ["raises", "exits", "killed"])
def test_a_bot_that_dies_forfeits_at_once_and_the_others_play_on(way: str, after: int) -> None:
    played = play([bot("greedy"), bot("fails", way, after)], **RULES, clock=ClockSettings(enabled=False))
    assert played.faults() == [(1, "crash", "forfeit")]
    assert [seat.place for seat in played.seats] == [1, 2]
    assert played.seats[1].counted == max(seat.total for seat in played.seats)
    assert same_game(played, after)


def test_a_bot_that_hangs_has_three_strikes_and_the_others_play_on() -> None:
    played = play([bot("greedy"), bot("fails", "hangs", 3)], **RULES, clock=QUICK)
    assert played.faults() == [
        (1, "timeout", "default_move"),
        (1, "timeout", "default_move"),
        (1, "timeout", "forfeit"),
    ]
    assert same_game(played, 3)


def test_a_late_answer_is_a_timeout_then_stale_and_the_bot_plays_on() -> None:
    played = play([bot("greedy"), bot("fails", "late_once", 2, 3.0)], **RULES, clock=QUICK)
    assert played.faults() == [(1, "timeout", "default_move"), (1, "stale_reply", "counted")]
    assert not played.seats[1].forfeited
    assert same_game(played, 2)


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        ("garbage", "malformed_reply"),
        ("empty", "malformed_reply"),
        ("no_move", "malformed_reply"),
        ("huge_number", "malformed_reply"),
        ("wrong_table", "malformed_reply"),
        ("hello_again", "protocol"),
    ],
)
def test_replies_that_cannot_be_used_are_three_strikes(way: str, kind: str) -> None:
    played = play([bot("greedy"), bot("raw", way)], **RULES)
    assert [(seat, fault) for seat, fault, _ in played.faults()] == [(1, kind)] * 3
    assert played.faults()[-1][2] == "forfeit"
    assert same_game(played, 0)


def test_illegal_moves_for_ever_are_three_strikes() -> None:
    played = play([bot("greedy"), bot("fails", "illegal", 4)], **RULES)
    assert [kind for _, kind, _ in played.faults()] == ["illegal_move"] * 3
    assert played.seats[1].faults == {"illegal_move": 3}
    assert played.seats[1].decisions == 7
    assert same_game(played, 4)


def test_strict_forfeits_at_the_first_illegal_move() -> None:
    played = play([bot("greedy"), bot("fails", "illegal", 4)], **RULES, policy=STRICT)
    assert played.faults() == [(1, "illegal_move", "forfeit")]
    assert same_game(played, 4)


@pytest.mark.parametrize("way", ["twice", "twice_apart"])
def test_a_second_answer_to_a_decision_is_ignored_and_counted(way: str) -> None:
    played = play([bot("greedy"), bot("raw", way)], **RULES)
    assert {kind for _, kind, _ in played.faults()} == {"stale_reply"}
    assert {done for _, _, done in played.faults()} == {"counted"}
    assert not played.seats[1].forfeited
    assert same_game(played, 0)


def test_a_flood_of_answers_to_nothing_forfeits() -> None:
    played = play([bot("greedy"), bot("raw", "flood")], **RULES)
    assert played.faults()[-1] == (1, "flood", "forfeit")
    assert same_game(played, 0)


def test_a_message_that_is_too_big_never_gets_in() -> None:
    played = play([bot("greedy"), bot("raw", "too_big")], **RULES, clock=QUICK)
    assert played.seats[1].forfeited
    assert same_game(played, 0)


@pytest.mark.parametrize("timed", [True, False])
def test_a_lost_stream_is_a_disconnect_and_the_game_ends(timed: bool) -> None:
    clock = QUICK if timed else ClockSettings(enabled=False, startup_ms=10_000)
    played = play([bot("greedy"), bot("raw", "leaves")], **RULES, clock=clock)
    assert played.faults()[0] == (1, "disconnect", "counted")
    assert {kind for _, kind, _ in played.faults()[1:]} == {"timeout" if timed else "crash"}
    assert played.seats[1].forfeited
    assert same_game(played, 0)


@pytest.mark.parametrize("seconds", [0, 0.3])
def test_the_end_of_the_stream_and_of_the_process_are_one_crash_in_whatever_order(seconds: float) -> None:
    """Blame does not depend on which of the two is heard of first."""
    limits = Limits(news_ms=60_000)
    played = play(
        [bot("greedy"), bot("raw", "leaves", seconds)],
        **RULES,
        clock=ClockSettings(enabled=False),
        limits=limits,
    )
    assert played.faults() == [(1, "crash", "forfeit")]
    assert same_game(played, 0)


def test_a_bot_that_comes_back_on_a_new_stream_plays_on_where_it_was() -> None:
    played = play([bot("greedy"), bot("raw", "returns")], **RULES)
    assert not played.seats[1].forfeited
    assert played.faults() == [(1, "disconnect", "counted")] * 2
    assert same_game(played, 0)


def test_a_bot_that_comes_back_too_often_forfeits() -> None:
    played = play([bot("greedy"), bot("raw", "returns_too_often")], **RULES, clock=QUICK)
    assert played.seats[1].forfeited
    faults = played.result.bots[1].faults
    assert faults["crash"] == 1 and faults["disconnect"] in {5, 6}  # 5 if it ends as soon as it is refused
    assert same_game(played, 0)


@pytest.mark.parametrize("name", ["floods", "closes"])
def test_what_a_bot_does_to_its_output_streams_is_no_fault(name: str) -> None:
    played = play([bot("greedy"), bot(name)], **RULES)
    assert played.faults() == []
    assert same_game(played, 0)


def test_a_bot_may_take_full_views() -> None:
    played = play([bot("greedy"), bot("raw", "full_views")], **RULES)
    assert played.faults() == []
    assert same_game(played, 0)


def test_all_bots_may_die_and_the_game_still_has_an_end_and_scores() -> None:
    played = play([bot("fails", "exits", 1), bot("fails", "exits", 2)], **RULES)
    assert [seat.place for seat in played.seats] == [1, 1]
    assert min(seat.counted for seat in played.seats) > 0


def test_a_crash_in_process_is_the_same_game_as_a_crash_of_a_process() -> None:
    over_grpc = play([bot("greedy"), bot("crasher")], **RULES)
    here = play_here([bot("greedy"), bot("crasher")], **RULES)
    assert over_grpc.faults() == here.faults() == [(1, "crash", "forfeit")]
    assert over_grpc.game.digest == here.game.digest

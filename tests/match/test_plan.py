"""Deals, ids and seats of the games of a match."""

from __future__ import annotations

from mtref.match.plan import draw_master_seed, plan_games
from mtref.rules import fairdeal


def test_a_seed_text_makes_everything_repeatable() -> None:
    assert plan_games(draw_master_seed("x"), 4, 5) == plan_games(draw_master_seed("x"), 4, 5)
    assert plan_games(draw_master_seed("x"), 4, 5) != plan_games(draw_master_seed("y"), 4, 5)


def test_without_a_text_the_seed_is_fresh() -> None:
    assert draw_master_seed(None) != draw_master_seed(None)


def test_a_longer_match_begins_like_a_shorter_one() -> None:
    master = draw_master_seed("x")
    assert plan_games(master, 3, 9)[:4] == plan_games(master, 3, 4)


def test_deals_are_numbered_and_all_different() -> None:
    plan = plan_games(draw_master_seed("x"), 2, 30)
    assert [game.deal for game in plan] == [str(number) for number in range(1, 31)]
    assert len({game.deal_seed for game in plan}) == len({game.game for game in plan}) == 30


def test_seeds_and_commitments_follow_the_construction() -> None:
    master = draw_master_seed("x")
    game = plan_games(master, 2, 2)[1]
    assert game.deal_seed == fairdeal.deal_seed(master, "2")
    assert game.commitment == fairdeal.commitment(game.deal_seed, "2")


def test_game_ids_have_test_vectors() -> None:
    assert [game.game for game in plan_games(bytes(32), 2, 2)] == VECTORS


def test_every_bot_moves_one_seat_on_each_game() -> None:
    plan = plan_games(draw_master_seed("x"), 3, 4)
    assert [game.bots for game in plan] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    assert [game.seat_of(0) for game in plan] == [0, 1, 2, 0]


VECTORS = ["980626b9ca85ce2b", "830c9a74be00e4e8"]
"""HMAC-SHA-256 of the label, a zero byte and the deal id under 32 zero bytes, first 16 hex digits."""

"""What the rules say about whole games, as checks that can also be run against a broken core. Each raises AssertionError."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mtref.rules import scoring
from mtref_sdk.events import GameEnded, MarkerRaised, RoundEnded, RoundStarted, TurnStarted
from mtref_sdk.ruleset import preset
from tests.rules.deal_checks import arranged, play_out, rounds_of, started

__all__ = ["GAME_CHECKS"]


def turns_go_round_the_table() -> None:
    """R-turn-order: ascending seat numbers, wrapping, in every round from its starter."""
    game, told = started(preset("dominos-cc"), 4, [arranged(12)], first_starter=2)
    play_out(game)
    expected = None
    for event in told:
        if isinstance(event, RoundStarted):
            expected = event.starter
        elif isinstance(event, TurnStarted):
            assert event.seat == expected
            expected = (event.seat + 1) % 4


def the_starter_moves_on() -> None:
    """R-turn-order, R-starter: the seeded seat first, then the seat after the previous starter."""
    game, told = started(preset("dominos-cc"), 4, [arranged(12)], first_starter=2)
    play_out(game)
    assert [event.starter for event in rounds_of(told)] == [2, 3, 0, 1, 2, 3]


def the_winner_of_a_round_starts() -> None:
    """R-starter: the seat that went out, not the one with the lowest total."""
    rules = preset("cubano").with_overrides({"tile_set": 6, "rounds": 3, "hand": 1})
    decks = [
        arranged(6, "4-4", "6-1", "5-5"),
        arranged(6, "1-1", "0-0", "5-2"),
        arranged(6, "4-1", "5-5", "6-6"),
    ]
    game, told = started(rules, 3, decks, first_starter=0)
    play_out(game)
    ended = [event for event in told if isinstance(event, RoundEnded)]
    assert [event.seat for event in ended] == [1, 2, 0]
    assert [event.starter for event in rounds_of(told)] == [0, 1, 2]
    assert ended[1].totals.index(min(ended[1].totals)) == 1


def the_winner_starts_though_another_hand_costs_nothing() -> None:
    """R-starter: seat 1 is left with the 0-0 and scores 0 as well, but seat 0 went out."""
    rules = preset("cubano").with_overrides({"tile_set": 6, "rounds": 2, "hand": 1})
    game, told = started(rules, 3, [arranged(6, "6-1", "0-0", "5-4")], first_starter=0)
    play_out(game)
    ended = [event for event in told if isinstance(event, RoundEnded)]
    assert (ended[0].seat, ended[0].scores) == (0, (0, 0, 9))
    assert [event.starter for event in rounds_of(told)] == [0, 0]


def the_lightest_hand_starts_after_a_block() -> None:
    """R-starter: after a blocked round the lowest score, ties to the first after the previous starter (edge case 60)."""
    rules = preset("cubano-no-boneyard").with_overrides({"tile_set": 6, "rounds": 3, "hand": 1})
    blocked = arranged(
        6, "1-2", "0-3", "4-4"
    )  # 3, 3 and 8 points; no six, no five, and for the third no four
    game, told = started(rules, 3, [blocked, arranged(6, "1-2", "0-3", "2-2")], first_starter=0)
    play_out(game)
    ended = [event for event in told if isinstance(event, RoundEnded)]
    assert [(event.how, event.scores) for event in ended[:2]] == [
        ("blocked", (3, 3, 8)),
        ("blocked", (3, 3, 4)),
    ]
    assert [event.starter for event in rounds_of(told)] == [0, 1, 0]


def totals_add_up_and_the_lowest_wins() -> None:
    """R-score, R-win: totals are sums over rounds, and equal totals share the place (edge case 62)."""
    rules = preset("cubano-no-boneyard").with_overrides({"tile_set": 6, "rounds": 2, "hand": 1})
    game, told = started(rules, 3, [arranged(6, "1-2", "0-3", "4-4"), arranged(6, "1-2", "0-3", "2-2")])
    play_out(game)
    ended = [event for event in told if isinstance(event, RoundEnded)]
    assert [event.totals for event in ended] == [(3, 3, 8), (6, 6, 12)]
    assert told[-1] == GameEnded((6, 6, 12), (1, 1, 3))
    assert game.totals == (6, 6, 12)
    assert game.places == (1, 1, 3)


def equal_totals_share_the_place() -> None:
    """R-win: 1, 1, 3."""
    assert scoring.places((30, 12, 12, 40)) == (3, 1, 1, 4)
    assert scoring.places((5, 5, 5)) == (1, 1, 1)


def markers_do_not_survive_the_round() -> None:
    """Section 6: every round begins with all trains closed."""
    rules = preset("cubano-no-boneyard").with_overrides({"tile_set": 6, "rounds": 2, "hand": 1})
    decks = [arranged(6, "1-2", "0-3", "4-4"), arranged(6, "5-1", "5-2", "5-3")]
    game, told = started(rules, 3, decks)
    assert any(isinstance(event, MarkerRaised) for event in told)
    assert game.round_number == 2
    assert game.state.marked == game.state.forgotten == 0


GAME_CHECKS: Mapping[str, Callable[[], None]] = {
    check.__name__: check
    for check in (
        turns_go_round_the_table,
        the_starter_moves_on,
        the_winner_of_a_round_starts,
        the_winner_starts_though_another_hand_costs_nothing,
        the_lightest_hand_starts_after_a_block,
        totals_add_up_and_the_lowest_wins,
        equal_totals_share_the_place,
        markers_do_not_survive_the_round,
    )
}

"""The reason for a refusal names the rule that refuses."""

from __future__ import annotations

import pytest
from hypothesis import given

from mtref.explain import Inquiry
from mtref.position import position_from_mapping
from mtref.rules.game import Game
from mtref.rules.legal import legal_moves
from mtref.rules.reasons import illegal, why_not
from mtref_sdk.moves import STOP_CODE, TRAINS, move_code
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import tiles_of
from tests.house.test_rule_ids import defined
from tests.rules.random_games import RULE_SETS, SEEDS, game_of, play
from tests.scenarios.running import scenarios

REFUSED = [
    # scenario, a move that is refused as it stands, the rule, words of the reason
    ("playboard-open-marker", "5-8@2", "R-targets", "its marker is not up"),
    ("playboard-open-marker", "3-9@0", "R-targets", "the open end of train 0 is 6"),
    ("playboard-open-marker", "4-9@m1", "R-targets", "4-9 is not in its hand"),
    ("playboard-open-marker", "3-9@3", "R-targets", "no train 3 at a table of 3"),
    ("playboard-open-marker", "stop", "R-must-play", "must play"),
    ("playboard-open-marker", "draw", "R-must-play", "must play"),
    ("playboard-open-marker", "3-9@1 lift", "R-marker-down", "come down by themselves"),
    ("playboard-nothing-fits-draw", "pass", "R-draw", "a draw left"),
    ("draw-used-then-pass", "draw", "R-one-draw", "used its draw"),
    ("edge-20-empty-boneyard-pass-and-marker", "draw", "R-draw", "nothing to draw"),
    ("playboard-only-legal-target", "7-9@1", "R-targets", "the open end of train 1 is 2"),
    ("playboard-only-legal-target", "2-5@1", "R-opening", "no tile yet"),
    ("edge-05-first-turn-not-on-a-running-mexican-train", "7-9@m1", "R-opening", "no tile yet"),
    ("traditional-trainless-later-turn", "4-8@2", "R-opening", "or on a Mexican train that has one"),
    ("edge-65-an-engine-tile-without-a-home", "8-12@m2", "R-mexican", "cannot be started"),
    ("cubano-no-mexican", "0-9@m1", "R-mexican", "cannot be started"),
    ("playboard-frozen-on-six", "3-8@m1", "R-follow-on-double", "on the double on train 0"),
    ("playboard-frozen-on-six", "stop", "R-double-again", "is owed"),
    ("edge-49-no-third-double", "1-1@1", "R-follow-second", "after two doubles"),
    ("edge-44-no-own-double-while-one-waits", "4-4@1", "R-lock-table", "the double on train 0"),
    ("edge-37-not-the-second-before-the-first-traditional", "5-6@0", "R-lock-order", "oldest"),
    ("lock-order-any-option", "1-4@1", "R-lock-order", "the doubles on trains 0 or m1"),
    ("run-as-it-stands", "8-12@m1", "R-run", "at home only"),
    ("run-as-it-stands", "pass", "R-must-play", "must play"),
    ("manual-nothing-to-lift", "4-6@0 lift", "R-marker-manual", "not up"),
    ("manual-lift-is-a-choice-at-home", "2-7@m1 lift", "R-marker-manual", "a play on 0 can"),
    ("edge-27-own-play-only-at-home", "2-7@m1 lift", "R-marker-manual", "a play on 0 can"),
    ("manual-once-forgotten-for-good", "6-8@0 lift", "R-marker-manual", "for the rest of the round"),
]


@pytest.mark.parametrize(("scenario", "move", "rule", "words"), REFUSED)
def test_a_refused_move_is_told_the_rule(scenario: str, move: str, rule: str, words: str) -> None:
    inquiry = Inquiry(position_from_mapping(scenarios()[scenario]["position"]))
    error = inquiry.refusal(move)
    assert error is not None
    assert (error.rule, error.move) == (rule, move)
    assert words in error.reason
    assert f"({rule})" in str(error)


def test_a_train_on_which_several_tiles_can_lift_is_named_once() -> None:
    position = scenarios()["manual-lift-is-a-choice-at-home"]["position"]
    inquiry = Inquiry(position_from_mapping({**position, "hands": {0: ["4-6", "4-7", "2-7"], 1: 9}}))
    assert "a play on 0 can (" in str(inquiry.refusal("2-7@m1 lift"))


@given(RULE_SETS, SEEDS)
def test_every_refusal_has_a_reason_and_a_rule_that_exists(rules: RuleSet, seed: int) -> None:
    ids = defined()

    def watch(game: Game) -> None:
        if game.over:
            return
        state = game.state
        hand = state.hands[state.turn]
        legal = legal_moves(state, hand)
        playable = {code >> 6 for code in legal}
        for tile in tiles_of(rules.tile_set):
            if hand[tile.low] >> tile.high & 1 and tile.code not in playable:
                reason, rule = why_not(state, tile.code)
                assert reason and rule in ids
        for code in [STOP_CODE, *(move_code(5 << 5 | 6, train) for train in range(len(TRAINS)))]:
            if code not in legal:
                error = illegal(state, hand, code)
                assert error.reason and error.rule in ids

    play(game_of(rules, seed), seed, watch)

"""Decisions made by hand, for tests of whatever is given one."""

from __future__ import annotations

from mtref_sdk import Clock, Decision, Observation, parse_move, parse_tile, preset


def early_decision() -> Decision:
    """Something in every field: a marked, forgotten train, a running Mexican train, a double waiting to be satisfied."""
    observation = Observation(
        preset("cubano-forgetful"),
        seats=3,
        seat=1,
        hand=[parse_tile(tile) for tile in ("4-5", "0-4", "1-1")],
        just_drawn=parse_tile("4-5"),
        round_number=2,
        engine=8,
        turn=1,
        starter=2,
        trains={
            "1": [parse_tile("3-8"), parse_tile("0-3")],
            "2": [parse_tile("4-8"), parse_tile("4-4")],
            "m1": [parse_tile("2-8")],
        },
        marked=[1, 2],
        forgotten=[1],
        unsatisfied=["2"],
        boneyard=7,
        hand_sizes=[1, 3, 9],
        totals=[0, 31, 12],
        scores=[[0, 31, 12]],
        turns_taken=[4, 3, 4],
        passes=1,
        quiet_passes=0,
        laid=[],
        drawn=True,
        last_tile_calls=[0],
    )
    legal = [parse_move(move).code for move in ("0-4@2", "4-5@2")]
    return Decision(lambda: observation, legal, legal[:1], Clock(2.0, 31.5), game="by hand")


def plain_decision() -> Decision:
    """The first decision of a game, without a clock."""
    observation = Observation(
        preset("playboard"), seats=2, seat=0, hand=[parse_tile("3-12")], engine=12, turn=0, hand_sizes=[1, 1]
    )
    return Decision(lambda: observation, [parse_move("3-12@0").code])

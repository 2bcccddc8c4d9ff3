"""A position that is right, and the ways to break it that must be refused, each with its key and its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ALL_SIX", "BROKEN", "GOOD", "HAND", "LOCKED"]

GOOD: Mapping[str, Any] = {
    "rule_set": "dominos-cc",
    "seats": 2,
    "engine": 12,
    "turn": 0,
    "trains": {"0": ["12-5"], "1": ["12-4"], "m1": ["12-7"]},
    "hands": {"0": ["5-8", "0-1", "5-5"], "1": ["4-6", "2-9"]},
    "boneyard": ["1-1", "3-3"],
}
LOCKED = {"trains": {"0": ["12-5", "5-5"], "1": ["12-4"], "m1": ["12-7"]}, "unsatisfied": ["0"]}
HAND = {"0": ["5-8", "0-1"], "1": 9}
FORGETFUL = {
    "rule_set": "cubano-forgetful",
    "engine": 9,
    "trains": {"0": ["9-5"], "1": ["9-4"]},
    "hands": {"0": ["5-8"], "1": 9},
}
ALL_SIX = {  # every six but 6-6 lies on the table
    "rule_set": "online-table",
    "trains": {
        "0": ["12-0", "0-6", "6-1", "1-2", "2-6", "6-3", "3-4", "4-6", "6-6"],
        "1": ["12-6", "6-5", "5-7", "7-6", "6-8", "8-9", "9-6"],
        "m1": ["12-10", "10-6", "6-11"],
    },
    "hands": {"0": ["11-2"], "1": 5},
    "boneyard": 3,
}

BROKEN: Mapping[str, tuple[str, Mapping[Any, Any], str]] = {
    # what is wrong: (key, what to change, words of the reason)
    "unknown key": ("'bonyard'", {"bonyard": 5}, "did you mean boneyard?"),
    "key of another kind": ("7", {7: 5}, "there is no such key"),
    "rule set that is no preset": ("preset", {"rule_set": "playbord"}, "did you mean playboard?"),
    "rule set with an unknown option": (
        "double_blnk",
        {"rule_set": {"preset": "playboard", "double_blnk": 5}},
        "double_blank",
    ),
    "rule set that contradicts itself": (
        "rounds",
        {"rule_set": {"preset": "playboard", "tile_set": 6, "hand": 3, "rounds": 8}},
        "7",
    ),
    "rule set of a wrong kind": ("rule_set", {"rule_set": 3}, "neither a preset's name nor a mapping"),
    "seats the rule set does not allow": (
        "seats",
        {"seats": 5, "hands": dict.fromkeys("01234", 3)},
        "2 to 4",
    ),
    "seats of a wrong kind": ("seats", {"seats": "2"}, "not a whole number"),
    "seats that are true": ("seats", {"seats": True}, "not a whole number"),
    "one seat": ("seats", {"seats": 1}, "from 2 to 10"),
    "engine not in the set": ("engine", {"engine": 13}, "from 0 to 12"),
    "turn of no seat": ("turn", {"turn": 2}, "seats are 0 to 1"),
    "hands in a list": ("hands", {"hands": [["5-8"], 3]}, "not a mapping"),
    "a hand missing": ("hands", {"hands": {"0": ["5-8"]}}, "seat 1 is missing"),
    "a hand too many": ("hands", {"hands": {"0": ["5-8"], "1": 3, "2": 3}}, "2 is no seat"),
    "a hand twice": ("hands", {"hands": {0: ["5-8"], "0": ["5-8"], "1": 3}}, "seat 0 is there twice"),
    "a hand of a wrong kind": (
        "hands",
        {"hands": {"0": "5-8", "1": 3}},
        "neither a list of tiles nor a number",
    ),
    "a negative hand": ("hands", {"hands": {"0": ["5-8"], "1": -1}}, "neither a list of tiles nor a number"),
    "the mover's hand unknown": (
        "hands",
        {"hands": {"0": 3, "1": 3}},
        "seat 0 is on move and needs its tiles",
    ),
    "the mover's hand empty": ("hands", {"hands": {"0": [], "1": 3}}, "seat 0 has no tile left"),
    "another hand empty": ("hands", {"hands": {"0": ["5-8"], "1": 0}}, "seat 1 has no tile left"),
    "not a tile": ("hands", {"hands": {"0": ["5/8"], "1": 3}}, "not a tile: '5/8'"),
    "a number as a tile": ("hands", {"hands": {"0": [58], "1": 3}}, "not a tile: 58"),
    "a tile not in the set": (
        "hands",
        {"hands": {"0": ["5-13"], "1": 3}},
        "5-13 is not in the double-12 set",
    ),
    "a tile twice in a hand": (
        "hands",
        {"hands": {"0": ["5-8", "8-5"], "1": 3}},
        "5-8 is twice in the hand of seat 0",
    ),
    "a tile in two hands": ("hands", {"hands": {"0": ["5-8"], "1": ["5-8"]}}, "the hand of seat 1"),
    "a tile in hand and on a train": ("hands", {"hands": {"0": ["12-5"], "1": 3}}, "on train 0"),
    "a tile in hand and boneyard": ("boneyard", {"boneyard": ["5-8"]}, "in the hand of seat 0"),
    "the engine in a hand": (
        "hands",
        {"hands": {"0": ["12-12"], "1": 3}},
        "in the hand of seat 0 and in the centre as the engine",
    ),
    "the engine in the boneyard": ("boneyard", {"boneyard": ["12-12"]}, "12-12"),
    "the engine on a train": ("trains", {"trains": {"0": ["12-12"]}}, "12-12"),
    "a tile on two trains": (
        "trains",
        {"trains": {"0": ["12-5"], "1": ["12-5"]}},
        "on train 1 and on train 0",
    ),
    "more tiles than the set": ("hands", {"boneyard": 90}, "but the double-12 set has 91"),
    "too many unknown tiles": ("hands", {"hands": {"0": ["5-8"], "1": 60}, "boneyard": 40}, "set has 91"),
    "a boneyard beyond the set": ("boneyard", {"boneyard": 92}, "up to 91"),
    "a train that does not begin at the engine": (
        "trains",
        {"trains": {"0": ["5-9"]}},
        "does not join the 12 of the engine",
    ),
    "a train that does not join": (
        "trains",
        {"trains": {"0": ["12-5", "6-9"]}},
        "6-9 does not join the 5 of 12-5",
    ),
    "a tile the wrong way round": ("trains", {"trains": {"0": ["5-12"]}}, "write it 12-5"),
    "trains in a list": ("trains", {"trains": [["12-5"]]}, "not a mapping"),
    "a train of a wrong kind": ("trains", {"trains": {"0": "12-5"}}, "not a list of tiles"),
    "a train of no seat": ("trains", {"trains": {"2": ["12-5"]}}, "no train 2 at a table of 2"),
    "a train of no name": ("trains", {"trains": {"x1": ["12-5"]}}, "not a train: 'x1'"),
    "a train twice": ("trains", {"trains": {0: ["12-5"], "0": ["12-5"]}}, "train 0 is there twice"),
    "a Mexican train too many": (
        "trains",
        {"trains": {"m1": ["12-5"], "m2": ["12-6"]}},
        "m2 is one more than mexican_trains 1",
    ),
    "a Mexican train where there is none": (
        "trains",
        {"rule_set": "cubano-no-mexican", "engine": 9, "trains": {"m1": ["9-5"]}},
        "m1 is one more than mexican_trains 0",
    ),
    "a gap in the Mexican trains": (
        "trains",
        {"rule_set": "traditional", "trains": {"m2": ["12-6"]}},
        "m2 has tiles but m1 has none",
    ),
    "a marker of no seat": ("marked", {"marked": [2]}, "seats are 0 to 1"),
    "a marker on a Mexican train": ("marked", {"marked": ["m1"]}, "is no seat"),
    "a marker twice": ("marked", {"marked": [0, 0]}, "seat 0 is there twice"),
    "a marker of a wrong kind": ("marked", {"marked": 0}, "not a list of seats"),
    "forgotten with automatic markers": (
        "forgotten",
        {"marked": [0], "forgotten": [0]},
        "marker_removal auto",
    ),
    "forgotten without a marker": ("forgotten", {**FORGETFUL, "forgotten": [0]}, "seat 0 is not in marked"),
    "forgotten without a tile at home": (
        "forgotten",
        {**FORGETFUL, "trains": {}, "marked": [0], "forgotten": [0]},
        "its train is empty",
    ),
    "unsatisfied that is no double": (
        "unsatisfied",
        {"unsatisfied": ["0"]},
        "ends in 12-5, which is no double",
    ),
    "unsatisfied without a tile": (
        "unsatisfied",
        {"trains": {"1": ["12-4"]}, "unsatisfied": [0]},
        "train 0 has no tile",
    ),
    "unsatisfied of no train": ("unsatisfied", {"unsatisfied": ["5"]}, "train 5 has no tile"),
    "unsatisfied twice": (
        "unsatisfied",
        {**LOCKED, "hands": HAND, "unsatisfied": [0, "0"]},
        "train 0 is there twice",
    ),
    "unsatisfied where nothing locks": (
        "unsatisfied",
        {**LOCKED, "rule_set": "playboard", "hands": HAND},
        "with lock none",
    ),
    "unsatisfied and dead": ("unsatisfied", {**ALL_SIX, "unsatisfied": [0]}, "6-6 on train 0 is dead"),
    "more unsatisfied than on_double leaves": (
        "unsatisfied",
        {
            "rule_set": "online-table",
            "trains": {"0": ["12-5", "5-5"], "1": ["12-4", "4-4"]},
            "unsatisfied": [0, 1],
            "hands": HAND,
        },
        "follow_up on_double leaves 1",
    ),
    "more unsatisfied than second_double leaves": (
        "unsatisfied",
        {
            "rule_set": "cubano-aggressive",
            "engine": 9,
            "trains": {"0": ["9-5", "5-5"], "1": ["9-4", "4-4"], "m1": ["9-7", "7-7"]},
            "unsatisfied": [0, 1, "m1"],
            "hands": HAND,
        },
        "follow_up second_double leaves 2",
    ),
    "a live double that is not listed": (
        "unsatisfied",
        {"trains": LOCKED["trains"], "hands": HAND},
        "train 0 ends in 5-5, which binds",
    ),
    "laid that is no move": ("laid", {"laid": ["5-5"]}, "not a move"),
    "laid that lays nothing": ("laid", {"laid": ["stop"]}, "lays no tile"),
    "laid of a wrong kind": ("laid", {"laid": "5-5@0"}, "not a list of moves"),
    "laid that is not on the train": ("laid", {"laid": ["5-5@0"]}, "5-5@0 is not where it was laid"),
    "laid that is not at the end": (
        "laid",
        {"trains": {"0": ["12-5", "5-9"]}, "laid": ["12-5@0"]},
        "5-12@0 is not where it was laid",
    ),
    "laid that ended the turn": ("laid", {"laid": ["12-5@0"]}, "the turn was over with 5-12@0"),
    "laid that was not legal": (
        "laid",
        {"trains": {"1": ["12-5", "5-5"]}, "hands": HAND, "laid": ["5-5@1"], "unsatisfied": ["1"]},
        "marker is not up (R-targets)",
    ),
    "laid that leaves an unlisted double": (
        "unsatisfied",
        {"trains": LOCKED["trains"], "hands": HAND, "laid": ["5-5@0"]},
        "leaves 0 unsatisfied, not none",
    ),
    "laid although an older double waits": (
        "unsatisfied",
        {
            "trains": {"0": ["12-5", "5-5"], "1": ["12-4", "4-4"]},
            "unsatisfied": ["1", "0"],
            "laid": ["5-5@0"],
            "hands": HAND,
        },
        "leaves 0 unsatisfied, not 1, 0",
    ),
    "laid with a lift that is not allowed": (
        "laid",
        {**LOCKED, "hands": HAND, "laid": ["5-5@0 lift"]},
        "there is no lift (R-marker-down)",
    ),
    "laid at home and still marked": (
        "marked",
        {**LOCKED, "hands": HAND, "laid": ["5-5@0"], "marked": [0]},
        "took its marker down",
    ),
    "drawn of a wrong kind": ("drawn", {"drawn": "yes"}, "neither true nor false"),
    "just drawn but not held": ("just_drawn", {"just_drawn": "6-6"}, "6-6 is not in the hand of seat 0"),
    "just drawn although another tile fits": (
        "just_drawn",
        {"just_drawn": "0-1"},
        "5-5@0 was legal without it",
    ),
    "just drawn where nobody draws": (
        "just_drawn",
        {
            "rule_set": "cubano-no-boneyard",
            "engine": 9,
            "trains": {"0": ["9-5"]},
            "just_drawn": "5-8",
        },
        "boneyard aside",
    ),
    "turns of too few seats": ("turns_taken", {"turns_taken": [1]}, "1 numbers for 2 seats"),
    "turns below zero": ("turns_taken", {"turns_taken": [1, -1]}, "not a whole number"),
    "turns of a wrong kind": ("turns_taken", {"turns_taken": 1}, "not a list of numbers"),
    "passes below zero": ("passes", {"passes": -1}, "not a whole number"),
    "more quiet passes than passes": ("quiet_passes", {"passes": 1, "quiet_passes": 2}, "2 of 1 passes"),
    "round 0": ("round", {"round": 0}, "not a whole number"),
    "scores of too many seats": ("scores", {"scores": [1, 2, 3]}, "3 numbers for 2 seats"),
    "a starter that is no seat": ("starter", {"starter": 4}, "seats are 0 to 1"),
}

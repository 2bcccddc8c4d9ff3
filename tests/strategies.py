"""Hypothesis strategies that several folders of tests share. Every value drawn is valid: nothing is filtered out."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mtref_sdk.presets import CUSTOM
from mtref_sdk.ruleset import PRESET_NAMES, LeavePerSeat, RuleSet

__all__ = ["rule_sets"]

TILE_SETS = (6, 9, 12, 15, 18)


@st.composite
def rule_sets(
    draw: st.DrawFn,
    *,
    tile_sets: tuple[int, ...] = TILE_SETS,
    most_seats: int = 10,
    most_rounds: int | None = None,
) -> RuleSet:
    """Any valid rule set, over all options. Shrinks towards a double-6 set, two seats, one round and plain rules.

    `most_rounds` keeps games short; it leaves out ``highest_held`` where that would need more rounds.
    """
    tile_set = draw(st.sampled_from(tile_sets))
    rounds = tile_set + 1 if most_rounds is None else min(tile_set + 1, most_rounds)
    engines = ["set_aside", "holder"] + ["highest_held"] * (rounds == tile_set + 1)
    engine = draw(st.sampled_from(engines))
    options: dict[str, Any] = draw(st.fixed_dictionaries(_FREE))
    seats = draw(st.integers(2, most_seats).flatmap(lambda top: st.tuples(st.integers(2, top), st.just(top))))
    options |= {
        "name": draw(st.sampled_from((CUSTOM, *PRESET_NAMES))),
        "tile_set": tile_set,
        "seats": seats,
        "hand": draw(_hands((tile_set + 1) * (tile_set + 2) // 2 - (engine == "set_aside"), *seats)),
        "rounds": rounds if engine == "highest_held" else draw(st.integers(1, rounds)),
        "engine": engine,
    }
    if engine == "set_aside":
        options["starter"] = draw(st.sampled_from(("rotate", "round_winner")))
        options["boneyard"] = draw(st.sampled_from(("draw", "aside")))
    else:
        options["starter"] = "engine_layer"
    if options["follow_up"] == "on_double":
        options["first_turn_run"] = draw(st.booleans())
    if options["follow_up"] == "optional":
        options["lock"] = "none"
    else:
        options["finish_on_double"] = draw(st.sampled_from((True, False)))
    return RuleSet(**options)


def _hands(tiles: int, least: int, most: int) -> st.SearchStrategy[Any]:
    """Hands that can be dealt from `tiles` tiles at every number of seats from `least` to `most`."""
    return st.one_of(
        st.integers(1, tiles // most),
        st.tuples(
            *(st.tuples(st.just(seats), st.integers(1, tiles // seats)) for seats in range(least, most + 1))
        ),
        st.integers(0, tiles // most - 1).map(LeavePerSeat),
    )


_FREE = {
    key: st.sampled_from(values)
    for key, values in {
        "engine_search": ("sequential", "simultaneous"),
        "opening": ("free", "own_first_turn", "own_until_started", "own_or_started_mexican"),
        "mexican_trains": (0, 1, "unlimited"),
        "draws": ("per_turn", "per_play"),
        "trainless_draw": ("one", "until_playable"),
        "failed_draw_opens": ("always", "when_boneyard_empty"),
        "marker_on_draw_elsewhere": (False, True),
        "marker_removal": ("auto", "manual_next_turn", "manual_on_own_play", "manual_once"),
        "follow_up": ("on_double", "anywhere", "second_double", "optional"),
        "lock": ("table", "none"),
        "lock_order": ("oldest", "any"),
        "dead_double": ("release", "block"),
        "block": ("nobody_can_play", "lap_of_passes"),
        "double_blank": tuple(range(101)),
    }.items()
}

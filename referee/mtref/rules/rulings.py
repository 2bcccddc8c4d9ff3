"""A rule set as the core reads it: words compared as they are, and the rest as flags, worked out once for each rule set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from mtref_sdk.moves import MAX_SEATS, TRAINS
from mtref_sdk.ruleset import RuleSet

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Rulings", "rulings_of"]


@dataclass(frozen=True, slots=True)
class Rulings:
    """What the core asks of a rule set while a round is played. Shared by all states, never copied.

    Words rather than an enum: comparing with a constant is the cheapest thing Python does, and reads as the rules do.
    """

    full: i64  # the partners of a number when all its tiles are on the table: bits 0 … N
    opening: Literal["free", "own_first_turn", "own_until_started", "own_or_started_mexican"]
    run: bool
    most_mexicans: i64
    may_draw: bool
    draw_per_play: bool
    draw_until_playable: bool
    pass_always_marks: bool
    mark_on_draw_elsewhere: bool
    marker_removal: Literal["auto", "manual_next_turn", "manual_on_own_play", "manual_once"]
    follow_up: Literal["on_double", "anywhere", "second_double", "optional"]
    table_lock: bool
    binds: bool  # whether a live double is owed an answer by anybody, now or later
    oldest_first: bool
    dead_released: bool
    finish_on_double: bool
    block_by_lap: bool
    double_blank: i64


@lru_cache(maxsize=256)
def rulings_of(rules: RuleSet) -> Rulings:
    """The rulings of a rule set."""
    table_lock = rules.lock == "table"
    mexicans = rules.mexican_trains
    return Rulings(
        full=(1 << (rules.tile_set + 1)) - 1,
        opening=rules.opening,
        run=rules.first_turn_run,
        most_mexicans=len(TRAINS) - MAX_SEATS if mexicans == "unlimited" else mexicans,
        may_draw=rules.boneyard == "draw",
        draw_per_play=rules.draws == "per_play",
        draw_until_playable=rules.trainless_draw == "until_playable",
        pass_always_marks=rules.failed_draw_opens == "always",
        mark_on_draw_elsewhere=rules.marker_on_draw_elsewhere,
        marker_removal=rules.marker_removal,
        follow_up=rules.follow_up,
        table_lock=table_lock,
        binds=table_lock or rules.follow_up in ("on_double", "second_double"),
        oldest_first=rules.lock_order == "oldest",
        dead_released=rules.dead_double == "release",
        finish_on_double=rules.finish_on_double,
        block_by_lap=rules.block == "lap_of_passes",
        double_blank=rules.double_blank,
    )

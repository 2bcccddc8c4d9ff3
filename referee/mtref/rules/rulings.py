"""A rule set as the core reads it: small integers and flags, worked out once for each rule set."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from mtref_sdk.ruleset import RuleSet

__all__ = ["FollowUp", "Mexican", "Opening", "Removal", "Rulings", "rulings_of"]


class Opening(IntEnum):
    """Where a seat may play before its train has a tile (R-opening)."""

    FREE = 0
    OWN_FIRST_TURN = 1
    OWN_UNTIL_STARTED = 2
    OWN_OR_STARTED_MEXICAN = 3


class Mexican(IntEnum):
    """How many Mexican trains may exist (R-mexican)."""

    NONE = 0
    ONE = 1
    UNLIMITED = 2


class Removal(IntEnum):
    """How the own marker comes down (R-marker-down, R-marker-manual)."""

    AUTO = 0
    MANUAL_NEXT_TURN = 1
    MANUAL_ON_OWN_PLAY = 2
    MANUAL_ONCE = 3


class FollowUp(IntEnum):
    """Where the tile owed after a double goes (section 7 of the rules)."""

    ON_DOUBLE = 0
    ANYWHERE = 1
    SECOND_DOUBLE = 2
    OPTIONAL = 3


@dataclass(frozen=True, slots=True)
class Rulings:
    """What the core asks of a rule set while a round is played. Shared by all states, never copied."""

    tile_set: int
    full: int  # the partners of a number when all its tiles are on the table: bits 0 … N
    opening: Opening
    run: bool
    mexican: Mexican
    may_draw: bool
    draw_per_play: bool
    draw_until_playable: bool
    pass_always_marks: bool
    mark_on_draw_elsewhere: bool
    removal: Removal
    follow_up: FollowUp
    table_lock: bool
    binds: bool  # whether a live double is owed an answer by anybody, now or later
    oldest_first: bool
    dead_released: bool
    finish_on_double: bool
    block_by_lap: bool
    double_blank: int


@lru_cache(maxsize=256)
def rulings_of(rules: RuleSet) -> Rulings:
    """The rulings of a rule set."""
    follow_up = FollowUp[rules.follow_up.upper()]
    table_lock = rules.lock == "table"
    return Rulings(
        tile_set=rules.tile_set,
        full=(1 << (rules.tile_set + 1)) - 1,
        opening=Opening[rules.opening.upper()],
        run=rules.first_turn_run,
        mexican=Mexican.UNLIMITED
        if rules.mexican_trains == "unlimited"
        else Mexican(int(rules.mexican_trains)),
        may_draw=rules.boneyard == "draw",
        draw_per_play=rules.draws == "per_play",
        draw_until_playable=rules.trainless_draw == "until_playable",
        pass_always_marks=rules.failed_draw_opens == "always",
        mark_on_draw_elsewhere=rules.marker_on_draw_elsewhere,
        removal=Removal[rules.marker_removal.upper()],
        follow_up=follow_up,
        table_lock=table_lock,
        binds=table_lock or follow_up in (FollowUp.ON_DOUBLE, FollowUp.SECOND_DOUBLE),
        oldest_first=rules.lock_order == "oldest",
        dead_released=rules.dead_double == "release",
        finish_on_double=rules.finish_on_double,
        block_by_lap=rules.block == "lap_of_passes",
        double_blank=rules.double_blank,
    )

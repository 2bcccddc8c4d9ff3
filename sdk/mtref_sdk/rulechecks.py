"""Which options of a rule set contradict each other, and which deals are impossible. One option alone: `ruleoptions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mtref_sdk.errors import ConfigError
from mtref_sdk.ruleoptions import LeavePerSeat

if TYPE_CHECKING:
    from mtref_sdk.ruleset import RuleSet

__all__ = ["check_together", "hand_size"]


def check_together(rules: RuleSet) -> None:
    """Refuse options that contradict each other, and deals that need more tiles than there are at any allowed seat count.

    An option that has no effect under the others (``engine_search`` with a set-aside engine, say) contradicts nothing.
    Raises ConfigError that names the key to change and what is allowed beside the others.
    """
    _check_rounds(rules)
    _check_engine(rules)
    _check_doubles(rules)
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        hand_size(rules, seats)


def hand_size(rules: RuleSet, seats: int) -> int:
    """The tiles dealt to each of `seats` seats. Raises ConfigError, key ``hand``, when they cannot be dealt.

    Dealt from the whole set, less the engine where it is set aside before the deal (R-engine-aside).
    """
    aside = rules.engine == "set_aside"
    tiles = rules.tile_count - aside
    limit = tiles // seats
    pool = f"the double-{rules.tile_set} set has {tiles} to deal{' beside its engine' if aside else ''}"
    if isinstance(rules.hand, LeavePerSeat):
        dealt = (tiles - rules.hand.tiles * seats) // seats
        if dealt < 1:
            raise ConfigError(
                f"leave_per_seat {rules.hand.tiles} deals nothing to {seats} seats: {pool}; "
                f"allowed for {seats} seats: leave_per_seat 0 to {limit - 1}",
                key="hand",
            )
        return dealt
    if isinstance(rules.hand, int):
        dealt = rules.hand
    else:
        found = dict(rules.hand).get(seats)
        if found is None:
            low, high = rules.seats
            raise ConfigError(
                f"the map has no entry for {seats} seats; allowed: one entry for each number of seats from {low} to {high}",
                key="hand",
            )
        dealt = found
    if dealt > limit:
        raise ConfigError(
            f"{seats} hands of {dealt} need {seats * dealt} tiles, but {pool}; allowed for {seats} seats: 1 to {limit}",
            key="hand",
        )
    return dealt


def _check_rounds(rules: RuleSet) -> None:
    most = rules.tile_set + 1
    if rules.rounds > most:
        raise ConfigError(
            f"{rules.rounds} rounds need as many doubles, but tile_set {rules.tile_set} has {most}; "
            f"allowed: 1 to {most}, or all",
            key="rounds",
        )
    if rules.engine == "highest_held" and rules.rounds != most:
        raise ConfigError(
            f"{rules.rounds} does not go with engine highest_held, which uses every double once; "
            f"allowed with tile_set {rules.tile_set}: {most}, or all",
            key="rounds",
        )


def _check_engine(rules: RuleSet) -> None:
    if rules.engine == "set_aside":
        if rules.starter == "engine_layer":
            raise ConfigError(
                "engine_layer does not go with engine set_aside, which nobody lays; "
                "allowed: rotate or round_winner, or an engine that is holder or highest_held",
                key="starter",
            )
        return
    if rules.starter != "engine_layer":
        raise ConfigError(
            f"{rules.starter} does not go with engine {rules.engine}, whose layer begins; "
            "allowed: engine_layer, or engine set_aside",
            key="starter",
        )
    if rules.boneyard == "aside":
        raise ConfigError(
            f"aside does not go with engine {rules.engine}, which may have to be found in the boneyard; "
            "allowed: draw, or engine set_aside",
            key="boneyard",
        )


def _check_doubles(rules: RuleSet) -> None:
    if rules.first_turn_run and rules.follow_up != "on_double":
        raise ConfigError(
            f"true does not go with follow_up {rules.follow_up}; allowed: false, or follow_up on_double",
            key="first_turn_run",
        )
    if rules.follow_up != "optional":
        return
    if rules.lock == "table":
        raise ConfigError(
            "optional does not go with lock table; allowed: on_double, anywhere or second_double, or lock none",
            key="follow_up",
        )
    if not rules.finish_on_double:
        raise ConfigError(
            "optional does not go with finish_on_double false; "
            "allowed: on_double, anywhere or second_double, or finish_on_double true",
            key="follow_up",
        )

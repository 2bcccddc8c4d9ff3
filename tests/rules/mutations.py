"""Ways to break each rule, and what must notice: a citation proves nothing, a failing scenario does.

A breakage is either options of the scenario's rule set that are changed, or a function or table of the core that is replaced
wherever the referee has imported it.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from mtref.rules import deal, forced, legal, scoring, transition
from mtref.rules.deal import Deal
from mtref.rules.state import PublicState, State
from mtref.rules.told import CALLED, STOPPED
from mtref_sdk.moves import STOP_CODE

__all__ = ["MUTATIONS", "Mutation"]

Break = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Mutation:
    """What notices (a scenario's id, or the name of a deal or game check), and how the rule is broken."""

    noticed_by: str
    options: Mapping[str, Any] = field(default_factory=dict)
    core: Break | None = None


def replace(part: object, by: object) -> Break:
    """Put `by` in the place of a function, or a table, in every module of the referee that has it."""

    def broken(patch: pytest.MonkeyPatch) -> None:
        for name, module in list(sys.modules.items()):
            if name.startswith("mtref."):
                for attribute, value in list(vars(module).items()):
                    if value is part:
                        patch.setattr(module, attribute, by)

    return broken


def nothing(*_: object, **__: object) -> None:
    """A step that does not happen."""


def _dealt_otherwise(change: Callable[..., Deal]) -> Break:
    """`change` gets the honest deal and the arguments it came from."""
    honest = deal.deal_round

    def other(*arguments: Any) -> Deal:
        return change(honest(*arguments), *arguments)

    return replace(honest, other)


def _boneyard_backwards(honest: Deal, *_: object) -> Deal:
    return dataclasses.replace(honest, boneyard=honest.boneyard[::-1])


def _always_the_first_starter(honest: Deal, *arguments: Any) -> Deal:
    return dataclasses.replace(honest, starter=arguments[3])


def _the_next_seat_begins(honest: Deal, *_: object) -> Deal:
    return dataclasses.replace(honest, starter=(honest.starter + 1) % len(honest.hands))


_honest_deal_round: Callable[..., Deal] = deal.deal_round


def _engines_forgotten(_: Deal, *arguments: Any) -> Deal:
    *others, previous = arguments
    if previous is not None:
        previous = dataclasses.replace(previous, engines=frozenset())
    return _honest_deal_round(*others, previous)


_honest_targets = legal.ordinary_trains


def _every_train_is_open(public: PublicState) -> tuple[int, ...]:
    return tuple(sorted({*range(public.seats), *_honest_targets(public)}))


def _empty_trains_are_their_owners(public: PublicState) -> tuple[int, ...]:
    seat = public.turn
    return tuple(
        train
        for train in _honest_targets(public)
        if train >= public.seats or train == seat or public.started >> train & 1
    )


_honest_legal = legal.legal_moves


def _stopping_is_free(public: PublicState, hand: list[int]) -> list[int]:
    return sorted({*_honest_legal(public, hand), STOP_CODE})


def _no_draw_when_owed(state: State) -> forced.Step:
    return "pass" if state.owed else _honest_forced_step(state)


_honest_forced_step = forced.forced_step
_honest_end_turn, _honest_satisfy = transition._end_turn, transition._satisfy


def _satisfying_earns_another_tile(patch: pytest.MonkeyPatch) -> None:
    satisfied: list[int] = []

    def satisfy(state: State, train: int, listen: transition.Listener | None) -> None:
        if train not in state.doubles:
            satisfied.append(train)
        _honest_satisfy(state, train, listen)

    def end_turn(state: State, listen: transition.Listener | None) -> None:
        if satisfied:
            satisfied.clear()
            return
        _honest_end_turn(state, listen)

    replace(transition._satisfy, satisfy)(patch)
    replace(transition._end_turn, end_turn)(patch)


MUTATIONS: Mapping[str, tuple[Mutation, ...]] = {
    "R-engine-aside": (
        Mutation("engine_set_aside_before_the_deal", core=_dealt_otherwise(_boneyard_backwards)),
    ),
    "R-turn-order": (Mutation("the_starter_moves_on", core=_dealt_otherwise(_always_the_first_starter)),),
    "R-engine-holder": (
        Mutation("the_holder_lays_the_engine", core=_dealt_otherwise(_the_next_seat_begins)),
        Mutation(
            "seats_search_for_the_engine_one_after_another", core=_dealt_otherwise(_the_next_seat_begins)
        ),
    ),
    "R-engine-highest": (
        Mutation("the_highest_double_that_is_held", core=_dealt_otherwise(_engines_forgotten)),
    ),
    "R-starter": (
        Mutation("the_lightest_hand_starts_after_a_block", core=replace(scoring.lightest, lambda *_: 2)),
        Mutation("the_winner_of_a_round_starts", core=_dealt_otherwise(_always_the_first_starter)),
    ),
    "R-targets": (
        Mutation("playboard-open-marker", core=replace(legal.ordinary_trains, _every_train_is_open)),
        Mutation("playboard-four-live-ends", core=replace(legal.ordinary_trains, _every_train_is_open)),
    ),
    "R-mexican": (
        Mutation("traditional-another-mexican", {"mexican_trains": 1}),
        Mutation("edge-65-an-engine-tile-without-a-home", {"mexican_trains": "unlimited"}),
    ),
    "R-empty-open": (
        Mutation(
            "edge-07-an-empty-train-opens-too",
            core=replace(legal.ordinary_trains, _empty_trains_are_their_owners),
        ),
    ),
    "R-opening": (
        Mutation("playboard-only-legal-target", {"opening": "free"}),
        Mutation("cubano-first-turn-at-home", {"opening": "free"}),
        Mutation("cubano-second-turn-free", {"opening": "own_until_started"}),
        Mutation("traditional-trainless-later-turn", {"opening": "own_first_turn"}),
    ),
    "R-run": (Mutation("online-family-first-turn-run", {"first_turn_run": False}),),
    "R-must-play": (
        Mutation("edge-14-no-draw-with-a-legal-play", core=replace(legal.legal_moves, _stopping_is_free)),
    ),
    "R-draw": (
        Mutation("playboard-nothing-fits-draw", {"boneyard": "aside"}),
        Mutation("traditional-draw-until-playable-option", {"trainless_draw": "one"}),
    ),
    "R-one-draw": (
        Mutation("playboard-one-draw-in-the-whole-turn", {"draws": "per_play"}),
        Mutation("dominoscc-second-draw-for-the-owed-tile", {"draws": "per_turn"}),
    ),
    "R-pass": (
        Mutation("pass-marks-while-tiles-are-left-by-default", core=replace(transition._mark, nothing)),
        Mutation("pass-without-marker-while-tiles-are-left", {"failed_draw_opens": "always"}),
    ),
    "R-last-tile-call": (Mutation("online-last-tile-call", core=replace(CALLED, STOPPED)),),
    "R-marker-up": (
        Mutation("traditional-drawn-tile-elsewhere-no-marker", {"marker_on_draw_elsewhere": True}),
        Mutation("traditional-literal-marker-option", {"marker_on_draw_elsewhere": False}),
    ),
    "R-marker-down": (
        Mutation(
            "edge-24-satisfying-at-home-closes-the-own-train",
            core=replace(transition._tend_marker, nothing),
        ),
    ),
    "R-marker-manual": (
        Mutation("cubano-forgetful-marker-stays", {"marker_removal": "auto"}),
        Mutation("edge-27-next-turn-may-lift", {"marker_removal": "manual_on_own_play"}),
        Mutation("edge-27-own-play-only-at-home", {"marker_removal": "manual_next_turn"}),
        Mutation("manual-once-forgotten-for-good", {"marker_removal": "manual_next_turn"}),
    ),
    "R-marker-double": (
        Mutation("marker-double-down-and-up-again", core=replace(transition._tend_marker, nothing)),
    ),
    "R-double-again": (
        Mutation("double-again-on-double-both-tiles", core=replace(transition._lay_double, nothing)),
    ),
    "R-follow-on-double": (Mutation("online-owed-tile-on-the-double", {"follow_up": "anywhere"}),),
    "R-follow-anywhere": (
        Mutation("dominoscc-owed-tile-anywhere", {"follow_up": "on_double"}),
        Mutation("follow-anywhere-ignores-doubles-of-this-turn", {"follow_up": "second_double"}),
    ),
    "R-follow-second": (
        Mutation("cubano-aggressive-second-double", {"follow_up": "on_double"}),
        Mutation("edge-49-no-third-double", {"follow_up": "anywhere"}),
        Mutation("follow-second-both-dead", {"follow_up": "anywhere"}),
    ),
    "R-follow-optional": (Mutation("cubano-no-cover-may-decline", {"follow_up": "anywhere"}),),
    "R-owed-draw": (
        Mutation(
            "draw-for-the-owed-tile-when-none-was-used",
            core=replace(forced.forced_step, _no_draw_when_owed),
        ),
    ),
    "R-lock-table": (
        Mutation("edge-32-the-next-seat-must-satisfy-cubano", {"lock": "none"}),
        Mutation("dominoscc-duty-travels", core=replace(legal.locked_trains, legal.ordinary_trains)),
    ),
    "R-lock-none": (Mutation("playboard-double-binds-nobody-else", {"lock": "table"}),),
    "R-lock-order": (
        Mutation("edge-37-not-the-second-before-the-first-traditional", {"lock_order": "any"}),
        Mutation("lock-order-any-option", {"lock_order": "oldest"}),
    ),
    "R-satisfy-ends": (Mutation("satisfy-ends-no-second-tile", core=_satisfying_earns_another_tile),),
    "R-dead": (
        Mutation("online-dead-on-arrival", {"dead_double": "block"}),
        Mutation("edge-39-a-satisfying-tile-kills-the-next-double", {"dead_double": "block"}),
        Mutation(
            "edge-39-killed-by-a-tile-played-elsewhere", core=replace(transition._release_dead, nothing)
        ),
        Mutation("dead-double-blocks-by-option", {"dead_double": "release"}),
    ),
    "R-finish-double": (
        Mutation("playboard-last-tile-double", {"finish_on_double": False}),
        Mutation("finish-double-off-drawn-in-vain", {"finish_on_double": True}),
    ),
    "R-out": (
        Mutation(
            "edge-54-out-by-satisfying-a-rivals-double",
            core=replace(transition.go_out, transition._end_turn),
        ),
    ),
    "R-block": (
        Mutation("block-lap-does-not-ask-for-markers", {"block": "nobody_can_play"}),
        Mutation("block-a-new-marker-is-a-new-chance", {"block": "lap_of_passes"}),
    ),
    "R-score": (
        Mutation("dominoscc-double-blank-option", {"double_blank": 0}),
        Mutation("traditional-blocked-for-good", core=replace(scoring.hand_pips, lambda *_: 1)),
    ),
    "R-win": (
        Mutation("equal_totals_share_the_place", core=replace(scoring.places, lambda _: (1, 2, 3))),
        Mutation(
            "totals_add_up_and_the_lowest_wins",
            core=replace(scoring.places, lambda totals: tuple(range(1, len(totals) + 1))),
        ),
    ),
}

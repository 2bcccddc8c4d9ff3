"""What a decision of a play-out costs in pure Python, counted and not timed: the machine's mood changes none of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from mtref.rules.state import State
from mtref.sim import POLICIES, Chance, play_round
from mtref.sim.bench import opening
from mtref_sdk.ruleset import preset

CEILINGS = Path(__file__).with_name("ceilings.json")
LIMITS: dict[str, dict[str, dict[str, float]]] = json.loads(CEILINGS.read_text("utf-8"))
PLAYOUTS = 3
MARGIN = 1.1
"""Versions of Python differ by less."""


def per_decision(state: State, policy: str) -> dict[str, float]:
    """Calls of functions, and instructions of the interpreter, for each decision of a few play-outs."""
    counts = {"calls": 0, "instructions": 0}

    def step(frame: FrameType, event: str, _: Any) -> Any:
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counts["calls"] += event == "call"
        counts["instructions"] += event == "opcode"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        decisions = sum(play_round(state.copy(), POLICIES[policy], Chance(0, k)) for k in range(PLAYOUTS))
    finally:
        sys.settrace(before)
    return {what: count / decisions for what, count in counts.items()}


@pytest.mark.parametrize(("name", "policy"), [(name, policy) for name in LIMITS for policy in LIMITS[name]])
def test_a_decision_needs_no_more_calls_and_instructions_than_before(name: str, policy: str) -> None:
    found = per_decision(opening(preset(name), 4), policy)
    allowed = LIMITS[name][policy]
    assert set(found) == set(allowed)
    too_much = [
        f"{what}: {found[what]:.1f} a decision, and {limit} is what it was"
        for what, limit in allowed.items()
        if found[what] > limit * MARGIN
    ]
    assert not too_much, "\n".join(
        [
            *too_much,
            f"If it is worth that, write the new counts into {CEILINGS.name}; lower them when less is needed.",
        ]
    )


def test_two_counts_of_the_same_play_outs_agree() -> None:
    state = opening(preset("cubano"), 3)
    assert per_decision(state, "random") == per_decision(state, "random")

"""Speed as continuous integration can hold it: by what is counted. Seconds are for ``make bench``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtref.bench.counts import count

CEILINGS = Path(__file__).with_name("ceilings.json")
LIMITS: dict[str, dict[str, float]] = json.loads(CEILINGS.read_text("utf-8"))


@pytest.mark.parametrize("tables", LIMITS)
def test_a_decision_needs_no_more_messages_bytes_and_function_calls_than_before(tables: str) -> None:
    found = count(int(tables)).per_decision()
    allowed = LIMITS[tables]
    assert set(found) == set(allowed)
    too_much = [
        f"{what}: {found[what]:.3f} for a decision at {tables} table(s), and {allowed[what]} are allowed"
        for what in allowed
        if found[what] > allowed[what]
    ]
    assert not too_much, "\n".join(
        [
            *too_much,
            f"If it is worth that, write about 4 % more than `python -m mtref.bench counts` prints into {CEILINGS.name},",
            "and say in docs/performance.md what was gained. When less is needed, lower the ceilings in the same way.",
        ]
    )


def test_two_counts_of_the_same_games_agree() -> None:
    one, two = count(2), count(2)
    assert (one.decisions, one.sent, one.received) == (two.decisions, two.sent, two.received)
    assert one.bytes_sent == pytest.approx(two.bytes_sent, rel=0.01)
    assert one.calls == pytest.approx(two.calls, rel=0.01)

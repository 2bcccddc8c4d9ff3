"""Every scenario holds, and is written as docs/positions.md says."""

from __future__ import annotations

from typing import get_args

import pytest

from mtref.explain import Inquiry, told
from mtref.position import position_from_mapping
from mtref_sdk.events import Event
from tests.scenarios.running import KEYS, THEN_KEYS, Scenario, run, scenarios

EVERY = pytest.mark.parametrize("scenario", scenarios().values(), ids=list(scenarios()))


@EVERY
def test_scenario(scenario: Scenario) -> None:
    run(scenario)


@EVERY
def test_scenario_can_be_told_in_words(scenario: Scenario) -> None:
    inquiry = Inquiry(position_from_mapping(scenario["position"]))
    inquiry.settle()
    assert all("\n" not in line for line in told(inquiry))


def test_scenarios_use_no_key_that_nobody_reads() -> None:
    for name, scenario in scenarios().items():
        then = scenario.get("then", {})
        assert set(scenario) <= KEYS, name
        assert {"id", "rules", "why", "position"} <= set(scenario), name
        assert set(then) <= THEN_KEYS, name
        assert {"legal", "refused", "then"} & set(scenario), name


def test_scenarios_name_events_that_exist() -> None:
    names = {kind.name for kind in get_args(Event)}
    for name, scenario in scenarios().items():
        then = scenario.get("then", {})
        asked = [*then.get("events", ()), *then.get("not_events", ()), *then.get("event_counts", {})]
        assert set(asked) <= names, name

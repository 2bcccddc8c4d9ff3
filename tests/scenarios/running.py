"""Reads the scenario files and runs one scenario, through the same code as ``mtref explain``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mtref.explain import Inquiry, answer
from mtref.position import Position, position_from_mapping
from mtref_sdk.moves import parse_move
from mtref_sdk.ruleset import RuleSet

__all__ = ["KEYS", "THEN_KEYS", "Scenario", "run", "scenarios"]

Scenario = Mapping[str, Any]
Check = Callable[[str, Any, Mapping[str, Any]], None]

KEYS = {"id", "rules", "why", "position", "legal", "moves", "refused", "settle", "then"}
"""What a scenario may hold."""

THEN_KEYS = {
    "turn",
    "legal",
    "forced",
    "may_lift",
    "marked",
    "unsatisfied",
    "boneyard",
    "hand_sizes",
    "trains",
    "events",
    "not_events",
    "event_counts",
    "over",
    "winner",
    "scores",
}
"""What its ``then`` may hold."""


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario of this folder by its id."""
    found: dict[str, Scenario] = {}
    for path in sorted(Path(__file__).parent.glob("*.yaml")):
        for scenario in yaml.safe_load(path.read_text("utf-8")):
            assert scenario["id"] not in found, f"{scenario['id']} is there twice"
            found[scenario["id"]] = scenario
    return found


def run(scenario: Scenario, change: Mapping[str, Any] | None = None) -> None:
    """Run a scenario, perhaps under a rule set with some options changed. Raises AssertionError for what does not hold.

    IllegalMoveError comes out when one of its moves is refused.
    """
    position = position_from_mapping(scenario["position"])
    if change:
        position = dataclasses.replace(position, rules=_changed(position.rules, change))
    _as_it_stands(scenario, position)
    inquiry = Inquiry(position)
    if scenario.get("settle"):
        inquiry.settle()
    for move in scenario.get("moves", ()):
        inquiry.make(move)
    told = answer(inquiry)
    for key, wanted in scenario.get("then", {}).items():
        check: Check = _CHECKS.get(key, _equal)
        check(key, wanted, told)


def _changed(rules: RuleSet, change: Mapping[str, Any]) -> RuleSet:
    changed = rules.with_overrides(change)
    assert changed != rules, "a mutation must change something"
    return changed


def _as_it_stands(scenario: Scenario, position: Position) -> None:
    inquiry = Inquiry(position)
    if "legal" in scenario:
        _moves("legal", scenario["legal"], answer(inquiry))
    for move in scenario.get("refused", ()):
        assert inquiry.refusal(move) is not None, f"{move} is not refused"


def _canonical(moves: list[str] | None) -> set[str] | None:
    if moves is None:
        return None
    return {move if move in {"draw", "pass"} else str(parse_move(move)) for move in moves}


def _moves(key: str, wanted: list[str], told: Mapping[str, Any]) -> None:
    assert _canonical(told[key]) == _canonical(wanted), f"{key}: {told[key]}, not {wanted}"
    if told[key] and not {"draw", "pass"} & set(told[key]):
        assert told[key] == sorted(told[key], key=parse_move), f"{key}: {told[key]} is not in canonical order"


def _equal(key: str, wanted: object, told: Mapping[str, Any]) -> None:
    assert told[key] == wanted, f"{key}: {told[key]}, not {wanted}"


def _unsatisfied(key: str, wanted: list[object], told: Mapping[str, Any]) -> None:
    _equal(key, [str(train) for train in wanted], told)


def _trains(key: str, wanted: Mapping[object, list[str]], told: Mapping[str, Any]) -> None:
    assert {str(name): tiles for name, tiles in wanted.items() if tiles} == {
        name: tiles for name, tiles in told[key].items() if tiles
    }


def _events(key: str, wanted: list[str], told: Mapping[str, Any]) -> None:
    assert set(wanted) <= set(told[key]), f"{wanted} are not all in {told[key]}"


def _not_events(key: str, wanted: list[str], told: Mapping[str, Any]) -> None:
    assert not set(wanted) & set(told["events"]), f"some of {wanted} are in {told['events']}"


def _event_counts(key: str, wanted: Mapping[str, int], told: Mapping[str, Any]) -> None:
    counted = {name: told["events"].count(name) for name in wanted}
    assert counted == wanted, f"{counted}, not {wanted}"


_CHECKS: Mapping[str, Check] = {
    "legal": _moves,
    "may_lift": _moves,
    "unsatisfied": _unsatisfied,
    "trains": _trains,
    "events": _events,
    "not_events": _not_events,
    "event_counts": _event_counts,
}

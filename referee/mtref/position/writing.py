"""A `Position` as a mapping and as the text of a position file: what `reading` reads back to the same value."""

from __future__ import annotations

from typing import Any

import yaml

from mtref.position.values import Position
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset

__all__ = ["position_to_mapping", "position_to_yaml"]


def position_to_mapping(position: Position) -> dict[str, Any]:
    """`position` as a plain mapping for JSON: every key of docs/positions.md, keys of mappings being texts."""
    return {
        "rule_set": _rule_set(position.rules),
        "seats": position.seats,
        "engine": position.engine,
        "turn": position.turn,
        "hands": {str(seat): _tiles(hand) for seat, hand in enumerate(position.hands)},
        "boneyard": _tiles(position.boneyard),
        "trains": {
            name: [f"{inner}-{outer}" for inner, outer in links] for name, links in position.trains.items()
        },
        "marked": list(position.marked),
        "forgotten": list(position.forgotten),
        "unsatisfied": list(position.unsatisfied),
        "laid": list(map(str, position.laid)),
        "drawn": position.drawn,
        **({} if position.just_drawn is None else {"just_drawn": str(position.just_drawn)}),
        "turns_taken": list(position.turns_taken),
        "passes": position.passes,
        "quiet_passes": position.quiet_passes,
        "round": position.round_number,
        "scores": list(position.scores),
        "starter": position.starter,
    }


def position_to_yaml(position: Position) -> str:
    """`position` as YAML, a key a line."""
    plain = position_to_mapping(position)
    for key in ("hands", "trains"):
        plain[key] = {int(name) if name.isdecimal() else name: value for name, value in plain[key].items()}
    return "".join(
        f"{key}: {_flow(value)}\n" if key not in ("hands", "trains") else f"{key}:\n{_rows(value)}"
        for key, value in plain.items()
    )


def _rule_set(rules: RuleSet) -> Any:
    """The preset's name, or what differs from it, or for a custom rule set all of it."""
    whole = rules.to_mapping()
    if rules.name not in PRESET_NAMES:
        return whole
    base = preset(rules.name).to_mapping()
    changed = {key: value for key, value in whole.items() if value != base[key]}
    return {"preset": rules.name, **changed} if changed else rules.name


def _tiles(tiles: Any) -> Any:
    return tiles if isinstance(tiles, int) else list(map(str, tiles))


def _rows(value: dict[Any, Any]) -> str:
    return "".join(f"  {key}: {_flow(entry)}\n" for key, entry in value.items())


def _flow(value: Any) -> str:
    """A value in YAML's flow style, on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=1 << 20, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")

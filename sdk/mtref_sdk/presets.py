"""The values of every preset and named variant, as plain data. Where each value comes from is `mtref_sdk.provenance`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

__all__ = ["CUSTOM", "PRESETS", "Preset"]

CUSTOM: Final = "custom"
"""The name of a rule set that was made from no preset."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule set: the document it follows (``000`` to ``004``), what it is, and its options as plain values.

    A named variant has the name of its `base`, whose options it shares but for those in `changes`.
    """

    name: str
    document: str
    summary: str
    options: Mapping[str, Any]
    base: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)


_COMMON: Final[dict[str, Any]] = {
    "tile_set": 12,
    "engine": "set_aside",
    "engine_search": "sequential",
    "first_turn_run": False,
    "mexican_trains": 1,
    "boneyard": "draw",
    "trainless_draw": "one",
    "failed_draw_opens": "always",
    "marker_on_draw_elsewhere": False,
    "marker_removal": "auto",
    "finish_on_double": True,
    "double_blank": 0,
}


def _hands(*groups: tuple[int, int, int]) -> dict[int, int]:
    """A hand map from groups of (fewest seats, most seats, tiles)."""
    return {seats: tiles for least, most, tiles in groups for seats in range(least, most + 1)}


_DOCUMENTS: Final = (
    Preset(
        "playboard",
        "000",
        "a double binds only the seat that laid it, and only in that turn",
        _COMMON
        | {
            "seats": [2, 4],
            "hand": _hands((2, 2, 16), (3, 4, 15)),
            "rounds": 4,
            "starter": "rotate",
            "opening": "own_until_started",
            "draws": "per_turn",
            "follow_up": "on_double",
            "lock": "none",
            "lock_order": "oldest",
            "dead_double": "block",
            "block": "nobody_can_play",
        },
    ),
    Preset(
        "dominos-cc",
        "001",
        "the tile after a double goes anywhere; a double left open binds the table",
        _COMMON
        | {
            "seats": [2, 4],
            "hand": 15,
            "rounds": 6,
            "starter": "rotate",
            "opening": "free",
            "draws": "per_play",
            "follow_up": "anywhere",
            "lock": "table",
            "lock_order": "oldest",
            "dead_double": "release",
            "block": "lap_of_passes",
        },
    ),
    Preset(
        "online-table",
        "002",
        "the tile after a double covers it; dead doubles are released",
        _COMMON
        | {
            "seats": [2, 8],
            "hand": _hands((2, 4, 15), (5, 6, 12), (7, 8, 10)),
            "rounds": 13,
            "starter": "rotate",
            "opening": "free",
            "draws": "per_play",
            "follow_up": "on_double",
            "lock": "table",
            "lock_order": "oldest",
            "dead_double": "release",
            "block": "nobody_can_play",
        },
    ),
    Preset(
        "cubano",
        "003",
        "double-nine, nearly everything dealt; the winner of a round begins the next",
        _COMMON
        | {
            "tile_set": 9,
            "seats": [2, 4],
            "hand": {"leave_per_seat": 2},
            "rounds": "all",
            "starter": "round_winner",
            "opening": "own_first_turn",
            "draws": "per_play",
            "follow_up": "on_double",
            "lock": "table",
            "lock_order": "any",
            "dead_double": "release",
            "block": "nobody_can_play",
        },
    ),
    Preset(
        "traditional",
        "004",
        "up to ten seats; the engine is dealt or searched for; any number of Mexican trains",
        _COMMON
        | {
            "seats": [2, 10],
            "hand": _hands((2, 6, 12), (7, 8, 10), (9, 10, 8)),
            "rounds": 13,
            "engine": "holder",
            "starter": "engine_layer",
            "opening": "own_or_started_mexican",
            "mexican_trains": "unlimited",
            "draws": "per_play",
            "follow_up": "anywhere",
            "lock": "table",
            "lock_order": "oldest",
            "dead_double": "release",
            "block": "nobody_can_play",
        },
    ),
)

_VARIANTS: Final[tuple[tuple[str, str, str, dict[str, Any]], ...]] = (
    ("playboard-8", "playboard", "eight rounds", {"rounds": 8}),
    ("playboard-13", "playboard", "all thirteen rounds", {"rounds": 13}),
    ("dominos-cc-13", "dominos-cc", "all thirteen rounds", {"rounds": 13}),
    ("online-table-family", "online-table", "a run of tiles in the first turn", {"first_turn_run": True}),
    ("cubano-12", "cubano", "double-twelve", {"tile_set": 12, "seats": [2, 8]}),
    ("cubano-15", "cubano", "double-fifteen", {"tile_set": 15, "seats": [2, 10]}),
    (
        "cubano-holder",
        "cubano",
        "the highest unused double in a hand is the engine",
        {"engine": "highest_held", "starter": "engine_layer"},
    ),
    ("cubano-aggressive", "cubano", "two doubles in a turn", {"follow_up": "second_double"}),
    ("cubano-no-cover", "cubano", "doubles bind nobody", {"follow_up": "optional", "lock": "none"}),
    (
        "cubano-forgetful",
        "cubano",
        "a forgotten marker may be lifted from the next turn on",
        {"marker_removal": "manual_next_turn"},
    ),
    (
        "cubano-forgetful-deal",
        "cubano",
        "a forgotten marker stays for the round",
        {"marker_removal": "manual_once"},
    ),
    (
        "cubano-no-boneyard",
        "cubano",
        "nothing to draw",
        {"boneyard": "aside", "hand": {"leave_per_seat": 0}},
    ),
    ("cubano-no-mexican", "cubano", "no Mexican train", {"mexican_trains": 0}),
)


def _with_variants() -> dict[str, Preset]:
    presets = {preset.name: preset for preset in _DOCUMENTS}
    for name, base_name, summary, changes in _VARIANTS:
        base = presets[base_name]
        presets[name] = Preset(name, base.document, summary, {**base.options, **changes}, base_name, changes)
    return presets


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(_with_variants())
"""Every preset by name: the five that follow a document, then the named variants."""

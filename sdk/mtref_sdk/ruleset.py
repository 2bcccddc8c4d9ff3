"""`RuleSet`: every option of a game of Mexican Train as one checked value, and the presets by name.

The text of the rules is ``docs/rules.md``; the values an option may take are `mtref_sdk.ruleoptions`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from mtref_sdk.errors import ConfigError
from mtref_sdk.presets import CUSTOM, PRESETS
from mtref_sdk.rulechecks import check_together, hand_size
from mtref_sdk.ruleoptions import OPTIONS, Hand, LeavePerSeat, MexicanTrains, shown
from mtref_sdk.ruletext import parse_value

__all__ = ["PRESET_NAMES", "Hand", "LeavePerSeat", "RuleSet", "preset"]

PRESET_NAMES: Final = tuple(PRESETS)
"""The names `preset` knows: the five of the documents, then the named variants."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A whole rule set, checked when it is made: an instance that exists can be dealt and played.

    One field for each option of the rulebook, under the same name and with the same values; ``name`` is the preset it
    began as (``custom`` if none), also where options were overridden. ``rounds`` is always a number.

    An option that has no effect under the others (``engine_search`` when the engine is set aside, ``lock_order`` without
    a lock) is no error: it keeps whatever value it has, its default unless somebody gave another, and changes nothing.

    Raises ConfigError, naming the key and what is allowed, for values and combinations that cannot be used.
    """

    name: str = CUSTOM
    tile_set: Literal[6, 9, 12, 15, 18]
    seats: tuple[int, int]
    hand: Hand
    rounds: int
    engine: Literal["set_aside", "holder", "highest_held"]
    engine_search: Literal["sequential", "simultaneous"] = "sequential"
    starter: Literal["rotate", "round_winner", "engine_layer"]
    opening: Literal["free", "own_first_turn", "own_until_started", "own_or_started_mexican"]
    first_turn_run: bool = False
    mexican_trains: MexicanTrains
    boneyard: Literal["draw", "aside"] = "draw"
    draws: Literal["per_turn", "per_play"]
    trainless_draw: Literal["one", "until_playable"] = "one"
    failed_draw_opens: Literal["always", "when_boneyard_empty"] = "always"
    marker_on_draw_elsewhere: bool = False
    marker_removal: Literal["auto", "manual_next_turn", "manual_on_own_play", "manual_once"] = "auto"
    follow_up: Literal["on_double", "anywhere", "second_double", "optional"]
    lock: Literal["table", "none"]
    lock_order: Literal["oldest", "any"]
    dead_double: Literal["release", "block"]
    finish_on_double: bool = True
    block: Literal["nobody_can_play", "lap_of_passes"]
    double_blank: int = 0

    def __post_init__(self) -> None:
        if self.name != CUSTOM and self.name not in PRESETS:
            raise _no_such_preset(self.name)
        for key, option in OPTIONS.items():
            object.__setattr__(self, key, option.read(getattr(self, key)))
        check_together(self)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any], where: str | None = None) -> RuleSet:
        """The rule set a JSON or YAML mapping describes: ``preset`` names the base, every other key is an option.

        Values are taken as they are (the text ``"50"`` is not the number 50); ``rounds: all`` is N+1 of the ``tile_set`` that
        comes out. Without ``preset`` (or with ``custom``) the options that have no default must all be there.
        Raises ConfigError, with `where` in front, for a key or a value that is not right.
        """
        try:
            return _from_plain(mapping)
        except ConfigError as error:
            raise ConfigError(error.message, key=error.key, where=where) from None

    def to_mapping(self) -> dict[str, Any]:
        """Every option as plain JSON, with ``preset`` first; `from_mapping` gives the same rule set back.

        Keys of a hand map are texts, as JSON has them, so that the mapping is the same before and after a file.
        """
        plain: dict[str, Any] = {"preset": self.name}
        for key in OPTIONS:
            value = getattr(self, key)
            if isinstance(value, LeavePerSeat):
                value = {"leave_per_seat": value.tiles}
            elif key == "seats":
                value = list(value)
            elif isinstance(value, tuple):
                value = {str(seats): tiles for seats, tiles in value}
            plain[key] = value
        return plain

    def with_overrides(self, overrides: Mapping[str, Any]) -> RuleSet:
        """This rule set with some options replaced, checked as a whole; the name stays.

        A value may be plain (``50``, ``[2, 4]``) or text as typed on a command line (``"50"``, ``"[2, 4]"``, ``"{2: 16, 3: 15}"``,
        ``"all"``). Nothing else follows along: a new ``tile_set`` changes neither ``seats`` nor ``rounds``, not even where the
        preset says ``all`` (override ``rounds`` with ``all`` as well for that). Raises ConfigError.
        """
        values: dict[str, Any] = {}
        for key, value in overrides.items():
            _check_key(key)
            values[key] = parse_value(value, key) if isinstance(value, str) else value
        return _make(self.name, _values(self), values)

    def hand_size(self, seats: int) -> int:
        """The tiles dealt to each seat at a table of `seats`. Raises ConfigError when so many may not play."""
        least, most = self.seats
        if not least <= seats <= most:
            raise ConfigError(f"{seats} seats are not allowed; allowed: {least} to {most}", key="seats")
        return hand_size(self, seats)

    @property
    def tile_count(self) -> int:
        """The tiles of the whole set, engine included: (N+1)(N+2)/2."""
        return (self.tile_set + 1) * (self.tile_set + 2) // 2


_REQUIRED: Final = tuple(
    field.name for field in dataclasses.fields(RuleSet) if field.default is dataclasses.MISSING
)


def preset(name: str) -> RuleSet:
    """The preset called `name` (see `PRESET_NAMES`). Raises ConfigError for another name, with the nearest one."""
    if name not in PRESETS:
        raise _no_such_preset(name)
    return _preset(name)


@cache
def _preset(name: str) -> RuleSet:
    return _make(name, {}, PRESETS[name].options)


def _values(rules: RuleSet) -> dict[str, Any]:
    return {key: getattr(rules, key) for key in OPTIONS}


def _from_plain(mapping: object) -> RuleSet:
    if not isinstance(mapping, Mapping):
        raise ConfigError(
            f"a rule set is a mapping, such as {{preset: playboard, rounds: 8}}, not {shown(mapping)}"
        )
    values: dict[str, Any] = dict(mapping)
    base = values.pop("preset", CUSTOM)
    for key in values:
        _check_key(key)
    if not isinstance(base, str):
        raise _no_such_preset(base)
    if base != CUSTOM:
        return _make(base, _values(preset(base)), values)
    for key in _REQUIRED:
        if key not in values:
            raise ConfigError(
                f"missing; allowed: {OPTIONS[key].allowed}; a mapping without a preset needs {', '.join(_REQUIRED)}",
                key=key,
            )
    return _make(CUSTOM, {}, values)


def _make(name: str, base: Mapping[str, Any], values: Mapping[str, Any]) -> RuleSet:
    """The rule set of `base` with `values` over it, ``rounds: all`` worked out last."""
    options = {**base, **values}
    if options["rounds"] == "all":
        options["rounds"] = OPTIONS["tile_set"].read(options["tile_set"]) + 1
    return RuleSet(name=name, **options)


def _check_key(key: object) -> None:
    if key not in OPTIONS:
        name = key if isinstance(key, str) and key.isprintable() else shown(key)
        raise ConfigError(f"there is no such option{_nearest(key, OPTIONS)}", key=name)


def _no_such_preset(name: object) -> ConfigError:
    return ConfigError(f"there is no preset {shown(name)}{_nearest(name, PRESETS)}", key="preset")


def _nearest(word: object, known: Iterable[str]) -> str:
    """The end of an error message: the known word that is most like `word`, and all of them."""
    import difflib  # noqa: PLC0415 - for a mistake only

    near = difflib.get_close_matches(str(word), known, n=1)
    return (
        f"; did you mean {near[0]}? allowed: {', '.join(known)}" if near else f"; allowed: {', '.join(known)}"
    )

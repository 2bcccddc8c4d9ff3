"""From a text or a plain mapping to a checked `Position`: every key and its default."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from mtref.position import fields
from mtref.position.build import state_of
from mtref.position.check import check
from mtref.position.text import parse_text
from mtref.position.values import KEYS, Link, Position
from mtref_sdk.errors import ConfigError
from mtref_sdk.moves import MAX_SEATS
from mtref_sdk.ruleoptions import MIN_SEATS, shown
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.tiles import Tile

__all__ = ["position_from_mapping", "read_position"]

_NEEDED = KEYS[:5]
_MOST_ROUNDS, _MOST_TURNS, _MOST_POINTS = 19, 10_000, 1_000_000


def read_position(text: str, where: str | None = None) -> Position:
    """The position a YAML or JSON text describes, checked.

    Raises ConfigError with `where`, the key and the reason when it is broken; docs/positions.md says what is checked.
    """
    return position_from_mapping(parse_text(text, where), where)


def position_from_mapping(plain: object, where: str | None = None) -> Position:
    """The position a plain mapping describes, checked; see `read_position`."""
    try:
        position = _read(plain)
        check(position)
        state_of(position)
    except ConfigError as error:
        raise ConfigError(error.message, key=error.key, where=where) from None
    return position


def _read(plain: object) -> Position:
    if not isinstance(plain, Mapping):
        raise ConfigError(f"a position is a mapping with the keys {', '.join(_NEEDED)}, not {shown(plain)}")
    _check_keys(plain)
    rules = _rules(plain["rule_set"])
    seats = fields.whole("seats", plain["seats"], MIN_SEATS, MAX_SEATS)
    turn = fields.seat_key("turn", plain["turn"], seats)
    engine = fields.whole("engine", plain["engine"], 0, rules.tile_set)
    drawn = plain.get("just_drawn")
    return Position(
        rules=rules,
        seats=seats,
        engine=engine,
        turn=turn,
        hands=_hands(plain["hands"], rules, seats),
        boneyard=fields.tiles_or_number(
            "boneyard", plain.get("boneyard", 0), rules.tile_set, rules.tile_count
        ),
        trains=_trains(plain.get("trains", {}), rules, seats),
        marked=fields.seat_numbers("marked", plain.get("marked", []), seats),
        forgotten=fields.seat_numbers("forgotten", plain.get("forgotten", []), seats),
        unsatisfied=tuple(
            fields.train("unsatisfied", entry)
            for entry in fields.items("unsatisfied", plain.get("unsatisfied", []), "trains")
        ),
        laid=tuple(
            fields.move("laid", entry) for entry in fields.items("laid", plain.get("laid", []), "moves")
        ),
        drawn=fields.truth("drawn", plain.get("drawn", False)) or drawn is not None,
        just_drawn=None if drawn is None else fields.tile("just_drawn", drawn, rules.tile_set),
        turns_taken=_row("turns_taken", plain.get("turns_taken", [1] * seats), seats, _MOST_TURNS),
        passes=fields.whole("passes", plain.get("passes", 0), 0, _MOST_TURNS),
        quiet_passes=fields.whole("quiet_passes", plain.get("quiet_passes", 0), 0, _MOST_TURNS),
        round_number=fields.whole("round", plain.get("round", 1), 1, _MOST_ROUNDS),
        scores=_row("scores", plain.get("scores", [0] * seats), seats, _MOST_POINTS),
        starter=fields.seat_key("starter", plain.get("starter", turn), seats),
    )


def _check_keys(plain: Mapping[Any, Any]) -> None:
    for key in plain:
        if key not in KEYS:
            near = difflib.get_close_matches(str(key), KEYS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ConfigError(f"there is no such key{hint}; allowed: {', '.join(KEYS)}", key=shown(key))
    for key in _NEEDED:
        if key not in plain:
            raise ConfigError(f"is missing; a position needs {', '.join(_NEEDED)}", key=key)


def _rules(plain: object) -> RuleSet:
    if isinstance(plain, str):
        return preset(plain)
    if not isinstance(plain, Mapping):
        raise ConfigError(
            f"{shown(plain)} is neither a preset's name nor a mapping such as {{preset: playboard, draws: per_play}}",
            key="rule_set",
        )
    return RuleSet.from_mapping(plain)


def _hands(plain: object, rules: RuleSet, seats: int) -> tuple[tuple[Tile, ...] | int, ...]:
    given: dict[int, tuple[Tile, ...] | int] = {}
    for key, value in fields.mapping("hands", plain, "from seats to tiles").items():
        seat = fields.seat_key("hands", key, seats)
        if seat in given:
            raise ConfigError(f"seat {seat} is there twice", key="hands")
        given[seat] = fields.tiles_or_number("hands", value, rules.tile_set, rules.tile_count)
    for seat in range(seats):
        if seat not in given:
            raise ConfigError(f"seat {seat} is missing; give its tiles, or how many it holds", key="hands")
    return tuple(given[seat] for seat in range(seats))


def _trains(plain: object, rules: RuleSet, seats: int) -> dict[str, tuple[Link, ...]]:
    given: dict[str, tuple[Link, ...]] = {}
    for key, value in fields.mapping("trains", plain, "from trains to tiles").items():
        name = fields.train("trains", key)
        if name in given:
            raise ConfigError(f"train {name} is there twice", key="trains")
        given[name] = tuple(
            fields.link("trains", entry, rules.tile_set) for entry in fields.items("trains", value, "tiles")
        )
    own = {str(seat): given.pop(str(seat), ()) for seat in range(seats)}
    others = sorted((name for name in given if given[name] or not name.startswith("m")), key=_train_order)
    return own | {name: given[name] for name in others}


def _train_order(name: str) -> tuple[bool, int]:
    return name.startswith("m"), int(name.removeprefix("m"))


def _row(key: str, plain: object, seats: int, most: int) -> tuple[int, ...]:
    row = fields.items(key, plain, "numbers, one for each seat")
    if len(row) != seats:
        raise ConfigError(f"{len(row)} numbers for {seats} seats", key=key)
    return tuple(fields.whole(key, number, 0, most) for number in row)

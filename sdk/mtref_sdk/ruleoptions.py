"""The options of a rule set, one by one: the values each may take, what it means, and how a plain value becomes its own.

Only what can be said about one option alone lives here; which options contradict each other is `mtref_sdk.rulechecks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from mtref_sdk.errors import ConfigError
from mtref_sdk.moves import MAX_SEATS

__all__ = ["MIN_SEATS", "OPTIONS", "Hand", "LeavePerSeat", "MexicanTrains", "Option", "shown"]

MIN_SEATS: Final = 2
"""The fewest seats at a table."""


@dataclass(frozen=True, slots=True)
class LeavePerSeat:
    """A hand that leaves about `tiles` tiles a seat in the boneyard: ``floor((T - a - k*n) / n)`` tiles are dealt to each."""

    tiles: int


Hand: TypeAlias = int | tuple[tuple[int, int], ...] | LeavePerSeat
"""Tiles dealt to each seat: one number, ``((seats, tiles), ...)`` by rising seats, or `LeavePerSeat`."""

MexicanTrains: TypeAlias = Literal[0, 1, "unlimited"]
"""How many Mexican trains may exist."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `read` turns a plain value (as JSON or YAML gives it) into the value a `RuleSet` holds.

    `read` raises ConfigError that names the option and the allowed values; it leaves a value that is already right alone.
    """

    name: str
    allowed: str
    meaning: str
    read: Callable[[object], Any]


def shown(value: object) -> str:
    """A value for an error message: on one line, not too long, and ``true`` as the user wrote it."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _refuse(name: str, value: object, allowed: str) -> ConfigError:
    return ConfigError(f"{shown(value)} is not allowed; allowed: {allowed}", key=name)


def _is_whole(value: object, least: int, most: int) -> bool:
    """Whether `value` is an int (True and False are not) from `least` to `most`."""
    return type(value) is int and least <= value <= most


def _choice(name: str, choices: Sequence[bool | int | str], meaning: str) -> Option:
    texts = [shown(choice) if isinstance(choice, bool) else str(choice) for choice in choices]
    allowed = f"{', '.join(texts[:-1])} or {texts[-1]}"

    def read(value: object) -> bool | int | str:
        for choice in choices:
            if type(value) is type(choice) and value == choice:
                return choice
        raise _refuse(name, value, allowed)

    return Option(name, allowed, meaning, read)


_SEATS_ALLOWED: Final = f"[min, max] with {MIN_SEATS} <= min <= max <= {MAX_SEATS}"
_ROUNDS_ALLOWED: Final = "1 to tile_set + 1, or all"
_HAND_ALLOWED: Final = (
    "a number of tiles from 1 up, a map such as {2: 16, 3: 15}, or {leave_per_seat: k} with k from 0 up"
)
_MOST_TILES: Final = 190
_MOST_ROUNDS: Final = 19


def _read_seats(value: object) -> tuple[int, int]:
    if isinstance(value, (list, tuple)) and len(value) == 2:
        least, most = value
        if _is_whole(least, MIN_SEATS, MAX_SEATS) and _is_whole(most, least, MAX_SEATS):
            return least, most
    raise _refuse("seats", value, _SEATS_ALLOWED)


def _read_rounds(value: object) -> int:
    if type(value) is int and 1 <= value <= _MOST_ROUNDS:
        return value
    raise _refuse("rounds", value, _ROUNDS_ALLOWED)


def _read_hand(value: object) -> Hand:
    if type(value) is int and 1 <= value <= _MOST_TILES:
        return value
    if isinstance(value, LeavePerSeat):
        value = {"leave_per_seat": value.tiles}
    if isinstance(value, tuple) and all(isinstance(entry, tuple) and len(entry) == 2 for entry in value):
        value = dict(value)
    if isinstance(value, Mapping) and value:
        if list(value) == ["leave_per_seat"] and _is_whole(value["leave_per_seat"], 0, _MOST_TILES):
            return LeavePerSeat(value["leave_per_seat"])
        entries = [(_seat_count(seats), tiles) for seats, tiles in value.items()]
        if all(
            _is_whole(seats, MIN_SEATS, MAX_SEATS) and _is_whole(tiles, 1, _MOST_TILES)
            for seats, tiles in entries
        ) and len(dict(entries)) == len(entries):
            return tuple(sorted(entries))
    raise _refuse("hand", value, _HAND_ALLOWED)


def _seat_count(key: object) -> Any:
    """A key of a hand map; JSON can only write it as text."""
    return int(key) if isinstance(key, str) and key.isdecimal() and key.isascii() and len(key) <= 2 else key


def _read_double_blank(value: object) -> int:
    if type(value) is int and 0 <= value <= 100:
        return value
    raise _refuse("double_blank", value, "0 to 100")


OPTIONS: Final[Mapping[str, Option]] = {
    option.name: option
    for option in (
        _choice("tile_set", (6, 9, 12, 15, 18), "the highest pip number N"),
        Option("seats", _SEATS_ALLOWED, "allowed numbers of players", _read_seats),
        Option("hand", _HAND_ALLOWED, "tiles dealt to each seat", _read_hand),
        Option(
            "rounds", _ROUNDS_ALLOWED, "how many rounds a game has, with engines N, N-1, ...", _read_rounds
        ),
        _choice(
            "engine",
            ("set_aside", "holder", "highest_held"),
            "taken out before the deal, laid by whoever holds it, or the highest unused double in a hand",
        ),
        _choice(
            "engine_search",
            ("sequential", "simultaneous"),
            "how the table looks for an engine that nobody holds (engine holder): seat by seat, or all at once",
        ),
        _choice("starter", ("rotate", "round_winner", "engine_layer"), "who begins a round"),
        _choice(
            "opening",
            ("free", "own_first_turn", "own_until_started", "own_or_started_mexican"),
            "where a seat may play before its train has a tile",
        ),
        _choice(
            "first_turn_run",
            (False, True),
            "in its first turn of a round a seat may lay as many tiles as it likes on its own train",
        ),
        _choice("mexican_trains", (0, 1, "unlimited"), "how many Mexican trains may exist"),
        _choice("boneyard", ("draw", "aside"), "whether left-over tiles are drawn, or out of play"),
        _choice("draws", ("per_turn", "per_play"), "one draw a turn, or one for each tile owed"),
        _choice(
            "trainless_draw",
            ("one", "until_playable"),
            "whether a seat whose train has no tile goes on drawing until it can play",
        ),
        _choice(
            "failed_draw_opens",
            ("always", "when_boneyard_empty"),
            "whether a pass marks the train while tiles are left to draw",
        ),
        _choice(
            "marker_on_draw_elsewhere",
            (False, True),
            "whether a drawn tile played anywhere but on the own train marks it as well",
        ),
        _choice(
            "marker_removal",
            ("auto", "manual_next_turn", "manual_on_own_play", "manual_once"),
            "how a marker comes down: by itself, or by a move that lifts it",
        ),
        _choice(
            "follow_up",
            ("on_double", "anywhere", "second_double", "optional"),
            "where the tile owed after a double goes",
        ),
        _choice(
            "lock",
            ("table", "none"),
            "whom a double still unsatisfied at the end of the turn binds: everyone, nobody",
        ),
        _choice(
            "lock_order", ("oldest", "any"), "which of several unsatisfied doubles must be satisfied first"
        ),
        _choice("dead_double", ("release", "block"), "whether a dead double stops binding"),
        _choice("finish_on_double", (True, False), "whether a double as the last tile ends the round"),
        _choice("block", ("nobody_can_play", "lap_of_passes"), "when a round is blocked"),
        Option("double_blank", "0 to 100", "what the 0-0 left in a hand costs", _read_double_blank),
    )
}
"""Every option of a rule set, in the order of the rulebook."""

"""What must hold between the values of a position before the rules are asked. What needs the rules core is `build`."""

from __future__ import annotations

from collections.abc import Iterator

from mtref.position.values import Position
from mtref_sdk.errors import ConfigError
from mtref_sdk.tiles import Tile

__all__ = ["check"]


def check(position: Position) -> None:
    """Raise ConfigError, with key and reason, if the values of `position` contradict each other or its rule set."""
    position.rules.hand_size(position.seats)
    _check_mexicans(position)
    _check_joins(position)
    _check_tiles(position)
    _check_hands(position)
    _check_markers(position)
    _check_unsatisfied(position)
    _check_draw(position)
    if position.quiet_passes > position.passes:
        raise ConfigError(f"{position.quiet_passes} of {position.passes} passes", key="quiet_passes")


def _check_mexicans(position: Position) -> None:
    allowed = position.rules.mexican_trains
    mexicans = [name for name in position.trains if name.startswith("m")]
    for name in position.trains:
        if not name.startswith("m") and int(name) >= position.seats:
            raise ConfigError(f"there is no train {name} at a table of {position.seats}", key="trains")
    if allowed != "unlimited" and len(mexicans) > allowed:
        raise ConfigError(
            f"{mexicans[allowed]} is one more than mexican_trains {allowed} allows", key="trains"
        )
    for number, name in enumerate(mexicans, start=1):
        if name != f"m{number}":
            raise ConfigError(f"{name} has tiles but m{number} has none", key="trains")


def _check_joins(position: Position) -> None:
    for name, links in position.trains.items():
        end, before = position.engine, "the engine"
        for inner, outer in links:
            if inner != end:
                hint = f"; write it {outer}-{inner}, as it lies" if outer == end else ""
                raise ConfigError(
                    f"train {name}: {inner}-{outer} does not join the {end} of {before}{hint}", key="trains"
                )
            end, before = outer, f"{inner}-{outer}"


def _places(position: Position) -> Iterator[tuple[str, str, Tile]]:
    """Every known tile with its key and where it is."""
    yield "engine", "in the centre as the engine", Tile.of(position.engine, position.engine)
    for name, links in position.trains.items():
        for inner, outer in links:
            yield "trains", f"on train {name}", Tile.of(inner, outer)
    for seat, hand in enumerate(position.hands):
        for tile in () if isinstance(hand, int) else hand:
            yield "hands", f"in the hand of seat {seat}", tile
    for tile in () if isinstance(position.boneyard, int) else position.boneyard:
        yield "boneyard", "in the boneyard", tile


def _check_tiles(position: Position) -> None:
    seen: dict[Tile, str] = {}
    for key, place, tile in _places(position):
        if tile in seen:
            where = f"twice {place}" if seen[tile] == place else f"{place} and {seen[tile]}"
            raise ConfigError(f"{tile} is {where}", key=key)
        seen[tile] = place
    unknown = [hand for hand in position.hands if isinstance(hand, int)]
    if isinstance(position.boneyard, int):
        unknown.append(position.boneyard)
    total, most = len(seen) + sum(unknown), position.rules.tile_count
    if total > most:
        raise ConfigError(
            f"with trains and boneyard there are {total} tiles, but the double-{position.rules.tile_set} set has {most}",
            key="hands",
        )


def _check_hands(position: Position) -> None:
    if isinstance(position.hands[position.turn], int):
        raise ConfigError(f"seat {position.turn} is on move and needs its tiles", key="hands")
    for seat, hand in enumerate(position.hands):
        empty = not hand  # no tile, or none in number
        if empty and (seat != position.turn or not position.laid):
            raise ConfigError(f"seat {seat} has no tile left, so the round is over", key="hands")


def _check_markers(position: Position) -> None:
    for seat in position.forgotten:
        if position.rules.marker_removal == "auto":
            raise ConfigError("no marker is forgotten with marker_removal auto", key="forgotten")
        if seat not in position.marked:
            raise ConfigError(f"seat {seat} is not in marked", key="forgotten")
        if not position.trains[str(seat)]:
            raise ConfigError(f"seat {seat} has not played at home: its train is empty", key="forgotten")


def _check_unsatisfied(position: Position) -> None:
    for name in position.unsatisfied:
        if position.unsatisfied.count(name) > 1:
            raise ConfigError(f"train {name} is there twice", key="unsatisfied")
        links = position.trains.get(name, ())
        if not links:
            raise ConfigError(f"train {name} has no tile", key="unsatisfied")
        inner, outer = links[-1]
        if inner != outer:
            raise ConfigError(f"train {name} ends in {inner}-{outer}, which is no double", key="unsatisfied")


def _check_draw(position: Position) -> None:
    tile, hand = position.just_drawn, position.hands[position.turn]
    if tile is None:
        return
    if position.rules.boneyard == "aside":
        raise ConfigError("nobody draws with boneyard aside", key="just_drawn")
    if isinstance(hand, tuple) and tile not in hand:
        raise ConfigError(f"{tile} is not in the hand of seat {position.turn}", key="just_drawn")

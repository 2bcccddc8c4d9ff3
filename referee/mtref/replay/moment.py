"""The table at one moment of a log: the SDK's fold of what a viewer sees, and all tiles when everything is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision, LogHeader
from mtref.replay.sight import seen
from mtref.rules.projection import project
from mtref.text import escape
from mtref_sdk.books import NOBODY, Books
from mtref_sdk.errors import ConfigError, InvalidMoveError, ProtocolError
from mtref_sdk.events import (
    BoneyardStacked,
    EngineLaid,
    EngineSearchDrawn,
    Event,
    HandDealt,
    TileDrawn,
    TilePlayed,
)
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.table import Table
from mtref_sdk.tiles import Tile
from mtref_sdk.wire import pack

__all__ = ["Moment", "fits", "moment_at"]

NOT_A_SEAT = -1
"""A viewer who is told only what everybody is."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after line ``number`` of a log, as its viewer knew it.

    ``hands`` are in canonical order by seat, None where the viewer does not know them; ``boneyard`` is in drawing order,
    None if unknown. ``decision`` is the choice made in that very line, the table being the one it was made at.
    """

    number: int
    table: Table
    hands: tuple[tuple[Tile, ...] | None, ...]
    boneyard: tuple[Tile, ...] | None
    decision: LogDecision | None


class _Follower:
    """Follows a game event by event: the public table for everybody, hands and boneyard as far as the viewer knows."""

    def __init__(self, rules: RuleSet, seats: int, viewer: int | None) -> None:
        self.books = Books(rules, seats, NOBODY if viewer is None else viewer)
        self._viewer = viewer
        self.hands: list[set[Tile] | None] = [None] * seats
        self.boneyard: list[Tile] | None = None

    def follow(self, event: Event) -> None:
        """Fold one event, already as the viewer sees it. Raises ValueError when this table can have no such event."""
        if not fits(event, self.books.seats):
            raise ValueError(event)
        public = project(event, NOT_A_SEAT if self._viewer is None else self._viewer)
        if public is not None:
            self.books.tell(pack(public))
        match event:
            case HandDealt(seat=seat, tiles=tiles):
                self.hands[seat] = None if tiles is None else set(tiles)
            case BoneyardStacked(tiles=tiles):
                self.boneyard = list(tiles)
            case TileDrawn(seat=seat, tile=tile) | EngineSearchDrawn(seat=seat, tile=tile):
                self._drawn(seat, tile)
            case TilePlayed(seat=seat, tile=tile) | EngineLaid(seat=int(seat), tile=tile):
                hand = self.hands[seat]
                if hand is not None:
                    hand.discard(tile)
            case _:
                pass

    def _drawn(self, seat: int, tile: Tile | None) -> None:
        hand = self.hands[seat]
        if hand is not None and tile is not None:
            hand.add(tile)
        if self.boneyard is not None and tile in self.boneyard:
            self.boneyard.remove(tile)


def fits(event: Event, seats: int) -> bool:
    """Whether the event speaks of seats and trains that there are, and of an open end that its tile has."""
    for name in ("seat", "starter"):
        if (getattr(event, name, None) or 0) >= seats:
            return False
    for name in ("hand_sizes", "scores", "totals", "places"):
        if len(getattr(event, name, range(seats))) != seats:
            return False
    train = getattr(event, "train", "m1")
    if train.isdecimal() and int(train) >= seats:
        return False
    return not isinstance(event, TilePlayed) or event.tile.has(event.end)


def moment_at(reader: LogReader, number: int, seat: int | None = None) -> Moment:
    """The moment after line `number` of a log just opened, with the eyes of `seat` or (None) of the referee.

    Raises LogError when there is no such line, or when the lines before it do not make sense.
    """
    header = reader.header
    follower = _Follower(_rules(reader, header), header.seats, seat)
    last, decision = 1, None
    for line in reader:
        if line.number > number:
            break
        last = line.number
        record = seen(line.record, seat)
        decision = record if isinstance(record, LogDecision) else None
        if isinstance(record, Event):
            try:
                follower.follow(record)
            except (LookupError, ValueError, ProtocolError) as error:
                raise reader.error(line.number, "this cannot happen after the lines before it") from error
    if last < number:
        raise reader.error(number, f"there is no such line; the last one is {last}")
    try:
        follower.books.catch_up()
        table = Table.of(follower.books)
    except (LookupError, ValueError, ProtocolError) as error:
        raise reader.error(number, "the lines up to here cannot all have happened") from error
    return Moment(number, table, tuple(map(_sorted, follower.hands)), _listed(follower.boneyard), decision)


def _rules(reader: LogReader, header: LogHeader) -> RuleSet:
    try:
        return RuleSet.from_mapping(header.rules)
    except (ConfigError, InvalidMoveError) as error:
        raise reader.error(1, f"rules: {escape(str(error))}") from error


def _sorted(hand: Iterable[Tile] | None) -> tuple[Tile, ...] | None:
    return None if hand is None else tuple(sorted(hand))


def _listed(tiles: Iterable[Tile] | None) -> tuple[Tile, ...] | None:
    return None if tiles is None else tuple(tiles)

"""The table at one moment of a log: the SDK's fold of what a viewer sees, and all tiles when everything is shown."""

from __future__ import annotations

from dataclasses import dataclass

from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision
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
from mtref_sdk.history import EventLog
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.table import Table
from mtref_sdk.tiles import Tile
from mtref_sdk.wire import pack

__all__ = ["Follower", "Moment", "fits", "moment_at", "rules_of"]

NOT_A_SEAT = -1
"""A viewer who is told only what everybody is."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after line ``number`` of a log, as its viewer knew it.

    ``hands`` are in canonical order by seat, None where the viewer does not know them; ``boneyard`` is in drawing order,
    None if unknown. ``decision`` is the choice made in that very line, the table being the one it was made at.
    ``just_drawn`` is the tile that the seat on turn has drawn and would play now, None if there is none or it is unknown.
    """

    number: int
    table: Table
    hands: tuple[tuple[Tile, ...] | None, ...]
    boneyard: tuple[Tile, ...] | None
    decision: LogDecision | None
    just_drawn: Tile | None


class Follower:
    """Follows a game event by event: the public table for everybody, hands and boneyard as far as the viewer knows."""

    def __init__(self, rules: RuleSet, seats: int, viewer: int | None) -> None:
        self.books = Books(rules, seats, NOBODY if viewer is None else viewer)
        self._viewer = viewer
        self.hands: list[set[Tile] | None] = [None] * seats
        self.boneyard: list[Tile] | None = None
        self.drawn: Tile | None = None  # the last tile anybody drew, if it is known

    def copy(self) -> Follower:
        """An independent follower at the same moment, without the events before it."""
        new = Follower(self.books.rules, self.books.seats, self._viewer)
        self.books.catch_up()
        new.books = self.books.copy()
        new.books.log, new.books.folded = EventLog(), 0
        new.hands = [None if hand is None else hand.copy() for hand in self.hands]
        new.boneyard = None if self.boneyard is None else self.boneyard[:]
        new.drawn = self.drawn
        return new

    def moment(self, number: int, decision: LogDecision | None) -> Moment:
        """What there is to see now, after line `number`. Raises ValueError when the events cannot all have happened."""
        try:
            self.books.catch_up()
        except (LookupError, ProtocolError) as error:
            raise ValueError(number) from error
        hands = tuple([None if hand is None else tuple(sorted(hand)) for hand in self.hands])
        boneyard = None if self.boneyard is None else tuple(self.boneyard)
        table = Table.of(self.books)
        return Moment(number, table, hands, boneyard, decision, self.drawn if table.fresh else None)

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
        self.drawn = tile
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
    follower = Follower(rules_of(reader), header.seats, seat)
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
        return follower.moment(number, decision)
    except ValueError as error:
        raise reader.error(number, "the lines up to here cannot all have happened") from error


def rules_of(reader: LogReader) -> RuleSet:
    """The rule set of a log. Raises LogError when its header does not hold one."""
    try:
        return RuleSet.from_mapping(reader.header.rules)
    except (ConfigError, InvalidMoveError) as error:
        raise reader.error(1, f"rules: {escape(str(error))}") from error

"""What the lines of a log so far tell of the next one, which leaves it out. The table of it is in docs/log-format.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mtref.replay.records import LogDecision, LogHeader, Record
from mtref_sdk.events import (
    BoneyardStacked,
    DoubleBound,
    DoubleReleased,
    DoubleSatisfied,
    Event,
    LastTileCalled,
    MarkerForgotten,
    MarkerLowered,
    MarkerRaised,
    MarkerRenewed,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
    TurnStopped,
)
from mtref_sdk.moves import CODE_BY_TRAIN, STOP_CODE, TRAINS
from mtref_sdk.tiles import TILE_BY_CODE, Tile

__all__ = [
    "BY_SEAT", "BY_SEAT_AND_TRAIN", "BY_TRAIN", "DRAWN", "PLAYED", "TURN", "WHOLE", "Told", "key_of", "other_end", "way_of",
]  # fmt: skip

WHOLE: Final = 0
"""An event that leaves nothing out. Those that do go by their seat, their train or more, as the names say."""
BY_SEAT: Final = 1
BY_TRAIN: Final = 2
BY_SEAT_AND_TRAIN: Final = 3
TURN: Final = 4
DRAWN: Final = 5
PLAYED: Final = 6

_WAYS: Final[dict[type[Any], int]] = {
    TurnStarted: TURN,
    TilePlayed: PLAYED,
    TileDrawn: DRAWN,
    TurnPassed: BY_SEAT,
    TurnStopped: BY_SEAT,
    MarkerRaised: BY_SEAT,
    MarkerLowered: BY_SEAT,
    MarkerForgotten: BY_SEAT,
    MarkerRenewed: BY_SEAT,
    LastTileCalled: BY_SEAT,
    DoubleBound: BY_TRAIN,
    DoubleReleased: BY_TRAIN,
    DoubleSatisfied: BY_SEAT_AND_TRAIN,
}
_BY_NAME: Final = {kind.name: way for kind, way in _WAYS.items()}

_NOBODY: Final = -1  # no line has told whose turn it is
_HIDDEN: Final = -1  # not the code of a tile, and nor is this:
_END: Final = -2


def way_of(kind: type[Event]) -> int:
    """What an event of this kind leaves out: one of the numbers above."""
    return _WAYS.get(kind, WHOLE)


def key_of(event: Any) -> int:
    """The fields that the event may leave out, but the open end, as one number, to be compared with what `Told` says of them."""
    way = way_of(type(event))
    if way == WHOLE:
        return 0
    seat: int = 0 if way == BY_TRAIN else event.seat
    train = CODE_BY_TRAIN[event.train] if way in {BY_TRAIN, BY_SEAT_AND_TRAIN, PLAYED} else 0
    tile = _code(event.tile) if way in {DRAWN, PLAYED} else 0
    return (tile << 5 | train) << 4 | seat


def _code(tile: Tile | None) -> int:
    return _HIDDEN if tile is None else tile.low << 5 | tile.high


def other_end(tile: int, open_end: int) -> int:
    """The new open end of a train that ended in `open_end` and has got this tile (a code); -1 if it does not fit there."""
    low, high = tile >> 5, tile & 31
    return high if low == open_end else low if high == open_end else -1


class Told:
    """What the lines of one log have told. Give it every record, by `hear`, after its line.

    Whose turn it is and whose it is ``next``; the codes of the ``boneyard``, how many of them were ``drawn``, and after the last a
    number that is no tile's; each train's open end; what the last decision chose, a move's code without its last bit;
    the code of the train that got the last tile; the seats' banks.
    """

    def __init__(self) -> None:
        self.seats = 1
        self.turn = self.next = _NOBODY
        self.boneyard = [_END]
        self.drawn = 0
        self.ends = [_END] * len(TRAINS)
        self.chosen = STOP_CODE >> 1
        self.train = -1
        self.banks: dict[int, Any] = {}

    def hear(self, found: Record) -> None:
        """Take in what the next line tells."""
        match found:
            case LogDecision():
                self.chosen = found.move >> 1
                bank_ms: Any = found.bank_ms
                if bank_ms is not None:
                    self.banks[found.seat] = bank_ms
            case TurnStarted():
                self.turn, self.next = found.seat, (found.seat + 1) % self.seats
            case TilePlayed():
                self.train = CODE_BY_TRAIN[found.train]
                self.ends[self.train] = found.end
            case TileDrawn():
                self.drawn += self.boneyard[self.drawn] == _code(found.tile)
            case RoundStarted():
                self.turn, self.next = _NOBODY, found.starter
                self.boneyard, self.drawn = [_END], 0
                self.ends = [found.engine] * len(TRAINS)
            case BoneyardStacked():
                self.boneyard, self.drawn = [*map(_code, found.tiles), _END], 0
            case LogHeader():
                self.seats = found.seats
            case _:
                pass

    def fill(self, kind: str, plain: dict[str, Any]) -> None:
        """Put into the object of the next line, an event of this name or a ``"decision"``, what it leaves out."""
        for name, value in self._known(kind, plain):
            plain.setdefault(name, value)

    def leave_out(self, kind: str, plain: dict[str, Any]) -> None:
        """Take out of such an object, which has all its fields, what need not be there."""
        whole = dict(plain)
        for name, value in self._known(kind, whole):
            if whole[name] == value:
                del plain[name]

    def _known(self, kind: str, plain: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """Names and values of what is told; what depends on others comes after these, and looks for them in `plain`."""
        if kind == "decision":
            yield "may_lift", []
            yield "by", "bot"
            yield "ms", None
            seat = plain.get("seat")
            if type(seat) is int and seat in self.banks:
                yield "bank_ms", self.banks[seat]
            return
        way = _BY_NAME.get(kind, WHOLE)
        seat = self.next if way == TURN else self.turn
        if way not in {WHOLE, BY_TRAIN} and seat != _NOBODY:
            yield "seat", seat
        if way in {BY_TRAIN, BY_SEAT_AND_TRAIN} and self.train >= 0:
            yield "train", TRAINS[self.train]
        if way == DRAWN and self.boneyard[self.drawn] != _END:
            yield "tile", str(TILE_BY_CODE[self.boneyard[self.drawn]])
        if way == PLAYED and self.chosen >> 5 in TILE_BY_CODE:
            code, train = self.chosen >> 5, self.chosen & 31
            yield "tile", str(TILE_BY_CODE[code])
            yield "train", TRAINS[train]
            end = other_end(code, self.ends[train])
            if end >= 0 and (plain["tile"], plain["train"]) == (str(TILE_BY_CODE[code]), TRAINS[train]):
                yield "end", end

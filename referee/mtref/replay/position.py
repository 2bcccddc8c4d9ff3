"""The moments of a log as positions: what `explain`, `branch` and tests can go on from."""

from __future__ import annotations

from mtref.position import Position, position_from_mapping, position_to_mapping
from mtref.replay.moment import Moment, moment_at
from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision, LogFault
from mtref_sdk.errors import ConfigError
from mtref_sdk.events import TileDrawn, TurnPassed, TurnStopped

__all__ = ["position_after", "position_of"]

_NEXT = (LogDecision, TileDrawn, TurnPassed, TurnStopped)
"""What a step of the game begins with. Before one, the step before is over with all that follows from it."""


def position_after(reader: LogReader, number: int, seat: int | None = None) -> tuple[int, Position]:
    """The position after line `number` of a log just opened, as `seat` or (None) the referee knew it, and its line.

    The line is a later one when `number` is in the middle of a step: a tile is laid, and what becomes of markers and
    doubles stands in the lines after it. At a decision the position is the one it was made in. Raises LogError when
    nobody is on turn there, or `seat` does not know the hand of whoever is.
    """
    line = _settled(reader, number)
    with LogReader(reader.path) as again:
        moment = moment_at(again, line, seat)
    turn = moment.table.turn
    if turn is None:
        raise reader.error(line, "nobody is on turn here, so there is no position; name a line of a turn")
    if moment.hands[turn] is None:
        text = f"seat {turn} is on turn, and seat {seat} does not know its tiles; leave --seat out, or name another line"
        raise reader.error(line, text)
    position = position_of(moment)
    try:
        return line, position_from_mapping(position_to_mapping(position))
    except ConfigError as error:
        raise reader.error(line, f"the lines up to here make no position: {error}") from error


def position_of(moment: Moment) -> Position:
    """A moment at which a seat is on turn, and its hand known, as a position. Nothing is checked here."""
    table = moment.table
    assert table.turn is not None
    hands = [
        size if hand is None else hand for hand, size in zip(moment.hands, table.hand_sizes, strict=True)
    ]
    return Position(
        rules=table.rules,
        seats=table.seats,
        engine=table.engine,
        turn=table.turn,
        hands=tuple(hands),
        boneyard=table.boneyard if moment.boneyard is None else moment.boneyard,
        trains={
            train.id: train.links for train in table.trains.values() if train.links or train.owner is not None
        },
        marked=table.marked,
        forgotten=table.forgotten,
        unsatisfied=table.unsatisfied,
        laid=table.laid,
        drawn=table.drawn,
        just_drawn=moment.just_drawn,
        turns_taken=table.turns_taken,
        passes=table.passes,
        quiet_passes=table.quiet_passes,
        round_number=table.round_number,
        scores=table.totals,
        starter=table.starter,
    )


def _settled(reader: LogReader, number: int) -> int:
    """The first line from `number` on that ends a step, decisions included. Reads the log."""
    last, asked = 1, False
    for line in reader:
        if isinstance(line.record, LogFault):
            if line.number <= number:
                last = line.number
            continue
        if last >= number and (asked or isinstance(line.record, _NEXT)):
            return last
        last, asked = line.number, isinstance(line.record, LogDecision)
    if last < number:
        raise reader.error(number, f"there is no such line; the last one is {last}")
    return last

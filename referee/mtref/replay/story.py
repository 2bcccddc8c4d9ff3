"""A game told in lines of plain text, a turn a line. What may be told is decided before (`sight`); nothing is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from mtref.replay.encode import move_text
from mtref.replay.picture import wrapped
from mtref.replay.reader import LogLine
from mtref.replay.records import (
    LogDecision,
    LogEnd,
    LogFault,
    LogHeader,
    Origin,
    PositionOrigin,
    SeedRevealed,
)
from mtref.text import escape
from mtref_sdk import events
from mtref_sdk.events import Event
from mtref_sdk.tiles import Tile

__all__ = ["between", "caption", "origin_in_words", "phrase_of", "tell"]

_NUMBER = 6


def caption(header: LogHeader) -> Iterator[str]:
    """The lines that say what game this is and who sits where."""
    chance = "seeded" if header.seeded else "random"
    preset = escape(str(header.rules.get("preset", "?")), 40)
    yield (
        f"game {escape(header.game)}, deal {escape(header.deal)} ({chance}), rules {preset}, "
        f"{header.seats} seats, mtref {escape(header.mtref, 40)}"
    )
    for seat, bot in enumerate(header.bots):
        yield f"  seat {seat}  {escape(bot.name, 40)}  ({escape(bot.command, 80)})"
    if header.origin is not None:
        yield f"  {origin_in_words(header.origin)}"


def origin_in_words(origin: Origin | PositionOrigin) -> str:
    """Where a game was played on from, without a full stop."""
    move = move_text(origin.move)
    if isinstance(origin, PositionOrigin):
        return f"played on from a position by {move}; what comes before that sets the position up"
    fresh = "" if origin.fresh_from is None else f"; rounds from {origin.fresh_from} on are dealt afresh"
    return f"a branch of game {escape(origin.game)}, which it left in line {origin.line} by {move}{fresh}"


def tell(lines: Iterable[LogLine]) -> Iterator[str]:
    """The story of `lines`. A turn's line begins with the number of its first line in the log."""
    turn = _Turn()
    for line in lines:
        record = line.record
        match record:
            case events.TurnStarted():
                if turn.phrases or turn.notes:  # turns that only count are those before a position
                    yield from turn.told()
                turn = _Turn(line.number, record.seat)
            case LogDecision():
                turn.by_default = record.by == "default"
            case LogFault():
                message = escape(record.message, 120)
                said = f": {message}" if message else ""
                turn.notes.append(
                    f"{line.number:>{_NUMBER}}  fault of seat {record.seat}: {escape(record.kind, 40)}{said}"
                    f" -> {escape(record.done, 40)}"
                )
            case LogHeader() | LogEnd() | SeedRevealed():
                yield from turn.told()
                turn = _Turn()
                yield from _frame(record)
            case _:
                phrase = phrase_of(record)
                if phrase is not None:
                    turn.say(phrase)
                    continue
                yield from turn.told()
                turn = _Turn()
                yield from between(line.number, record)
    yield from turn.told()


class _Turn:
    """What has been said of one turn so far."""

    def __init__(self, number: int = 0, seat: int | None = None) -> None:
        self.number, self.seat = number, seat
        self.phrases: list[str] = []
        self.notes: list[str] = []
        self.by_default = False

    def say(self, phrase: str) -> None:
        """Add a phrase; the first one after a choice the referee made says so."""
        self.phrases.append(f"{phrase} (default)" if self.by_default else phrase)
        self.by_default = False

    def told(self) -> Iterator[str]:
        """The turn's line, and those of its faults."""
        if self.seat is not None or self.phrases:
            number = f"{self.number:>{_NUMBER}}" if self.number else " " * _NUMBER
            who = "" if self.seat is None else f"seat {self.seat}"
            yield f"{number}  {who:<7}  {', '.join(self.phrases)}".rstrip()
        yield from self.notes


def phrase_of(event: Event) -> str | None:
    """What is said of an event within a turn; None for one that stands between turns."""
    match event:
        case events.TilePlayed():
            return f"{event.tile}@{event.train}"
        case events.TileDrawn():
            return f"draws {_one(event.tile)}"
        case events.TurnPassed():
            return "passes"
        case events.TurnStopped():
            return "stops"
        case events.MarkerRaised():
            return "marker up"
        case events.MarkerLowered():
            return "marker down"
        case events.MarkerForgotten():
            return "marker forgotten"
        case events.MarkerRenewed():
            return "marker renewed"
        case events.DoubleBound():
            return f"double on {event.train} to satisfy"
        case events.DoubleSatisfied():
            return f"satisfies {event.train}"
        case events.DoubleReleased():
            return f"double on {event.train} released"
        case events.LastTileCalled():
            return "last tile!"
        case (
            events.RoundStarted()
            | events.HandDealt()
            | events.BoneyardStacked()
            | events.EngineSearchDrawn()
            | events.EngineLaid()
            | events.TurnStarted()
            | events.RoundEnded()
            | events.GameEnded()
        ):
            return None
        case _:
            assert_never(event)


def between(number: int, event: Event) -> Iterator[str]:
    """The lines, numbered, for an event that stands between turns; none for any other."""
    match event:
        case events.RoundStarted():
            yield ""
            engine = f"{event.engine}-{event.engine}"
            yield f"{number:>{_NUMBER}}  Round {event.round}: engine {engine}, seat {event.starter} starts"
        case events.HandDealt():
            yield from _listed(f"hand {event.seat}", event.tiles)
        case events.BoneyardStacked():
            yield from _listed("boneyard", event.tiles)
        case events.EngineSearchDrawn():
            yield f"{number:>{_NUMBER}}  seat {event.seat} draws {_one(event.tile)} in search of the engine"
        case events.EngineLaid():
            where = "lies in the centre" if event.seat is None else f"is laid by seat {event.seat}"
            yield f"{number:>{_NUMBER}}  the engine {event.tile} {where}"
        case events.RoundEnded():
            how = "blocked" if event.seat is None else f"seat {event.seat} went out"
            yield f"{number:>{_NUMBER}}  {how}; scores {_row(event.scores)}; totals {_row(event.totals)}"
        case events.GameEnded():
            yield ""
            yield f"{number:>{_NUMBER}}  Game over: totals {_row(event.totals)}; places {_row(event.places)}"


def _frame(record: LogHeader | LogEnd | SeedRevealed) -> Iterator[str]:
    match record:
        case LogHeader():
            yield from caption(record)
        case LogEnd():
            for seat, counts in enumerate(record.faults):
                if counts:
                    listed = ", ".join(f"{many} {escape(kind, 40)}" for kind, many in counts.items())
                    yield f"        faults of seat {seat}: {listed}"
            yield f"        game digest {escape(record.game_digest, 64)}"
        case SeedRevealed():
            yield f"        seed {record.seed.hex()}"


def _one(tile: Tile | None) -> str:
    return "a tile" if tile is None else str(tile)


def _row(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _listed(label: str, tiles: Sequence[Tile] | None) -> Iterator[str]:
    if tiles is not None:
        indent = " " * (_NUMBER + 2)
        yield from (indent + text for text in wrapped(f"{label} ({len(tiles)})", map(str, tiles)))

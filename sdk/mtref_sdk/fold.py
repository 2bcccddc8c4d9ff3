"""What each kind of event changes in a table's books: one function a kind, over the event's packed numbers.

The facts come from the events alone; nothing here knows what may be played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from mtref_sdk import events
from mtref_sdk.wire import HIDDEN, KIND_BY_EVENT

if TYPE_CHECKING:
    from mtref_sdk.books import Books

__all__ = ["FOLDS"]

Fold = Callable[["Books", Sequence[int]], None]


def _round_started(books: Books, numbers: Sequence[int]) -> None:
    books.clear_round()
    books.round_number, books.engine, books.starter, seats = numbers[:4]
    books.hand_sizes = list(numbers[4 : 4 + seats])
    books.boneyard = numbers[4 + seats]


def _hand_dealt(books: Books, numbers: Sequence[int]) -> None:
    if numbers[0] == books.seat and numbers[1] != HIDDEN:
        books.hand = set(numbers[2 : 2 + numbers[1]])


def _boneyard_stacked(books: Books, numbers: Sequence[int]) -> None:
    """Its order is nobody's business at the table; its size came with the round."""


def _engine_search_drawn(books: Books, numbers: Sequence[int]) -> None:
    _take(books, numbers[0], numbers[1])


def _engine_laid(books: Books, numbers: Sequence[int]) -> None:
    tile, seat = numbers[0], numbers[1] - 1
    books.engine = tile & 31
    if seat >= 0:
        books.hand_sizes[seat] -= 1
        if seat == books.seat:
            books.hand.discard(tile)


def _turn_started(books: Books, numbers: Sequence[int]) -> None:
    if books.turn >= 0:
        books.turns_taken[books.turn] += 1
    books.turn = numbers[0]
    books.clear_turn()


def _tile_played(books: Books, numbers: Sequence[int]) -> None:
    seat, tile, train, end = numbers[:4]
    inner = (tile >> 5) + (tile & 31) - end
    books.trains[train] = (*books.trains.get(train, ()), inner << 5 | end)
    books.laid.append(tile << 6 | train << 1)
    books.hand_sizes[seat] -= 1
    if seat == books.seat:
        books.hand.discard(tile)
    books.fresh = False
    books.drawn_tile = -1
    books.passes = books.quiet_passes = 0
    if inner == end and books.rules.draws == "per_play":  # R-one-draw: the tile after a double has its own
        books.drawn = False


def _tile_drawn(books: Books, numbers: Sequence[int]) -> None:
    seat, tile = numbers[:2]
    _take(books, seat, tile)
    books.drawn = books.fresh = True
    if seat == books.seat and tile != HIDDEN:
        books.drawn_tile = tile


def _turn_passed(books: Books, _: Sequence[int]) -> None:
    if not books.laid:
        books.passes += 1
        dry = not books.boneyard or books.rules.boneyard == "aside"
        books.quiet_passes = books.quiet_passes + 1 if dry else 0  # unless a marker goes up for it


def _turn_stopped(books: Books, numbers: Sequence[int]) -> None:
    """The next turn, or the end of the round, follows as an event of its own."""


def _marker_raised(books: Books, numbers: Sequence[int]) -> None:
    books.marked.add(numbers[0])
    books.quiet_passes = 0


def _marker_lowered(books: Books, numbers: Sequence[int]) -> None:
    seat = numbers[0]
    books.marked.discard(seat)
    books.forgotten.discard(seat)
    if books.laid and books.rules.marker_removal != "auto":  # R-marker-manual: the last tile carried a lift
        books.laid[-1] |= 1


def _marker_forgotten(books: Books, numbers: Sequence[int]) -> None:
    books.forgotten.add(numbers[0])


def _marker_renewed(books: Books, numbers: Sequence[int]) -> None:
    books.forgotten.discard(numbers[0])


def _double_bound(books: Books, numbers: Sequence[int]) -> None:
    books.unsatisfied.append(numbers[0])


def _double_gone(books: Books, numbers: Sequence[int]) -> None:
    if numbers[0] in books.unsatisfied:
        books.unsatisfied.remove(numbers[0])


def _last_tile_called(books: Books, numbers: Sequence[int]) -> None:
    if numbers[0] not in books.calls:
        books.calls.append(numbers[0])


def _round_ended(books: Books, numbers: Sequence[int]) -> None:
    if books.turn >= 0:
        books.turns_taken[books.turn] += 1
    books.turn = -1
    seats = numbers[2]
    books.scores = (*books.scores, tuple(numbers[3 : 3 + seats]))
    books.totals = list(numbers[4 + seats : 4 + 2 * seats])


def _game_ended(books: Books, numbers: Sequence[int]) -> None:
    books.totals = list(numbers[1 : 1 + numbers[0]])


def _take(books: Books, seat: int, tile: int) -> None:
    """A seat takes a tile from the boneyard."""
    books.boneyard -= 1
    books.hand_sizes[seat] += 1
    if seat == books.seat and tile != HIDDEN:
        books.hand.add(tile)


_FOLD_BY_EVENT: Final[dict[type[events.Event], Fold]] = {
    events.RoundStarted: _round_started,
    events.HandDealt: _hand_dealt,
    events.BoneyardStacked: _boneyard_stacked,
    events.EngineSearchDrawn: _engine_search_drawn,
    events.EngineLaid: _engine_laid,
    events.TurnStarted: _turn_started,
    events.TilePlayed: _tile_played,
    events.TileDrawn: _tile_drawn,
    events.TurnPassed: _turn_passed,
    events.TurnStopped: _turn_stopped,
    events.MarkerRaised: _marker_raised,
    events.MarkerLowered: _marker_lowered,
    events.MarkerForgotten: _marker_forgotten,
    events.MarkerRenewed: _marker_renewed,
    events.DoubleBound: _double_bound,
    events.DoubleSatisfied: _double_gone,
    events.DoubleReleased: _double_gone,
    events.LastTileCalled: _last_tile_called,
    events.RoundEnded: _round_ended,
    events.GameEnded: _game_ended,
}

FOLDS: Final = {KIND_BY_EVENT[event]: fold for event, fold in _FOLD_BY_EVENT.items()}
"""By kind of event, what it does to the books. A test checks that every kind is here."""

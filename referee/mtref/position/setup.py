"""A position at the table: what everybody sees of it, and a round that is played on from it.

Bots and logs know a table by the events that led to it. So a position is set up by events too: they are no game, but whoever
folds them has the position before him.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtref.position.build import before_turn, state_of
from mtref.position.values import Position
from mtref.rules.game import Game
from mtref.rules.state import State
from mtref.rules.transition import Listener, apply, settle
from mtref_sdk.books import Books
from mtref_sdk.errors import ConfigError
from mtref_sdk.events import (
    BoneyardStacked,
    DoubleBound,
    EngineLaid,
    Event,
    HandDealt,
    MarkerForgotten,
    MarkerRaised,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
    TurnStarted,
)
from mtref_sdk.moves import Move
from mtref_sdk.table import Table
from mtref_sdk.tiles import Tile
from mtref_sdk.wire import pack

__all__ = ["PlacedGame", "table_of"]

_SEEN = (
    "round_number", "engine", "turn", "starter", "trains", "marked", "forgotten", "unsatisfied", "boneyard",
    "hand_sizes", "totals", "turns_taken", "passes", "quiet_passes", "laid", "drawn", "fresh",
)  # fmt: skip
"""What the set-up must give as the position has it, by the names of `Table`."""


def table_of(position: Position) -> Table:
    """What everybody sees of a position."""
    state = state_of(position)
    return Table(
        position.rules,
        seats=position.seats,
        round_number=position.round_number,
        engine=position.engine,
        turn=position.turn,
        starter=position.starter,
        trains={
            name: [Tile.of(inner, outer) for inner, outer in links] for name, links in position.trains.items()
        },
        marked=position.marked,
        forgotten=position.forgotten,
        unsatisfied=position.unsatisfied,
        boneyard=state.boneyard_size,
        hand_sizes=list(state.sizes),
        totals=position.scores,
        turns_taken=position.turns_taken,
        passes=position.passes,
        quiet_passes=position.quiet_passes,
        laid=position.laid,
        drawn=position.drawn,
        fresh=position.just_drawn is not None,
    )


class PlacedGame(Game):
    """One round, from a position to its end; the totals begin with the position's scores.

    Raises ConfigError, with the key, when not every tile is known or the position cannot be told to bots.
    """

    def __init__(self, position: Position, listen: Listener | None = None) -> None:
        _check_known(position)
        super().__init__(position.rules, position.seats, lambda _: (), 0, listen)
        self.state: State = state_of(position)
        self.totals = position.scores
        self._position, self._set_up = position, _set_up(position)

    @property
    def round_number(self) -> int:
        """See `Game`."""
        return self._position.round_number

    @property
    def over(self) -> bool:
        """Whether the round has been played."""
        return bool(self.round_scores)

    def start(self) -> None:
        """Set the position up and settle."""
        if self._listen:
            for event in self._set_up:
                self._listen(event)
        self.legal = settle(self.state, self._listen)
        if not self.legal:
            self._go_on()


def _check_known(position: Position) -> None:
    unknown = [str(seat) for seat, hand in enumerate(position.hands) if isinstance(hand, int)]
    if unknown:
        raise ConfigError(
            f"to play on from a position every tile must be known; give the tiles of seat {' and of seat '.join(unknown)}",
            key="hands",
        )
    if position.boneyard and isinstance(position.boneyard, int):
        raise ConfigError(
            "to play on from a position every tile must be known; give the tiles in the order they will be drawn",
            key="boneyard",
        )


def _set_up(position: Position) -> list[Event]:
    """Events whose fold is the position. Raises ConfigError, with the key, when there are none."""
    wanted = table_of(position)
    draws: Sequence[int | None] = [None]
    if position.just_drawn is not None:
        draws = [len(position.laid)]
    elif position.drawn:
        draws = range(len(position.laid))
    different = "drawn"
    for draw in draws:
        events = list(_events(position, draw))
        books = Books(position.rules, position.seats)
        for event in events:
            books.tell(pack(event))
        books.catch_up()
        found = Table.of(books)
        missed = [name for name in _SEEN if getattr(found, name) != getattr(wanted, name)]
        if not missed:
            return events
        different = missed[0]
    raise ConfigError(
        "no way leads to this position with this value, so no bot can be told of it", key=different
    )


def _events(position: Position, draw: int | None) -> Iterator[Event]:
    """Events that lead to the position; the turn's draw, if there was one, came before its tile number `draw`."""
    state, seats, turn = before_turn(position), range(position.seats), position.turn
    drawn = None
    if draw is not None:
        drawn = position.just_drawn or position.laid[draw].tile
    laid = [move.tile for move in position.laid]
    played = [
        (int(name) if name.isdecimal() else position.starter, Tile.of(inner, outer), name, outer)
        for name, links in position.trains.items()
        for inner, outer in links
        if Tile.of(inner, outer) not in laid
    ]
    hands = []
    for seat, hand in enumerate(position.hands):
        tiles = [*(() if isinstance(hand, int) else hand), *(laid if seat == turn else ())]
        tiles += [tile for owner, tile, _train, _end in played if owner == seat]
        hands.append(tuple([tile for tile in tiles if tile != drawn]))
    boneyard = () if isinstance(position.boneyard, int) else position.boneyard
    stacked = boneyard if drawn is None else (drawn, *boneyard)
    if any(position.scores):
        yield RoundEnded("blocked", None, position.scores, position.scores)
    sizes = tuple(map(len, hands))
    yield RoundStarted(position.round_number, position.engine, position.starter, sizes, len(stacked))
    for seat in seats:
        yield HandDealt(seat, hands[seat])
    yield BoneyardStacked(stacked)
    yield EngineLaid(Tile.of(position.engine, position.engine), None)
    for owner, tile, train, end in played:
        yield TilePlayed(owner, tile, train, end)
    for seat in seats:
        for _ in range(position.turns_taken[seat]):
            yield TurnStarted(seat)
    passes = [TurnPassed(turn)] * (0 if laid else position.passes)
    quiet = min(len(passes), position.quiet_passes)
    yield from passes[quiet:]
    for seat in seats:
        if state.marked >> seat & 1:
            yield MarkerRaised(seat)
        if state.forgotten >> seat & 1:
            yield MarkerForgotten(seat)
    yield from passes[:quiet]
    if not laid:
        for train in position.unsatisfied:
            yield DoubleBound(train)
    yield TurnStarted(turn)
    yield from _turn(state, turn, position.laid, draw, drawn)


def _turn(
    state: State, turn: int, laid: Sequence[Move], draw: int | None, drawn: Tile | None
) -> Iterator[Event]:
    """What happened in this turn, as the rules tell it."""
    told: list[Event] = []
    for number, move in enumerate(laid):
        if number == draw:
            told.append(TileDrawn(turn, drawn))
        state.fresh = number == draw
        apply(state, move.code, told.append)
    if draw == len(laid):
        told.append(TileDrawn(turn, drawn))
    yield from told

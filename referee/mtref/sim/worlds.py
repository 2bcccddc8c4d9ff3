"""From what one seat has seen to whole states it might be in, for bots that search.

Everything here comes from an observation, so a sampled world can betray nothing: a bot could have made it by hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from mtref.rules.native import row
from mtref.rules.rulings import rulings_of
from mtref.rules.state import FIRST_MEXICAN, PLAYING, State, hand_of
from mtref_sdk.events import MarkerRaised, TilePlayed, TurnStarted
from mtref_sdk.moves import train_code
from mtref_sdk.observation import Observation
from mtref_sdk.tiles import tiles_of

__all__ = ["Worlds", "sample_world"]


def sample_world(observation: Observation, rng: Random) -> State:
    """One world that the seat may be in; see `Worlds`, which is faster for many of them."""
    return Worlds(observation).sample(rng)


class Worlds:
    """The worlds that look to a seat as `observation` does: all that is public and its own hand are as they are.

    The tiles it has not seen lie anywhere, all places equally likely: in the other hands, whose sizes are right, and
    in the boneyard. What a draw or a pass of another seat says about its hand is not used; a bot that knows better
    may move tiles about in the state, which is its own.

    Raises ValueError between rounds, and when the observation's counts do not add up to the set, as when one was made
    by hand without the sizes of the hands.
    """

    def __init__(self, observation: Observation) -> None:
        self._seat = observation.seat
        self._base = base = _public_part(observation)
        base.hands = [row(()) for _ in range(base.seats)]
        base.hands[self._seat] = hand_of(tile.code for tile in observation.hand)
        seen = [mask | own for mask, own in zip(base.on_table, base.hands[self._seat], strict=True)]
        tiles = tiles_of(observation.rules.tile_set)
        self._unseen = [tile.code for tile in tiles if not seen[tile.low] >> tile.high & 1]
        counted = sum(base.sizes) - len(observation.hand) + base.boneyard_size
        if counted != len(self._unseen):
            raise ValueError(
                f"the other hands and the boneyard hold {counted} tiles, and {len(self._unseen)} have not been seen"
            )

    def sample(self, rng: Random) -> State:
        """One of the worlds, a state of its own. All its chance is `rng`'s."""
        world = self._base.copy()
        tiles = sorted(self._unseen, key=lambda _tile: rng.random())  # three times as fast as rng.shuffle
        dealt = 0
        for seat, size in enumerate(world.sizes):
            if seat != self._seat:
                world.hands[seat] = hand_of(tiles[dealt : dealt + size])
                dealt += size
        world.boneyard = tiles[dealt:]
        return world


def _public_part(observation: Observation) -> State:
    """A state in which only what everybody knows is right: it has neither hands nor a boneyard yet."""
    turn = observation.turn
    if turn is None:
        raise ValueError("there is no world between rounds: nobody is on turn")
    state = State()
    state.rules = rulings_of(observation.rules)
    state.seats = observation.seats
    state.engine = observation.engine
    state.totals = observation.totals
    state.turn = turn
    _lay_trains(state, observation)
    state.marked = _mask(observation.marked)
    state.forgotten = _mask(observation.forgotten)
    state.unsatisfied = tuple(map(train_code, observation.unsatisfied))
    state.sizes = row(observation.hand_sizes)
    state.boneyard_size = observation.boneyard
    state.begun = _mask(seat for seat, turns in enumerate(observation.turns_taken) if turns)
    state.passes = observation.passes
    state.quiet_passes = observation.quiet_passes
    state.over = PLAYING
    state.winner = -1
    _take_up_turn(state, observation, turn)
    state.boneyard = ()
    return state


def _lay_trains(state: State, observation: Observation) -> None:
    """The open ends, which trains have a tile, and the tiles on the table."""
    trains = observation.trains.values()
    mexicans = [train.end for train in trains if train.owner is None]
    state.ends = row([observation.engine] * FIRST_MEXICAN + mexicans)
    state.started = _mask(train_code(train.id) for train in trains if train.links)
    on_table = hand_of([observation.engine << 5 | observation.engine])
    for train in trains:
        if train.owner is not None:
            state.ends[train.owner] = train.end
        for inner, outer in train.links:
            on_table[inner] |= 1 << outer
            on_table[outer] |= 1 << inner
    state.on_table = on_table


def _take_up_turn(state: State, observation: Observation, turn: int) -> None:
    """What the seat on turn has done so far in its turn, and still owes."""
    laid = observation.laid
    state.laid = len(laid)
    state.owed = bool(laid) and laid[-1].tile.is_double  # R-double-again; a round it had ended would be over
    state.doubles = tuple(train_code(move.train) for move in laid if move.tile.is_double)
    state.drawn = observation.drawn
    state.fresh = observation.fresh
    own = str(turn)
    state.home = all(
        move.train == own for move in laid
    )  # a tile that answers a lock ends the turn (R-satisfy-ends)
    state.left_up = (
        state.rules.marker_removal != "auto"
        and bool(state.marked >> turn & 1)
        and any(move.train == own for move in laid)
        and not _marker_went_up_since(observation, turn)
    )


def _marker_went_up_since(observation: Observation, turn: int) -> bool:
    """Whether the marker of the seat on turn went up in this turn, after its last tile at home (R-marker-manual)."""
    for event in reversed(observation.history):
        match event:
            case MarkerRaised(seat=seat) if seat == turn:
                return True
            case TilePlayed(train=train) if train == str(turn):
                return False
            case TurnStarted():
                return False
            case _:
                pass
    return False


def _mask(codes: Iterable[int]) -> int:
    mask = 0
    for code in codes:
        mask |= 1 << code
    return mask

"""How a round goes on: moves chosen by seats, and the forced steps between them.

Chosen moves are not checked here: they come from `mtref.rules.legal`. Every change is told to `listen` as an event;
without a listener no event is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mtref.rules.forced import Step, forced_step
from mtref.rules.legal import legal_moves
from mtref.rules.native import row
from mtref.rules.scoring import round_scores
from mtref.rules.state import BLOCKED, FIRST_MEXICAN, WENT_OUT, State
from mtref.rules.told import (
    BOUND,
    CALLED,
    FORGOTTEN,
    LOWERED,
    PASSED,
    RAISED,
    RELEASED,
    RENEWED,
    STARTED,
    STOPPED,
    tile_drawn,
    tile_played,
    tile_satisfied,
)
from mtref_sdk.events import Event, RoundEnded
from mtref_sdk.moves import STOP_CODE

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "Listener",
    "apply",
    "draw",
    "go_out",
    "make",
    "pass_turn",
    "settle",
    "step",
    "stop_turn",
]

Listener = Callable[[Event], None]
"""Gets every event, unprojected, in the order they happen."""


def step(state: State, move: i64, listen: Listener | None = None) -> list[int]:
    """Play a legal `move`, then settle; returns the legal moves that come next, [] when the round is over."""
    apply(state, move, listen)
    return settle(state, listen)


def settle(state: State, listen: Listener | None = None) -> list[int]:
    """Make the forced steps until somebody has a choice; returns the legal moves, [] when the round is over."""
    while not state.over:
        legal = legal_moves(state, state.hands[state.turn])
        if legal:
            return legal
        make(state, forced_step(state), listen)
    return []


def make(state: State, forced: Step, listen: Listener | None = None) -> None:
    """Make the step that `forced_step` says comes next."""
    if forced == "draw":
        draw(state, listen)
    elif forced == "pass":
        pass_turn(state, listen)
    elif forced == "stop":
        stop_turn(state, listen)
    else:
        go_out(state, listen)


def apply(state: State, move: i64, listen: Listener | None = None) -> None:
    """Play a legal `move` (a code, perhaps with the lift bit) of the seat on turn, without settling."""
    if move == STOP_CODE:
        stop_turn(state, listen)
        return
    seat, rules = state.turn, state.rules
    tile, train = move >> 6, move >> 1 & 31
    low, high = tile >> 5, tile & 31
    end = low + high - state.ends[train]
    is_double = low == high

    hand, on_table, sizes = state.hands[seat], state.on_table, state.sizes
    bit: i64 = 1 << high
    hand[low] ^= bit
    on_table[low] |= bit
    if not is_double:
        bit = 1 << low
        hand[high] ^= bit
        on_table[high] |= bit
    size = sizes[seat] - 1
    sizes[seat] = size
    state.laid += 1
    state.passes = state.quiet_passes = 0  # R-block
    state.ends[train] = end
    if not state.started >> train & 1:
        _start_train(state, train)
    if listen:
        listen(tile_played(seat, tile, train, end))

    if state.unsatisfied and train in state.unsatisfied:
        _satisfy(state, train, listen)
    if train != seat:
        state.home = False
    if state.marked >> seat & 1 or state.fresh:
        _tend_marker(state, train, listen, lift=bool(move & 1))
    state.fresh = state.owed = False
    if state.unsatisfied and rules.dead_released:
        _release_dead(state, listen)
    if is_double:
        _lay_double(state, train, low, listen)

    if size == 1:
        if listen:
            listen(CALLED[seat])  # R-last-tile-call
    elif not size and (not is_double or rules.finish_on_double):
        go_out(state, listen)  # R-out, R-finish-double
        return
    if not state.owed and not (rules.run and state.home and not state.begun >> seat & 1):
        _end_turn(state, listen)


def draw(state: State, listen: Listener | None = None) -> None:
    """The seat on turn takes the next tile of the boneyard (R-draw)."""
    seat = state.turn
    tile = state.next_tile()
    low, high = tile >> 5, tile & 31
    hand = state.hands[seat]
    right: i64 = 1 << high
    left: i64 = 1 << low
    hand[low] |= right
    hand[high] |= left
    state.boneyard_size -= 1
    state.sizes[seat] += 1
    state.drawn = state.fresh = True
    if listen:
        listen(tile_drawn(seat, tile))
        if state.sizes[seat] == 1:
            listen(CALLED[seat])


def pass_turn(state: State, listen: Listener | None = None) -> None:
    """The seat on turn can neither play nor draw: mark its train, end its turn, see if the round is blocked (R-pass)."""
    seat, rules = state.turn, state.rules
    own: i64 = 1 << seat
    if listen:
        listen(PASSED[seat])
    dry = not state.boneyard_size or not rules.may_draw
    newly_marked = False
    if dry or rules.pass_always_marks:
        newly_marked = not state.marked & own
        _mark(state, listen)
    if not state.laid:  # R-block
        state.passes += 1
        state.quiet_passes = state.quiet_passes + 1 if dry and not newly_marked else 0
        enough = state.passes if rules.block_by_lap else state.quiet_passes
        if enough >= state.seats and dry:
            _end_round(state, BLOCKED, -1, listen)
            return
    _end_turn(state, listen)


def stop_turn(state: State, listen: Listener | None = None) -> None:
    """End a run or decline the tile after a double: no draw, no marker (R-run, R-follow-optional)."""
    if listen:
        listen(STOPPED[state.turn])
    _end_turn(state, listen)


def go_out(state: State, listen: Listener | None = None) -> None:
    """The seat on turn has emptied its hand and owes nothing: the round is over (R-out)."""
    _end_round(state, WENT_OUT, state.turn, listen)


def _start_train(state: State, train: i64) -> None:
    """The first tile of a train, whoever laid it (R-empty-open)."""
    state.started |= 1 << train
    if train >= FIRST_MEXICAN and len(state.ends) < FIRST_MEXICAN + state.rules.most_mexicans:
        state.ends = row([*state.ends, state.engine])  # R-mexican: the next one may be started


def _satisfy(state: State, train: i64, listen: Listener | None) -> None:
    state.unsatisfied = tuple(other for other in state.unsatisfied if other != train)
    if train not in state.doubles:
        state.home = False  # a lock stood at the start of the turn: no run (R-run, R-satisfy-ends)
    if listen:
        listen(tile_satisfied(train, state.turn))


def _tend_marker(state: State, train: i64, listen: Listener | None, *, lift: bool) -> None:
    """What a tile on `train` does to the own marker (R-marker-down, R-marker-manual, R-marker-up)."""
    seat = state.turn
    own: i64 = 1 << seat
    if state.marked & own:
        if lift or (train == seat and state.rules.marker_removal == "auto"):
            state.marked &= ~own
            state.forgotten &= ~own
            state.left_up = False
            if listen:
                listen(LOWERED[seat])
        elif train == seat:
            state.left_up = True
    if state.fresh and train != seat and state.rules.mark_on_draw_elsewhere and not state.marked & own:
        state.marked |= own
        if listen:
            listen(RAISED[seat])


def _mark(state: State, listen: Listener | None) -> None:
    """Put the marker of the seat on turn up, or make the one that is up a new one (R-pass, R-marker-manual).

    Also when its own double, now waiting for an answer, has just taken it down (R-marker-double).
    """
    seat = state.turn
    own: i64 = 1 << seat
    state.left_up = False
    if not state.marked & own:
        state.marked |= own
        if listen:
            listen(RAISED[seat])
    elif state.forgotten & own:
        state.forgotten &= ~own
        if listen:
            listen(RENEWED[seat])


def _release_dead(state: State, listen: Listener | None) -> None:
    """Drop the doubles of which every tile of their number is on the table (R-dead)."""
    ends, on_table, full = state.ends, state.on_table, state.rules.full
    for train in state.unsatisfied:
        if on_table[ends[train]] == full:
            state.unsatisfied = tuple(other for other in state.unsatisfied if other != train)
            if listen:
                listen(RELEASED[train])


def _lay_double(state: State, train: i64, number: i64, listen: Listener | None) -> None:
    """A double was laid on `train`: a tile is owed, and the double binds unless it is dead (R-double-again)."""
    rules = state.rules
    if not state.sizes[state.turn] and rules.finish_on_double:
        return  # R-finish-double: nothing owed
    state.owed = True
    state.doubles += (train,)
    if rules.draw_per_play:
        state.drawn = False  # R-one-draw: the owed tile has its own
    if rules.binds and not (rules.dead_released and state.on_table[number] == rules.full):
        state.unsatisfied += (train,)
        if listen:
            listen(BOUND[train])


def _end_turn(state: State, listen: Listener | None) -> None:
    """Hand the turn to the next seat (R-turn-order); what was laid but is not locked binds nobody (R-lock-none)."""
    seat = state.turn
    own: i64 = 1 << seat
    if state.left_up and not state.forgotten & own:
        state.forgotten |= own  # R-marker-manual
        if listen:
            listen(FORGOTTEN[seat])
    if state.unsatisfied and not state.rules.table_lock:
        if listen:
            for train in state.unsatisfied:
                listen(RELEASED[train])
        state.unsatisfied = ()
    if state.laid:
        state.laid = 0
        state.owed = state.left_up = False
        state.home = True
        state.doubles = ()
    state.drawn = state.fresh = False
    state.begun |= own
    state.turn = seat = seat + 1 if seat + 1 < state.seats else 0
    if listen:
        listen(STARTED[seat])


def _end_round(state: State, over: i64, winner: i64, listen: Listener | None) -> None:
    state.over = over
    state.winner = winner
    if listen:
        scores = round_scores(state)
        totals = tuple(before + score for before, score in zip(state.totals, scores, strict=True))
        listen(
            RoundEnded(
                "went_out" if over == WENT_OUT else "blocked", None if winner < 0 else winner, scores, totals
            )
        )

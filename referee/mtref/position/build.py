"""From a position to the state of the rules core. What was laid in this turn is played again, so that the core itself says
what it left behind; doubles are then compared with those the position names.
"""

from __future__ import annotations

from collections.abc import Iterable

from mtref.position.values import Position
from mtref.rules.legal import legal_moves, may_lift
from mtref.rules.native import row
from mtref.rules.reasons import illegal
from mtref.rules.rulings import rulings_of
from mtref.rules.state import FIRST_MEXICAN, State
from mtref.rules.transition import apply
from mtref_sdk.errors import ConfigError
from mtref_sdk.moves import TRAINS, Move, train_code
from mtref_sdk.tiles import Tile

__all__ = ["before_turn", "state_of"]


def state_of(position: Position) -> State:
    """The state of this moment. An unknown hand holds no tile but has its size; unknown tiles of the boneyard are 0-0.

    Expects a position whose values agree with each other (`mtref.position.check`). Raises ConfigError, with key and
    reason, when the rules cannot have led to what it says of this turn and of the doubles.
    """
    state = before_turn(position)
    if position.laid:
        _play_again(state, position)
    else:
        state.unsatisfied = _codes(position.unsatisfied)
        _check_locks(state, position)
    _check_ends(state, position)
    state.marked = _mask(position.marked)
    state.forgotten = _mask(position.forgotten)
    state.drawn = position.drawn
    state.fresh = position.just_drawn is not None
    _check_just_drawn(state, position)
    return state


def before_turn(position: Position) -> State:
    """The state when this turn began, as far as it is known; what was laid is in the hand again, and nothing binds yet.

    Raises ConfigError when what was laid is not at the ends of its trains.
    """
    trains = {name: list(links) for name, links in position.trains.items()}
    hands = [list(hand) if isinstance(hand, tuple) else [] for hand in position.hands]
    for move in reversed(position.laid):
        links = trains.get(move.train, [])
        if not links or Tile.of(*links[-1]) != move.tile:
            raise ConfigError(
                f"{move} is not where it was laid, at the end of train {move.train}", key="laid"
            )
        links.pop()
        hands[position.turn].append(move.tile)
    boneyard = (
        [0] * position.boneyard if isinstance(position.boneyard, int) else _tile_codes(position.boneyard)
    )
    state = State.fresh_round(
        rulings_of(position.rules),
        position.engine,
        position.turn,
        [_tile_codes(hand) for hand in hands],
        boneyard,
        position.scores,
    )
    for seat, hand in enumerate(position.hands):
        if isinstance(hand, int):
            state.sizes[seat] = hand
    mexicans = sum(1 for name, links in trains.items() if name.startswith("m") and links)
    state.ends = row([position.engine] * (FIRST_MEXICAN + min(mexicans + 1, state.rules.most_mexicans)))
    for name, links in trains.items():
        if links:
            code = train_code(name)
            state.started |= 1 << code
            state.ends[code] = links[-1][1]
        for inner, outer in links:
            state.on_table[inner] |= 1 << outer
            state.on_table[outer] |= 1 << inner
    state.marked, state.forgotten = _mask(position.marked), _mask(position.forgotten)
    own = 1 << position.turn
    if any(move.lift for move in position.laid):
        state.marked |= own
    if any(move.lift and move.train != str(position.turn) for move in position.laid):
        state.forgotten |= own  # only a forgotten marker is lifted from elsewhere
    state.begun = _mask(seat for seat, turns in enumerate(position.turns_taken) if turns)
    state.passes, state.quiet_passes = position.passes, position.quiet_passes
    return state


def _play_again(state: State, position: Position) -> None:
    """Play what was laid in this turn, each move checked; the turn must still go on after it."""
    own = 1 << position.turn
    for move in position.laid:
        hand = state.hands[position.turn]
        legal = legal_moves(state, hand)
        if move.plain().code not in legal or (move.lift and move.plain().code not in may_lift(state, legal)):
            error = illegal(state, hand, move.code)
            raise ConfigError(f"{move} could not be played: {error.reason} ({error.rule})", key="laid")
        apply(state, move.code)
        if state.over or state.turn != position.turn:
            what = "round" if state.over else "turn"
            raise ConfigError(f"the {what} was over with {move}", key="laid")
    if own & _mask(position.marked) & ~state.marked and not position.rules.marker_on_draw_elsewhere:
        raise ConfigError(f"what seat {position.turn} laid at home took its marker down", key="marked")
    if state.unsatisfied != _codes(position.unsatisfied):
        binding = ", ".join(TRAINS[code] for code in state.unsatisfied) or "no train"
        given = ", ".join(position.unsatisfied) or "none"
        raise ConfigError(f"what was laid leaves {binding} unsatisfied, not {given}", key="unsatisfied")


def _check_locks(state: State, position: Position) -> None:
    """Refuse doubles that the rule set cannot have left from turn to turn."""
    if not position.unsatisfied:
        return
    rules = position.rules
    if rules.lock == "none":
        raise ConfigError(
            "with lock none a double binds nobody but the seat that laid it, in that turn; say in laid how it did",
            key="unsatisfied",
        )
    for name in position.unsatisfied:
        end = position.end(name)
        if state.rules.dead_released and state.on_table[end] == state.rules.full:
            raise ConfigError(f"{end}-{end} on train {name} is dead and binds nobody", key="unsatisfied")
    most = {"on_double": 1, "second_double": 2}.get(rules.follow_up)
    if most is not None and len(position.unsatisfied) > most:
        raise ConfigError(
            f"{len(position.unsatisfied)} doubles, but follow_up {rules.follow_up} leaves {most} at the most",
            key="unsatisfied",
        )


def _check_ends(state: State, position: Position) -> None:
    """Where doubles lock the table, every live double at an end must be among the unsatisfied."""
    if not state.rules.table_lock:
        return
    for name, links in position.trains.items():
        if not links or links[-1][0] != links[-1][1] or train_code(name) in state.unsatisfied:
            continue
        end = links[-1][1]
        if not state.rules.dead_released or state.on_table[end] != state.rules.full:
            raise ConfigError(
                f"train {name} ends in {end}-{end}, which binds as long as nothing lies on it; it must be listed",
                key="unsatisfied",
            )


def _check_just_drawn(state: State, position: Position) -> None:
    """A seat draws only when nothing in its hand may be played, so nothing but the drawn tile may be now (R-must-play)."""
    if position.just_drawn is None:
        return
    for code in legal_moves(state, state.hands[position.turn]):
        move = Move(code)
        if not move.is_stop and move.tile != position.just_drawn:
            raise ConfigError(
                f"{move} was legal without it, so nothing was drawn (R-must-play)", key="just_drawn"
            )


def _tile_codes(tiles: Iterable[Tile]) -> list[int]:
    return [tile.code for tile in tiles]


def _codes(trains: Iterable[str]) -> tuple[int, ...]:
    return tuple(train_code(name) for name in trains)


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask

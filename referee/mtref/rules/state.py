"""One round at one moment, as compact integers: what everybody may know, and the secret rest.

A **hand** is a list of 19 masks: bit q of ``hand[p]`` says that tile p-q is held (both ways round, so each tile but a
double has two bits). Train codes index ``ends``; see `mtref_sdk.moves`. Trains are not kept tile by tile: the rules
need their ends only, and whoever shows them folds the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from mtref.rules.native import Row, row
from mtref.rules.rulings import Rulings
from mtref_sdk.moves import MAX_SEATS
from mtref_sdk.tiles import MAX_PIP

if TYPE_CHECKING:
    from mypy_extensions import i64  # an int that the compiled core keeps as a machine word

__all__ = [
    "BLOCKED",
    "FIRST_MEXICAN",
    "NUMBERS",
    "PLAYING",
    "WENT_OUT",
    "Hand",
    "PublicState",
    "State",
    "hand_of",
]

NUMBERS: Final = MAX_PIP + 1
"""How many pip numbers a hand has room for."""

FIRST_MEXICAN: Final = MAX_SEATS
"""The train code of m1."""

PLAYING: Final = 0
WENT_OUT: Final = 1
BLOCKED: Final = 2
"""Values of `PublicState.over`."""

Hand = Row
"""Nineteen masks, one for each pip number."""


def hand_of(tiles: Iterable[int]) -> Hand:
    """The hand that holds the tiles with these codes."""
    hand = row([0] * NUMBERS)
    for tile in tiles:
        low, high = tile >> 5, tile & 31
        hand[low] |= 1 << high
        hand[high] |= 1 << low
    return hand


class PublicState:
    """What every seat may know of a round (section 9 of the rules), as far as the rules depend on it.

    Seats and trains in masks are bits by their code. ``ends`` has an entry for each seat code and each Mexican train
    that exists or may be started next. Everything from ``laid`` on belongs to the turn being played.
    """

    __slots__ = (
        "begun",
        "boneyard_size",
        "doubles",
        "drawn",
        "ends",
        "engine",
        "forgotten",
        "fresh",
        "home",
        "laid",
        "left_up",
        "marked",
        "on_table",
        "over",
        "owed",
        "passes",
        "quiet_passes",
        "rules",
        "seats",
        "sizes",
        "started",
        "totals",
        "turn",
        "unsatisfied",
        "winner",
    )

    rules: Rulings
    seats: i64
    engine: i64  # the engine's pip number
    totals: tuple[int, ...]  # before this round
    turn: i64  # the seat on turn
    ends: Row  # open end by train code
    started: i64  # mask of trains that have a tile
    marked: i64  # mask of seats whose marker is up
    forgotten: i64  # mask of seats whose marker was left up (R-marker-manual)
    unsatisfied: tuple[int, ...]  # trains ending in a double that binds, oldest first
    on_table: Row  # by number, the partners whose tile lies on the table
    sizes: Row  # hand sizes by seat
    boneyard_size: i64
    begun: i64  # mask of seats that have finished a turn in this round
    passes: i64  # in a row (R-block)
    quiet_passes: i64  # the last of them that left nothing to draw and put up no marker (R-block)
    over: i64  # PLAYING, WENT_OUT or BLOCKED
    winner: i64  # the seat that went out, or -1
    laid: i64  # tiles laid in this turn
    owed: bool  # a double was just laid and its tile is still to come
    doubles: tuple[int, ...]  # trains on which this turn laid doubles, in order
    drawn: bool  # the draw now available has been used
    fresh: bool  # the tile to be played next has just been drawn
    home: bool  # every tile of this turn went on the own train, and no lock stood at its start
    left_up: bool  # this turn laid on the own marked train and did not lift

    def clear_turn(self) -> None:
        """Forget the turn: nothing laid, nothing drawn, nothing owed."""
        self.laid = 0
        self.owed = self.drawn = self.fresh = self.left_up = False
        self.home = True
        self.doubles = ()

    def can_draw(self) -> bool:
        """Whether the seat on turn has a draw left (R-draw, R-one-draw)."""
        if not self.boneyard_size or not self.rules.may_draw:
            return False
        return not self.drawn or (self.rules.draw_until_playable and not self.started >> self.turn & 1)


class State(PublicState):
    """The whole truth of a round: the public part, every hand and the boneyard.

    ``boneyard`` is never changed: drawing moves ``boneyard_size``, the number of tiles left at its end.
    """

    __slots__ = ("boneyard", "hands")

    hands: list[Hand]
    boneyard: Sequence[int]  # tile codes in drawing order; the first are gone

    @classmethod
    def fresh_round(
        cls,
        rules: Rulings,
        engine: i64,
        starter: i64,
        hands: Sequence[Sequence[int]],
        boneyard: Sequence[int],
        totals: tuple[int, ...],
    ) -> State:
        """The state after the engine was laid and before the starter's first turn. Tiles are codes."""
        state = cls()
        state.rules = rules
        state.seats = len(hands)
        state.engine = engine
        state.totals = totals
        state.turn = starter
        state.ends = row([engine] * (FIRST_MEXICAN + min(rules.most_mexicans, 1)))
        state.started = state.marked = state.forgotten = state.begun = 0
        state.unsatisfied = ()
        state.on_table = row([0] * NUMBERS)
        mask: i64 = 1 << engine
        state.on_table[engine] = mask
        state.sizes = row([len(hand) for hand in hands])
        state.hands = [hand_of(hand) for hand in hands]
        state.boneyard = boneyard
        state.boneyard_size = len(boneyard)
        state.passes = state.quiet_passes = 0
        state.over = PLAYING
        state.winner = -1
        state.clear_turn()
        return state

    def next_tile(self) -> int:
        """The code of the tile that will be drawn next. Undefined when the boneyard is empty."""
        return self.boneyard[len(self.boneyard) - self.boneyard_size]

    def copy(self) -> State:
        """An independent state of the same moment; about 2 µs, so that searchers can afford it."""
        new = State()
        new.rules = self.rules
        new.seats = self.seats
        new.engine = self.engine
        new.totals = self.totals
        new.turn = self.turn
        new.ends = self.ends[:]
        new.started = self.started
        new.marked = self.marked
        new.forgotten = self.forgotten
        new.unsatisfied = self.unsatisfied
        new.on_table = self.on_table[:]
        new.sizes = self.sizes[:]
        new.boneyard_size = self.boneyard_size
        new.begun = self.begun
        new.passes = self.passes
        new.quiet_passes = self.quiet_passes
        new.over = self.over
        new.winner = self.winner
        new.laid = self.laid
        new.owed = self.owed
        new.doubles = self.doubles
        new.drawn = self.drawn
        new.fresh = self.fresh
        new.home = self.home
        new.left_up = self.left_up
        new.hands = [hand[:] for hand in self.hands]
        new.boneyard = self.boneyard
        return new

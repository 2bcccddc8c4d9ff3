"""The books of one table: everything a seat or a spectator knows of it, compact, folded in place from packed events.

`Table` and `Observation` are what a reader sees of it. Drivers that follow games (the session of a bot, the referee's
full views, a replay) keep `Books`, because folding in place costs a microsecond or two an event.
"""

from __future__ import annotations

from collections.abc import Sequence

from mtref_sdk.events import Event
from mtref_sdk.fold import FOLDS
from mtref_sdk.history import EventLog
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.wire import pack

__all__ = ["NOBODY", "Books"]

NOBODY = -1
"""The seat on turn between rounds, and the code of a tile there is not."""


class Books:
    """What is known of a table. Trains are keyed by train code and hold ``inner << 5 | outer`` for each tile laid.

    `seat` is whose books they are: `hand` and `drawn_tile` are that seat's; NOBODY keeps the public table only.
    """

    __slots__ = (
        "boneyard",
        "calls",
        "drawn",
        "drawn_tile",
        "engine",
        "folded",
        "forgotten",
        "fresh",
        "hand",
        "hand_sizes",
        "laid",
        "log",
        "marked",
        "passes",
        "quiet_passes",
        "round_number",
        "rules",
        "scores",
        "seat",
        "seats",
        "starter",
        "totals",
        "trains",
        "turn",
        "turns_taken",
        "unsatisfied",
    )

    def __init__(self, rules: RuleSet, seats: int, seat: int = NOBODY) -> None:
        self.rules = rules
        self.seats = seats
        self.seat = seat
        self.log = EventLog()
        self.folded = 0  # so many numbers of the log are in the books
        self.round_number = 0
        self.engine = 0
        self.starter = 0
        self.totals: list[int] = [0] * seats
        self.scores: tuple[tuple[int, ...], ...] = ()
        self.hand_sizes: list[int] = [0] * seats
        self.clear_round()

    def clear_round(self) -> None:
        """An empty table between rounds; totals, scores and hand sizes stay."""
        self.turn = NOBODY
        self.trains: dict[int, tuple[int, ...]] = dict.fromkeys(range(self.seats), ())
        self.marked: set[int] = set()
        self.forgotten: set[int] = set()
        self.unsatisfied: list[int] = []  # train codes, oldest first
        self.boneyard = 0
        self.turns_taken: list[int] = [0] * self.seats
        self.passes = 0  # turns in a row that ended by a pass with nothing laid (R-block)
        self.quiet_passes = 0  # the last of them that left nothing to draw and put up no marker (R-block)
        self.calls: list[int] = []
        self.hand: set[int] = set()
        self.clear_turn()

    def clear_turn(self) -> None:
        """Nothing laid, nothing drawn."""
        self.laid: list[int] = []  # move codes
        self.drawn = False  # the draw now available has been used (R-one-draw)
        self.fresh = False  # the seat on turn has just drawn, and would play that tile
        self.drawn_tile = NOBODY  # that tile, when it is known

    def tell(self, packed: Sequence[int]) -> None:
        """Put packed events into the log, unread."""
        self.log.numbers += packed

    def catch_up(self, end: int | None = None) -> None:
        """Fold the log's events up to number `end` (None: all of them) that are not in the books yet."""
        numbers, at = self.log.numbers, self.folded
        stop = len(numbers) if end is None else end
        folds = FOLDS
        while at < stop:
            kind, begin = numbers[at], at + 2
            at = begin + numbers[at + 1]
            if kind in folds:  # an event of a later version is skipped
                folds[kind](self, numbers[begin:at])
        self.folded = at

    def enter(self, event: Event) -> None:
        """Put one event into the log and fold everything that is there."""
        self.tell(pack(event))
        self.catch_up()

    def copy(self) -> Books:
        """Independent books of the same moment. They share the log: use `branch` to enter other events than these."""
        new = Books.__new__(Books)
        new.rules = self.rules
        new.seats = self.seats
        new.seat = self.seat
        new.log = self.log
        new.folded = self.folded
        new.round_number = self.round_number
        new.engine = self.engine
        new.starter = self.starter
        new.scores = self.scores
        new.totals = self.totals[:]
        new.hand_sizes = self.hand_sizes[:]
        new.turn = self.turn
        new.trains = self.trains.copy()
        new.marked = self.marked.copy()
        new.forgotten = self.forgotten.copy()
        new.unsatisfied = self.unsatisfied[:]
        new.boneyard = self.boneyard
        new.turns_taken = self.turns_taken[:]
        new.passes = self.passes
        new.quiet_passes = self.quiet_passes
        new.calls = self.calls[:]
        new.hand = self.hand.copy()
        new.laid = self.laid[:]
        new.drawn = self.drawn
        new.fresh = self.fresh
        new.drawn_tile = self.drawn_tile
        return new

    def branch(self) -> Books:
        """A copy with a log of its own, which ends where these books have been folded to."""
        new = self.copy()
        new.log = self.log.branch(self.folded)
        return new

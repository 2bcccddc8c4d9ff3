"""`Decision`: what a bot is asked, as a lazy view over packed numbers, and `Clock`, the time it has.

Nothing is built before somebody looks: a bot that only needs the legal moves pays for nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from mtref_sdk.moves import Move
from mtref_sdk.observation import Observation

__all__ = ["NO_CLOCK", "Clock", "Decision"]


@dataclass(frozen=True, slots=True)
class Clock:
    """The time for one decision, in seconds, as it stood when the referee asked; ``inf`` where there is no limit.

    `move_time` is free for this decision. What goes beyond it is taken from `bank`, which is for the whole game.
    """

    move_time: float = inf
    bank: float = inf

    @staticmethod
    def of_ms(move_ms: float | None, bank_ms: float | None) -> Clock:
        """A clock from milliseconds; None is no limit."""
        return Clock(
            inf if move_ms is None else move_ms / 1000,
            inf if bank_ms is None else bank_ms / 1000,
        )


NO_CLOCK = Clock()
"""The clock of a decision that may take as long as it likes."""


class Decision:
    """One choice of one bot. It holds for as long as you keep it: later events do not change what it shows.

    `game` is the game's name in the logs and `table` the number of the table on this connection; `clock` is the time.
    """

    __slots__ = (
        "_legal",
        "_legal_codes",
        "_may_lift_codes",
        "_observation",
        "_observe",
        "clock",
        "game",
        "table",
    )

    def __init__(
        self,
        observe: Callable[[], Observation],
        legal: Sequence[int],
        may_lift: Sequence[int] = (),
        clock: Clock = NO_CLOCK,
        *,
        game: str = "",
        table: int = 0,
    ) -> None:
        """`observe` makes the observation, and is called at most once; `legal` and `may_lift` are plain move codes."""
        self._observe = observe
        self._observation: Observation | None = None
        self._legal_codes = legal
        self._legal: tuple[Move, ...] | None = None
        self._may_lift_codes = may_lift
        self.clock = clock
        self.game = game
        self.table = table

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move allowed, without lifts, in canonical order (tile, then train, `STOP` last). Never empty."""
        if self._legal is None:
            self._legal = tuple(map(_move, self._legal_codes))
        return self._legal

    @property
    def may_lift(self) -> tuple[Move, ...]:
        """Those of `legal_moves` that may also take the own marker down: answer ``move.lifted()`` (R-marker-manual)."""
        return tuple([_move(code & ~1) for code in self._may_lift_codes])

    @property
    def observation(self) -> Observation:
        """Everything the seat on move knows."""
        if self._observation is None:
            self._observation = self._observe()
        return self._observation

    def allows(self, move: Move) -> bool:
        """Whether `move` is allowed now, its lift included."""
        if move.lift:
            return move.code & ~1 in self._may_lift_codes or move.code in self._may_lift_codes
        return move.code in self._legal_codes

    def __repr__(self) -> str:
        moves = ", ".join(map(str, self.legal_moves))
        return f"<Decision of game {self.game!r}: {moves}>"


class _Moves(dict[int, Move]):
    """The moves of codes, each made once: there are not very many."""

    def __missing__(self, code: int) -> Move:
        self[code] = move = Move.from_code(code)
        return move


_move: Final = _Moves().__getitem__

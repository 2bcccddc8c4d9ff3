"""A whole game: the rounds of a rule set one after another, driven by the moves of the seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mtref.rules.deal import Deal, Previous, deal_round
from mtref.rules.legal import may_lift
from mtref.rules.native import mypyc_attr
from mtref.rules.reasons import illegal
from mtref.rules.scoring import places, round_scores
from mtref.rules.state import State
from mtref.rules.told import CALLED, STARTED
from mtref.rules.transition import Listener, go_out, settle, step
from mtref_sdk.events import GameEnded
from mtref_sdk.ruleset import RuleSet

__all__ = ["Deck", "Game", "Listener"]

Deck = Callable[[int], Sequence[int]]
"""Gives the full set's tile codes in shuffled order for a 1-based round number."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """One game at one table. After `start` it is a function of the moves given to `play`.

    Attributes: ``state`` (the current round), ``legal`` (codes the seat on turn may choose from, canonical order; empty
    once the game is over), ``totals`` (of the finished rounds), ``round_scores`` (one tuple for each finished round).
    Raises ConfigError when the rule set cannot be dealt to that many seats.
    """

    def __init__(
        self, rules: RuleSet, seats: int, deck: Deck, first_starter: int, listen: Listener | None = None
    ) -> None:
        rules.hand_size(seats)
        self.rules, self.seats = rules, seats
        self.legal: list[int] = []
        self.totals: tuple[int, ...] = (0,) * seats
        self.round_scores: list[tuple[int, ...]] = []
        self.state: State
        self._deck, self._first_starter, self._listen = deck, first_starter, listen
        self._deal: Deal
        self._engines: frozenset[int] = frozenset()

    @property
    def turn(self) -> int:
        """The seat on turn."""
        return self.state.turn

    @property
    def round_number(self) -> int:
        """The 1-based number of the current round."""
        return self._deal.round

    @property
    def over(self) -> bool:
        """Whether every round has been played."""
        return len(self.round_scores) == self.rules.rounds

    @property
    def may_lift(self) -> list[int]:
        """Those of ``legal`` that may also carry a lift (R-marker-manual)."""
        return may_lift(self.state, self.legal)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by the totals so far (R-win)."""
        return places(self.totals)

    def start(self) -> None:
        """Deal the first round and settle."""
        self._begin_round(None)
        self._go_on()

    def play(self, code: int) -> None:
        """Play the move with this code for the seat on turn, and all forced steps after it.

        Raises IllegalMoveError, and changes nothing, when the move is not legal or its lift is not allowed.
        """
        if code not in self.legal and (not code & 1 or code ^ 1 not in self.may_lift):
            raise illegal(self.state, self.state.hands[self.turn], code)
        self.legal = step(self.state, code, self._listen)
        if not self.legal:
            self._go_on()

    def next_round(self) -> None:
        """Score the round and deal the next, if any, for those who have played ``state`` to its end by themselves."""
        self.legal = []
        self._go_on()

    def _go_on(self) -> None:
        """From the end of a round to the next choice, or to the end of the game."""
        while not self.legal and self.state.over:
            scores = round_scores(self.state)
            self.round_scores.append(scores)
            self.totals = tuple(total + score for total, score in zip(self.totals, scores, strict=True))
            if self.over:
                if self._listen:
                    self._listen(GameEnded(self.totals, self.places))
                return
            self._begin_round(Previous.of(self._deal, self._engines, self.state, scores))

    def _begin_round(self, previous: Previous | None) -> None:
        number = previous.round + 1 if previous else 1
        self._deal = deal_round(self.rules, self.seats, self._deck(number), self._first_starter, previous)
        self._engines |= {self._deal.engine}
        self.state = self._deal.state(self.rules, self.totals)
        if self._listen:
            for event in self._deal.events():
                self._listen(event)
        left = self.state.sizes[self.state.turn] if self._deal.layer is not None else None
        if left == 0:
            go_out(self.state, self._listen)  # R-out: the engine was its only tile
        elif self._listen:
            if left == 1:
                self._listen(CALLED[self.state.turn])
            self._listen(STARTED[self.state.turn])
        self.legal = settle(self.state, self._listen)

"""`Bot`, the class a bot author extends."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from mtref_sdk.decision import Decision
from mtref_sdk.game import GameResult, GameStart
from mtref_sdk.moves import Move

__all__ = ["Bot"]


class Bot(ABC):
    """A player. Write `choose`; the rest is optional.

    The instance given to `run` is a pattern: every table gets a deep copy of it, made when the game starts, so what a
    bot remembers in its attributes never passes from one game to another. Load what is big and never changes into a
    module or class attribute, which copies share.
    """

    _rng: random.Random | None = None

    @abstractmethod
    def choose(self, decision: Decision) -> Move:
        """One of ``decision.legal_moves``, or ``move.lifted()`` for one of ``decision.may_lift``.

        Any other move is a fault: the referee plays the first legal move instead. An exception ends the bot.
        """

    def game_started(self, game: GameStart) -> None:  # noqa: B027 - a hook may be left empty
        """Called when the bot has been seated, before its first decision. The first decision's clock may be running."""

    def game_ended(self, result: GameResult) -> None:  # noqa: B027 - a hook may be left empty
        """Called when the game is over for this bot, as the last thing."""

    @property
    def rng(self) -> random.Random:
        """The bot's own random generator, the same for the same game. A bot that uses no other repeats its games.

        Before a game has started, as when you call `choose` in a test of your own, its seed is 0.
        """
        if self._rng is None:
            self._rng = random.Random(0)  # noqa: S311 - play, not secrets
        return self._rng

    def seed(self, private_seed: bytes) -> None:
        """Begin `rng` anew from these bytes. The session of a game does so when it starts."""
        self._rng = random.Random(int.from_bytes(private_seed, "big"))  # noqa: S311 - play, not secrets

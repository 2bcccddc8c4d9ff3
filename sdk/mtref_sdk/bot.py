"""`Bot`, the class a bot author extends, and `run`, which lets a bot play."""

from __future__ import annotations

import random
import sys
from abc import ABC, abstractmethod
from contextvars import ContextVar
from typing import NoReturn

from mtref_sdk.decision import Decision
from mtref_sdk.errors import MtrefError
from mtref_sdk.game import GameResult, GameStart
from mtref_sdk.moves import Move

__all__ = ["Bot", "BotCaptured", "capture", "run"]


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


class BotCaptured(BaseException):
    """Carries the bot out of a file that calls `run` while it is loaded instead of started; no error."""

    def __init__(self, bot: Bot) -> None:
        super().__init__("run() was called")
        self.bot = bot


capture: ContextVar[bool] = ContextVar("capture", default=False)
"""Whether `run` hands its bot over by raising `BotCaptured`; set by `mtref_sdk.load.load_bot` only."""


def run(bot: Bot) -> None:
    """Play every game the referee offers, and return when it has no more. Call it last in a bot's file.

    The referee's address and the token are read from the environment variables MTREF_ADDRESS and MTREF_TOKEN, which
    ``mtref match`` sets. Without them, or when the connection fails, the process ends with one line on stderr and
    exit code 2 or 1. What the bot raises is not caught: Python prints it and the exit code is 1.
    """
    if not isinstance(bot, Bot):
        raise TypeError(f"run() needs an instance of a Bot, such as run(MyBot()), not {bot!r}")
    if capture.get():
        raise BotCaptured(bot)
    from mtref_sdk.client import connection_from_environment, play  # noqa: PLC0415 - importing grpc takes 0.1 s

    try:
        connection = connection_from_environment()
    except MtrefError as error:
        _leave(str(error), 2)
    try:
        play(bot, connection)
    except MtrefError as error:
        _leave(str(error), 1)


def _leave(message: str, code: int) -> NoReturn:
    sys.stderr.write(f"mtref bot: {message}\n")
    raise SystemExit(code)

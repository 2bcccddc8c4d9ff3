"""`run`: a bot's file as a process of its own, which finds its referee and plays until there are no more games."""

from __future__ import annotations

import sys
from typing import NoReturn

from mtref_sdk.bot import Bot
from mtref_sdk.errors import MtrefError
from mtref_sdk.load import BotCaptured, capture

__all__ = ["run"]


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
    from mtref_sdk.client import connection_from_environment, play  # noqa: PLC0415 - slow to import

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

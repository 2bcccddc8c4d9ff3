"""`BotSession`: a bot's side of a connection without the connection. Numbers go in, move codes come out.

The client and play in one process both drive it, so that a bot cannot tell them apart.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial

from mtref_sdk.books import Books
from mtref_sdk.bot import Bot
from mtref_sdk.decision import NO_CLOCK, Clock, Decision
from mtref_sdk.errors import ProtocolError
from mtref_sdk.game import GameResult, GameStart
from mtref_sdk.moves import Move
from mtref_sdk.seat import Seat

__all__ = ["BotSession"]


class BotSession:
    """All the tables at which one bot sits over one connection. `bot` stays as it is: each table gets a deep copy."""

    def __init__(self, bot: Bot) -> None:
        self._pattern = bot
        self._tables: dict[int, Seat] = {}

    def start(self, game: GameStart) -> None:
        """The bot has been seated. Raises ProtocolError when the table's number is in use."""
        if game.table in self._tables:
            raise ProtocolError(f"table {game.table} has started twice")
        bot = copy.deepcopy(self._pattern)
        bot.seed(game.private_seed)
        self._tables[game.table] = Seat(bot, game.game, Books(game.rules, game.seats, game.seat))
        bot.game_started(game)

    def tell(self, table: int, packed: bytes) -> None:
        """Events happened at `table`, packed, as a message holds them. They are not read before the bot asks for an observation."""
        self._seat(table).told.append(packed)

    def decide(
        self,
        table: int,
        legal: Sequence[int],
        may_lift: Sequence[int] = (),
        clock: Clock = NO_CLOCK,
    ) -> int:
        """The code of the move the bot chooses, which may be illegal. `legal` and `may_lift` are plain move codes.

        Raises what the bot raises, and TypeError when it answers something that is no Move.
        """
        seat = self._seat(table)
        observe = partial(seat.observation_at, len(seat.told))
        decision = Decision(observe, legal, may_lift, clock)
        decision.game, decision.table = seat.game, table
        move = seat.bot.choose(decision)
        if not isinstance(move, Move):
            raise TypeError(f"choose() must return a Move, and returned {move!r}")
        return move.code

    def end(self, table: int, result: GameResult) -> None:
        """The game is over for the bot, which forgets the table."""
        self._seat(table).bot.game_ended(result)
        del self._tables[table]

    def _seat(self, table: int) -> Seat:
        try:
            return self._tables[table]
        except KeyError:
            raise ProtocolError(f"there is no table {table}") from None

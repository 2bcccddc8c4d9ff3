"""`BotSession`: a bot's side of a connection without the connection. Numbers go in, move codes come out.

The client and play in one process both drive it, so that a bot cannot tell them apart.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from mtref_sdk.books import Books
from mtref_sdk.bot import Bot
from mtref_sdk.decision import Clock, Decision
from mtref_sdk.errors import ProtocolError
from mtref_sdk.game import GameResult, GameStart
from mtref_sdk.moves import Move
from mtref_sdk.observation import Observation

__all__ = ["BotSession"]


@dataclass(slots=True)
class _Seat:
    """One table of the session: its own copy of the bot, and the books, which are behind the log until needed."""

    bot: Bot
    game: str
    books: Books

    def observation_at(self, end: int) -> Observation:
        """What the seat knew when `end` numbers of the log had been told."""
        books = self.books
        if books.folded > end:  # an old decision is looked at again, and the books have gone on
            books = Books(books.rules, books.seats, books.seat)
            books.log = self.books.log
        books.catch_up(end)
        return Observation.of(books.copy())


class BotSession:
    """All the tables at which one bot sits over one connection. `bot` stays as it is: each table gets a deep copy."""

    def __init__(self, bot: Bot) -> None:
        self._pattern = bot
        self._tables: dict[int, _Seat] = {}

    def start(self, game: GameStart) -> None:
        """The bot has been seated. Raises ProtocolError when the table's number is in use."""
        if game.table in self._tables:
            raise ProtocolError(f"table {game.table} has started twice")
        bot = copy.deepcopy(self._pattern)
        bot.seed(game.private_seed)
        self._tables[game.table] = _Seat(bot, game.game, Books(game.rules, game.seats, game.seat))
        bot.game_started(game)

    def tell(self, table: int, packed: Sequence[int]) -> None:
        """Events happened at `table`, packed. They are not looked at before the bot asks for an observation."""
        self._seat(table).books.tell(packed)

    def decide(
        self,
        table: int,
        legal: Sequence[int],
        may_lift: Sequence[int] = (),
        move_ms: float | None = None,
        bank_ms: float | None = None,
    ) -> int:
        """The code of the move the bot chooses, which may be illegal. `legal` and `may_lift` are plain move codes.

        Raises what the bot raises, and TypeError when it answers something that is no Move.
        """
        seat = self._seat(table)
        move = seat.bot.choose(
            Decision(
                partial(seat.observation_at, len(seat.books.log.numbers)),
                legal,
                may_lift,
                Clock.of_ms(move_ms, bank_ms),
                game=seat.game,
                table=table,
            )
        )
        if not isinstance(move, Move):
            raise TypeError(f"choose() must return a Move, and returned {move!r}")
        return move.code

    def end(self, table: int, result: GameResult) -> None:
        """The game is over for the bot, which forgets the table."""
        self._seat(table).bot.game_ended(result)
        del self._tables[table]

    def _seat(self, table: int) -> _Seat:
        try:
            return self._tables[table]
        except KeyError:
            raise ProtocolError(f"there is no table {table}") from None

"""A bot at one table of its session. It is never compiled: decisions lead to it, and bots may copy and pickle them."""

from __future__ import annotations

from mtref_sdk.books import Books
from mtref_sdk.bot import Bot
from mtref_sdk.observation import Observation
from mtref_sdk.varint import numbers

__all__ = ["Seat"]


class Seat:
    """One table of the session: its own copy of the bot, what it was told, and the books, which are behind until needed."""

    __slots__ = ("books", "bot", "ends", "game", "told")

    def __init__(self, bot: Bot, game: str, books: Books) -> None:
        self.bot = bot
        self.game = game
        self.books = books
        self.told: list[bytes] = []  # packed events, as they came
        self.ends: list[int] = []  # where each of those that have been read ends in the log

    def observation_at(self, told: int) -> Observation:
        """What the seat knew when it had been told events so many times."""
        books, ends = self.books, self.ends
        for packed in self.told[len(ends) : told]:
            books.tell(numbers(packed))
            ends.append(len(books.log.numbers))
        end = ends[told - 1] if told else 0
        if books.folded > end:  # an old decision is looked at again, and the books have gone on
            books = Books(books.rules, books.seats, books.seat)
            books.log = self.books.log
        books.catch_up(end)
        return Observation.of(books.copy())

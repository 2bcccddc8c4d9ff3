"""A bot's place at a table, as its link and the table's host see it. Values and the contract between the two."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from mtref.match.fault import FaultKind
from mtref.match.question import Ask
from mtref.match.table import TableRun
from mtref_sdk.books import Books

__all__ = ["Place", "TableHost"]


class TableHost(Protocol):
    """Runs one table and hears what its bots do."""

    run: TableRun

    def answered(self, code: int, elapsed_ms: float, sent: bytes | None = None) -> None:
        """The bot that was asked answered, in these words."""

    def failed(
        self,
        place: Place,
        kind: FaultKind,
        message: str,
        elapsed_ms: float | None = None,
        sent: bytes | None = None,
    ) -> None:
        """The bot at `place` failed, perhaps by a message with these words."""

    def broken(self, error: Exception) -> None:
        """Something of ours failed."""


@dataclass(eq=False, slots=True)
class Place:
    """A bot at a table: which table, which seat, under which number on the bot's stream.

    ``told`` is everything it was asked, each with how many numbers of what the seat heard it had been told by then.
    """

    host: TableHost
    seat: int
    number: int
    told: list[tuple[int, Ask]] = field(default_factory=list)
    books: Books | None = None

    @property
    def asked(self) -> Ask | None:
        """The decision this bot has to make now."""
        ask = self.host.run.ask
        return ask if ask is not None and ask.seat == self.seat else None

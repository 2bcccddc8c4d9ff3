"""A bot's place at a table, as its link and the table's host see it. Values and the contract between the two."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from mtref.match.fault import FaultKind
from mtref.match.question import Ask
from mtref.match.table import TableRun
from mtref_sdk.books import Books

__all__ = ["Place", "TableHost"]

_HEAD: Final = struct.Struct("=IH")


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

    ``remember`` takes everything it was asked.
    """

    host: TableHost
    seat: int
    number: int
    _memory: bytearray = field(default_factory=bytearray)
    books: Books | None = None

    def remember(self, place: int, decision: bytes) -> None:
        """It was asked a serialised ``Decision``, told all that its seat had heard up to a place."""
        self._memory += _HEAD.pack(place, len(decision)) + decision

    def remembered(self) -> Iterator[tuple[int, bytes]]:
        """Everything it was asked, in order, as `remember` took it."""
        at = 0
        while at < len(self._memory):
            place, length = _HEAD.unpack_from(self._memory, at)
            at += _HEAD.size + length
            yield place, bytes(self._memory[at - length : at])

    @property
    def asked(self) -> Ask | None:
        """The decision this bot has to make now."""
        ask = self.host.run.ask
        return ask if ask is not None and ask.seat == self.seat else None

"""The part of the journal that spares adding up games again: sums of blocks of deals, in SQL. Nobody needs them.

A block is all games of some deals in a row. The database itself drops it as soon as a game of one of its deals comes, goes or
changes, whoever does that (the triggers are those of `mtref.ladder.sqlite` and `mtref.ladder.postgres`). The table is described in
``docs/journal.md``; what the sums are is the business of `mtref.ladder.count`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from mtref_sdk.errors import MtrefError

__all__ = ["BLOCKS_SCHEMA", "Block", "Blocks"]

BLOCKS_SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS blocks (first_deal BIGINT PRIMARY KEY, last_deal BIGINT NOT NULL, statistics BIGINT NOT NULL,
        claim TEXT NOT NULL, games BIGINT NOT NULL, sums TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS blocks_by_end ON blocks (last_deal)",
)


@dataclass(frozen=True, slots=True)
class Block:
    """The sums over all games of the deals from `first` to `last`, of which there were `games`."""

    first: int
    last: int
    games: int
    sums: str


class Blocks:
    """The kept blocks of a journal. ``statistics`` is the version of what is in the sums; other ones are not seen.

    Who reads games in order to keep their sums says so before: `claim`, read, `keep`. If a game of a claimed deal changes
    meanwhile, the claim is dropped like a block, and nothing is kept.
    """

    def __init__(
        self,
        run: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]],
        transaction: Callable[[], AbstractContextManager[None]],
        alone: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._run, self._transaction, self._alone = run, transaction, alone

    def kept(self, statistics: int) -> list[Block]:
        """Every block whose sums are kept, in order."""
        rows = self._run(
            """SELECT first_deal, last_deal, games, sums FROM blocks WHERE statistics = ? AND sums <> ''
            ORDER BY first_deal""",
            (statistics,),
        )
        return [Block(*row) for row in rows]

    def claim(self, deals: Iterable[tuple[int, int]], statistics: int) -> str | None:
        """Begin new blocks, given by their first and last deals, in place of all that overlap with them.

        Returns the name of the claim, or None for who may only read the journal.
        """
        claim = secrets.token_hex(8)
        try:
            with self._alone():
                for first, last in deals:
                    self._run("DELETE FROM blocks WHERE first_deal <= ? AND last_deal >= ?", (last, first))
                    self._run(
                        "INSERT INTO blocks VALUES (?, ?, ?, ?, 0, '')", (first, last, statistics, claim)
                    )
        except (
            MtrefError
        ):  # blocks are a help and no more: whatever is the matter, what must work says so itself
            return None
        return claim

    def keep(self, claim: str, blocks: Iterable[Block]) -> None:
        """Keep the sums of claimed blocks, as far as they are still claimed."""
        try:
            with self._transaction():
                for block in blocks:
                    self._run(
                        "UPDATE blocks SET games = ?, sums = ? WHERE first_deal = ? AND last_deal = ? AND claim = ?",
                        (block.games, block.sums, block.first, block.last, claim),
                    )
        except MtrefError:  # as above
            return

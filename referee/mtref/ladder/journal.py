"""The port to where results are kept. Everything else asks a `Journal`; which database is behind it is decided here."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from mtref.ladder.blocks import Blocks
from mtref.ladder.config import LadderConfig
from mtref.ladder.records import Bot, Conflict, Deal, GameRecord, NotPlayed
from mtref.ladder.register import Register
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["HeldError", "Journal", "NoJournalError", "Outcome", "open_journal"]


class HeldError(MtrefError):
    """Another runner is at work on the same journal."""


class NoJournalError(ConfigError):
    """The ladder has not begun."""

    def __init__(self, where: str, path: Path | None = None) -> None:
        command = "mtref ladder run" + (f" {shlex.quote(str(path))}" if path else "")
        super().__init__(f"there is no journal yet; start with: {command}", where=where)


class Outcome(StrEnum):
    """What became of a result that was handed in."""

    NEW = "new"
    """It is in the journal now, and will be after a power cut."""
    KNOWN = "known"
    """The game has that very result already."""
    CONFLICT = "conflict"
    """The game has another result. That one stands; this one is kept beside it."""


class Journal(Protocol):
    """Results, and what they are results of. Everything written is durable when the call returns. Raises MtrefError.

    ``register`` holds the bots that were handed in, ``blocks`` sums that spare adding up all games again.
    """

    register: Register
    blocks: Blocks

    def begin(self, contract: Mapping[str, Any], bots: Iterable[Bot], master: bytes) -> None:
        """Write down what is played, once. Later calls raise ConfigError, naming the key, if it differs now.

        `master` is taken the first time only.
        """

    def declare(self, bots: Iterable[Bot]) -> None:
        """Write down which of the ladder's bots are deterministic now. Results stay; the self-test is made anew."""

    def contract(self) -> dict[str, Any]:
        """What is played: rules, clock and all that results must have in common."""

    def bots(self) -> list[Bot]:
        """The bots of the ladder's file, in its order. Those that were handed in are in the register."""

    def master(self) -> bytes:
        """The secret all deals come from."""

    def hold(self) -> AbstractContextManager[None]:
        """Keep every other runner out until the context ends or the process dies. Raises HeldError."""

    def commit(self, deals: Mapping[int, str]) -> None:
        """Write down the commitments of deals, before the first game of each."""

    def reveal(self, seeds: Mapping[int, str]) -> None:
        """Write down the seeds of deals whose games are all over."""

    def deals(self) -> list[Deal]:
        """Every deal in use."""

    def add(self, game: GameRecord) -> Outcome:
        """Hand in a result. The same one twice counts once."""

    def add_all(self, games: Sequence[GameRecord]) -> list[Outcome]:
        """Hand in some results; what became of each. All are durable, or none."""

    def add_not_played(self, game: NotPlayed) -> int:
        """Note that a game could not be played; its attempts add up, and the sum is returned.

        It is forgotten as soon as the game has a result.
        """

    def ids(self, below: int | None = None) -> set[str]:
        """The ids of all games with a result, or of those on deals `below` one."""

    def games(self) -> Iterator[GameRecord]:
        """All games with a result, in the order of their ids: an order that says nothing about when they were played."""

    def games_of(self, first: int, last: int) -> Iterator[GameRecord]:
        """The games of the deals from `first` to `last` with a result, deal by deal."""

    def deal_sizes(self) -> list[tuple[int, int]]:
        """Every deal that has a game with a result, in order, with the number of these games."""

    def game(self, name: str) -> GameRecord | None:
        """The game with this id, if it has a result."""

    def logs(self, deal: int) -> list[str]:
        """The paths of the logs of a deal, within the state folder."""

    def not_played(self) -> list[NotPlayed]:
        """Every game that was tried and has no result."""

    def conflicts(self) -> list[Conflict]:
        """Every second result."""

    def close(self) -> None:
        """Let go of the storage."""


def open_journal(config: LadderConfig, *, create: bool) -> Journal:
    """The journal of a ladder: the database its file names, or SQLite in its state folder.

    Raises NoJournalError when there is none and none may be made.
    """
    try:
        if config.journal is not None:
            from mtref.ladder.postgres import open_postgres  # noqa: PLC0415 - needs an extra

            return open_postgres(config.journal, config.name, create=create)
        from mtref.ladder.sqlite import open_sqlite  # noqa: PLC0415 - the database is chosen here

        return open_sqlite(config.state, create=create)
    except NoJournalError as error:
        raise NoJournalError(str(error.where), config.path) from None

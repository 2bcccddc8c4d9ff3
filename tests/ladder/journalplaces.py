"""Where a journal of a test may lie. Places can be handed to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mtref.ladder.postgres import open_postgres
from mtref.ladder.sqlite import open_sqlite
from mtref.ladder.sqljournal import SqlJournal

__all__ = ["Place", "PostgresPlace", "SqlitePlace"]


class Place(Protocol):
    """Opens journals; equal names are the same journal."""

    def open(self, name: str = "state", *, create: bool = False) -> SqlJournal: ...


@dataclass(frozen=True)
class SqlitePlace:
    """A folder for each journal."""

    folder: Path

    def open(self, name: str = "state", *, create: bool = False) -> SqlJournal:
        return open_sqlite(self.folder / name, create=create)


@dataclass(frozen=True)
class PostgresPlace:
    """A schema for each journal."""

    url: str
    prefix: str

    def open(self, name: str = "state", *, create: bool = False) -> SqlJournal:
        return open_postgres(self.url, f"{self.prefix} {name}", create=create)

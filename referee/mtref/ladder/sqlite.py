"""The journal in one SQLite file of the state folder. Nothing but connecting and locking lives here."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from mtref.ladder.journal import HeldError, NoJournalError
from mtref.ladder.sqljournal import Dialect, SqlJournal
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["JOURNAL_FILE", "open_sqlite"]

JOURNAL_FILE: Final = "journal.sqlite"
_LOCK_FILE: Final = "runner.lock"
_BUSY_SECONDS: Final = 30.0

_DIALECT: Final = Dialect(
    has_meta="SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'",
    triggers=tuple(
        f"""CREATE TRIGGER IF NOT EXISTS blocks_after_{event.lower()} AFTER {event} ON games BEGIN
        DELETE FROM blocks WHERE {" OR ".join(f"(first_deal <= {row}.deal AND last_deal >= {row}.deal)" for row in rows)};
        END"""  # noqa: S608 - constants
        for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",)))
    ),
)


def open_sqlite(state: Path, *, create: bool) -> SqlJournal:
    """The journal in the folder `state`. Raises ConfigError when it is not there and may not be made."""
    path = state / JOURNAL_FILE
    if create:
        try:
            state.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds the seeds
        except OSError as error:
            raise ConfigError(f"cannot be made: {error.strerror}", key="state", where=str(path)) from error
    elif not path.is_file():
        raise NoJournalError(str(path))
    database = _Sqlite(path)
    try:
        return SqlJournal(database, lambda: _held(state / _LOCK_FILE), str(path), _DIALECT)
    except BaseException:
        database.close()
        raise


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """An exclusive lock that the operating system takes back when the process dies, however it dies."""
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise HeldError(
                f"{path}: another runner is at work here: process {file.read().strip()}"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


class _Sqlite:
    """A connection in WAL mode that syncs at every commit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._complaints():
            self._connection = _writing(path) if _may_write(path) else _reading(path)

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; the rows it returns."""
        with self._complaints():
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and durable at the end."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.run("ROLLBACK")
            raise
        self.run("COMMIT")

    def alone(self) -> AbstractContextManager[None]:
        """A transaction; SQLite has one at a time."""
        return self.transaction()

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    @contextmanager
    def _complaints(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise MtrefError(f"{self._path}: {error}") from error


def _may_write(path: Path) -> bool:
    """Whether the file may be written, and its companions beside it."""
    return os.access(path, os.W_OK, effective_ids=True) and os.access(
        path.parent, os.W_OK, effective_ids=True
    )


def _writing(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _reading(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing. One that was closed in good order has no companions, and is read as it is."""
    how = "mode=ro" if path.with_name(path.name + "-wal").exists() else "mode=ro&immutable=1"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
    )

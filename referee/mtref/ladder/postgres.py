"""The journal in a PostgreSQL database that several machines can reach. Nothing but connecting and locking lives here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from mtref.ladder.journal import HeldError, NoJournalError
from mtref.ladder.sqljournal import Dialect, SqlJournal
from mtref_sdk.errors import ConfigError, MtrefError

try:
    import psycopg
except ImportError as error:
    raise ConfigError(
        "a journal in PostgreSQL needs an extra: pip install 'mtref[postgres]'", key="journal"
    ) from error

__all__ = ["open_postgres"]

_CONNECT_SECONDS: Final = 10

_DIALECT: Final = Dialect(
    has_meta="SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta'",
    triggers=(
        # The path is that of this moment, whoever changes a game later.
        """CREATE OR REPLACE FUNCTION forget_block() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
        IF TG_OP <> 'INSERT' THEN DELETE FROM blocks WHERE first_deal <= OLD.deal AND last_deal >= OLD.deal; END IF;
        IF TG_OP <> 'DELETE' THEN DELETE FROM blocks WHERE first_deal <= NEW.deal AND last_deal >= NEW.deal; END IF;
        RETURN NULL; END $$""",
        "DROP TRIGGER IF EXISTS forget_block ON games",
        """CREATE TRIGGER forget_block AFTER INSERT OR UPDATE OR DELETE ON games
        FOR EACH ROW EXECUTE FUNCTION forget_block()""",
    ),
)


def open_postgres(url: str, ladder: str, *, create: bool) -> SqlJournal:
    """The journal of the ladder of this name in the database at `url`, in a schema of its own.

    Raises NoJournalError when it is not there and may not be made, MtrefError when the database cannot be reached.
    """
    schema = "mtref_" + re.sub(r"[^a-z0-9]+", "_", ladder.lower())[:40].strip("_")
    where = f"{_without_password(url)} ({schema})"
    lock = int.from_bytes(hashlib.sha256(schema.encode()).digest()[:7], "big")
    database = _Postgres(url, where)
    try:
        with database.transaction():
            database.run(
                "SELECT pg_advisory_xact_lock(?)", (lock,)
            )  # two that create it at once would collide
            if not database.run("SELECT 1 FROM information_schema.schemata WHERE schema_name = ?", (schema,)):
                if not create:
                    raise NoJournalError(where)
                database.run(f'CREATE SCHEMA "{schema}"')
            database.run(f'SET search_path TO "{schema}"')
            return SqlJournal(database, lambda: _held(url, where, -lock), where, _DIALECT)
    except BaseException:
        database.close()
        raise


@contextmanager
def _held(url: str, where: str, lock: int) -> Iterator[None]:
    """An advisory lock that the server takes back when the connection ends, however it ends."""
    database = _Postgres(url, where)
    try:
        [(taken,)] = database.run("SELECT pg_try_advisory_lock(?)", (lock,))
        if not taken:
            raise HeldError(f"{where}: another runner is at work here")
        yield
    finally:
        database.close()


def _without_password(url: str) -> str:
    """Scheme, hosts and database of a URL. The driver judges whether it is one; there may be several hosts."""
    scheme, _, rest = url.partition("://")
    user_and_hosts, _, database = rest.partition("/")
    hosts = user_and_hosts.rpartition("@")[2].partition("?")[0] or "local"
    return f"{scheme}://{hosts}/{database.partition('?')[0]}"


class _Postgres:
    """A connection. A statement outside a transaction is one of its own; a commit is durable."""

    def __init__(self, url: str, where: str) -> None:
        self._where = where
        with self._complaints():
            self._connection = psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
            self._connection.execute(b"SET synchronous_commit TO on")

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; the rows it returns."""
        with self._complaints():
            cursor = self._connection.execute(statement.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and durable at the end."""
        with self._complaints(), self._connection.transaction():
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A transaction that begins when all others that change games are over, and keeps new ones waiting."""
        with self.transaction():
            self.run("LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE")
            yield

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    @contextmanager
    def _complaints(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            first = str(error).strip().partition("\n")[0]
            raise MtrefError(f"{self._where}: {first}") from None

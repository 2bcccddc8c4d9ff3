"""The journal in SQL that SQLite and PostgreSQL both understand. How to connect and to lock is left to each of them.

The tables are described in ``docs/journal.md``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from mtref.ladder.blocks import BLOCKS_SCHEMA, Blocks
from mtref.ladder.contract import check_bots, check_contract
from mtref.ladder.journal import Outcome
from mtref.ladder.records import Bot, Conflict, Deal, GameRecord, NotPlayed, SeatRecord
from mtref.ladder.register import REGISTER_SCHEMA, Register
from mtref_sdk.errors import MtrefError

__all__ = ["SCHEMA", "VERSION", "Database", "Dialect", "SqlJournal", "now_text"]

VERSION: Final = 3
"""The version of the tables. Journals of versions 1 and 2 lack tables, indices and triggers only, and get them; others are refused."""

SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS bots (position BIGINT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL,
        author TEXT, command TEXT NOT NULL, deterministic BIGINT NOT NULL, entered_at TEXT NOT NULL, PRIMARY KEY (name, content))""",
    "CREATE TABLE IF NOT EXISTS deals (deal BIGINT PRIMARY KEY, commitment TEXT NOT NULL, seed TEXT NOT NULL DEFAULT '')",
    """CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, deal BIGINT NOT NULL, digest TEXT NOT NULL,
        seats TEXT NOT NULL, log TEXT, seconds DOUBLE PRECISION NOT NULL, at TEXT NOT NULL, mtref TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS games_of_deal ON games (deal, id)",
    "DROP INDEX IF EXISTS games_by_deal",
    """CREATE TABLE IF NOT EXISTS not_played (id TEXT PRIMARY KEY, deal BIGINT NOT NULL, bots TEXT NOT NULL,
        blamed TEXT NOT NULL, reason TEXT NOT NULL, attempts BIGINT NOT NULL, at TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS conflicts (id TEXT NOT NULL, digest TEXT NOT NULL, seats TEXT NOT NULL, log TEXT,
        at TEXT NOT NULL, PRIMARY KEY (id, digest))""",
    *REGISTER_SCHEMA,
    *BLOCKS_SCHEMA,
)

_PAGE: Final = 1000
"""Games read at a time."""

_COLUMNS: Final = "id, deal, digest, seats, log, seconds, at, mtref"
"""Of a game, in the order of its record."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is said differently by each database.

    ``has_meta`` gives a row if there is a table ``meta``. ``triggers`` see to it that the block is dropped to whose deals a game
    belongs that is added, changed (before or after) or deleted; they may be said again.
    """

    has_meta: str
    triggers: Sequence[str]


class Database(Protocol):
    """A connection. Parameters stand as ``?``. Raises MtrefError for whatever the database complains about."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; the rows it returns."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, and durable at the end."""

    def alone(self) -> AbstractContextManager[None]:
        """A transaction that begins when all others that change games are over, and keeps new ones waiting."""

    def close(self) -> None:
        """Disconnect."""


def now_text() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class SqlJournal:
    """A `mtref.ladder.journal.Journal` on a database. `hold` is how runners are kept apart."""

    def __init__(
        self,
        database: Database,
        hold: Callable[[], AbstractContextManager[None]],
        where: str,
        dialect: Dialect,
    ) -> None:
        self._database, self.hold, self._where = database, hold, where
        self._run = database.run
        self.register = Register(database.run, database.transaction, now_text)
        self.blocks = Blocks(database.run, database.transaction, database.alone)
        if not self._run(dialect.has_meta) or self._meta("schema") in {"1", "2"}:
            with database.transaction():
                for statement in (*SCHEMA, *dialect.triggers):
                    self._run(statement)
                self._run("INSERT INTO meta VALUES ('schema', ?) ON CONFLICT DO NOTHING", (str(VERSION),))
                self._run(
                    "UPDATE meta SET value = ? WHERE key = 'schema' AND value IN ('1', '2')", (str(VERSION),)
                )
        version = self._meta("schema")
        if version != str(VERSION):
            raise MtrefError(f"{where}: the journal has format {version}, and this version reads {VERSION}")

    def begin(self, contract: Mapping[str, Any], bots: Iterable[Bot], master: bytes) -> None:
        """See the port."""
        bots = list(bots)
        text = json.dumps(contract, sort_keys=True)
        with self._database.transaction():
            # Of several that begin at once, one gets its row back; the others wait for it here and find it begun.
            if self._run(
                "INSERT INTO meta VALUES ('contract', ?) ON CONFLICT DO NOTHING RETURNING key", (text,)
            ):
                for row in (("master", master.hex()), ("created", now_text())):
                    self._run("INSERT INTO meta VALUES (?, ?)", row)
                for position, bot in enumerate(bots):
                    told = (bot.name, bot.content, bot.author, bot.command, int(bot.deterministic))
                    self._run("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?)", (position, *told, now_text()))
        check_contract(self.contract(), contract, self._where)
        check_bots(self.bots(), bots, self._where)

    def declare(self, bots: Iterable[Bot]) -> None:
        """See the port."""
        kept = {bot.name: bot.deterministic for bot in self.bots()}
        changed = [bot for bot in bots if bot.deterministic != kept[bot.name]]
        if changed:
            with self._database.transaction():
                for bot in changed:
                    told = (int(bot.deterministic), bot.name)
                    self._run("UPDATE bots SET deterministic = ? WHERE name = ?", told)
                self._run("DELETE FROM blocks")

    def contract(self) -> dict[str, Any]:
        """See the port."""
        text = self._meta("contract")
        if not text:
            raise MtrefError(f"{self._where}: the ladder has not begun")
        found: dict[str, Any] = json.loads(text)
        return found

    def bots(self) -> list[Bot]:
        """See the port."""
        rows = self._run("SELECT name, content, author, command, deterministic FROM bots ORDER BY position")
        return [
            Bot(name, content, author, command, bool(sure)) for name, content, author, command, sure in rows
        ]

    def master(self) -> bytes:
        """See the port."""
        return bytes.fromhex(self._meta("master"))

    def commit(self, deals: Mapping[int, str]) -> None:
        """See the port."""
        with self._database.transaction():
            for deal, commitment in deals.items():
                self._run("INSERT INTO deals VALUES (?, ?, '') ON CONFLICT DO NOTHING", (deal, commitment))

    def reveal(self, seeds: Mapping[int, str]) -> None:
        """See the port."""
        with self._database.transaction():
            for deal, seed in seeds.items():
                self._run("UPDATE deals SET seed = ? WHERE deal = ?", (seed, deal))

    def deals(self) -> list[Deal]:
        """See the port."""
        return [Deal(*row) for row in self._run("SELECT deal, commitment, seed FROM deals ORDER BY deal")]

    def add(self, game: GameRecord) -> Outcome:
        """See the port."""
        return self.add_all([game])[0]

    def add_all(self, games: Sequence[GameRecord]) -> list[Outcome]:
        """See the port."""
        with self._database.transaction():
            return [self._add(game) for game in games]

    def _add(self, game: GameRecord) -> Outcome:
        seats = game.seats_json()
        row = (game.id, game.deal, game.digest, seats, game.log, game.seconds, game.at, game.mtref)
        if self._run(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id", row
        ):
            self._run("DELETE FROM not_played WHERE id = ?", (game.id,))
            return Outcome.NEW
        [(digest,)] = self._run("SELECT digest FROM games WHERE id = ?", (game.id,))
        if digest == game.digest:
            return Outcome.KNOWN
        second = (game.id, game.digest, seats, game.log, game.at)
        self._run("INSERT INTO conflicts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", second)
        return Outcome.CONFLICT

    def add_not_played(self, game: NotPlayed) -> int:
        """See the port."""
        with self._database.transaction():
            if self._run("SELECT 1 FROM games WHERE id = ?", (game.id,)):
                return 0
            row = (
                game.id,
                game.deal,
                json.dumps(game.bots),
                json.dumps(game.blamed),
                game.reason,
                game.attempts,
                game.at,
            )
            [(attempts,)] = self._run(
                """INSERT INTO not_played VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
                attempts = not_played.attempts + excluded.attempts, reason = excluded.reason, blamed = excluded.blamed, at = excluded.at
                RETURNING attempts""",
                row,
            )
            return int(attempts)

    def ids(self, below: int | None = None) -> set[str]:
        """See the port."""
        if below is None:
            return {row[0] for row in self._run("SELECT id FROM games")}
        return {row[0] for row in self._run("SELECT id FROM games WHERE deal < ?", (below,))}

    def games(self) -> Iterator[GameRecord]:
        """See the port."""
        last = ""
        while rows := self._run(
            f"SELECT {_COLUMNS} FROM games WHERE id > ? ORDER BY id LIMIT {_PAGE}",  # noqa: S608 - constants
            (last,),
        ):
            yield from map(_game, rows)
            last = rows[-1][0]

    def games_of(self, first: int, last: int) -> Iterator[GameRecord]:
        """See the port."""
        after: tuple[int, str] = (first, "")
        while rows := self._run(
            f"SELECT {_COLUMNS} FROM games WHERE (deal, id) > (?, ?) AND deal <= ? ORDER BY deal, id LIMIT {_PAGE}",  # noqa: S608 - constants
            (*after, last),
        ):
            yield from map(_game, rows)
            after = rows[-1][1], rows[-1][0]

    def deal_sizes(self) -> list[tuple[int, int]]:
        """See the port."""
        rows = self._run("SELECT deal, COUNT(*) FROM games GROUP BY deal ORDER BY deal")
        return [(int(deal), int(games)) for deal, games in rows]

    def game(self, name: str) -> GameRecord | None:
        """See the port."""
        rows = self._run(f"SELECT {_COLUMNS} FROM games WHERE id = ?", (name,))  # noqa: S608 - a constant
        return _game(rows[0]) if rows else None

    def logs(self, deal: int) -> list[str]:
        """See the port."""
        return [
            row[0] for row in self._run("SELECT log FROM games WHERE deal = ? AND log IS NOT NULL", (deal,))
        ]

    def not_played(self) -> list[NotPlayed]:
        """See the port."""
        rows = self._run(
            "SELECT id, deal, bots, blamed, reason, attempts, at FROM not_played ORDER BY deal, id"
        )
        return [
            NotPlayed(game, deal, tuple(json.loads(bots)), tuple(json.loads(blamed)), *rest)
            for game, deal, bots, blamed, *rest in rows
        ]

    def conflicts(self) -> list[Conflict]:
        """See the port."""
        rows = self._run(
            """SELECT games.id, games.deal, games.seats, games.digest, conflicts.digest, conflicts.log, conflicts.at
            FROM conflicts JOIN games ON games.id = conflicts.id ORDER BY games.deal, games.id, conflicts.digest"""
        )
        return [
            Conflict(game, deal, tuple(seat["bot"] for seat in json.loads(seats)), *rest)
            for game, deal, seats, *rest in rows
        ]

    def close(self) -> None:
        """See the port."""
        self._database.close()

    def _meta(self, key: str) -> str:
        rows = self._run("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""


def _game(row: Sequence[Any]) -> GameRecord:
    seats = tuple(SeatRecord.from_plain(seat) for seat in json.loads(row[3]))
    return GameRecord(row[0], row[1], row[2], seats, *row[4:])

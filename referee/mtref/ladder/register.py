"""The part of the journal about bots that were handed in: their versions, and the stages planned for them, in SQL.

The tables are described in ``docs/journal.md``. What is in them only grows; a version can be parked, once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, Literal

from mtref.ladder.records import Bot

__all__ = ["REGISTER_SCHEMA", "PlannedStage", "Register", "StageKind", "Version", "current", "label_of"]

StageKind = Literal["arrival", "separation"]
"""A new version's first games; games of neighbours in the standings."""

REGISTER_SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS versions (position BIGINT PRIMARY KEY, label TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        content TEXT NOT NULL, author TEXT, command TEXT NOT NULL, deterministic BIGINT NOT NULL, parked TEXT, entered_at TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS stages (number BIGINT PRIMARY KEY, kind TEXT NOT NULL, bot TEXT, tables TEXT NOT NULL,
        first_deal BIGINT NOT NULL, deals BIGINT NOT NULL, planned_at TEXT NOT NULL)""",
)


@dataclass(frozen=True, slots=True)
class Version:
    """A bot that was handed in. ``bot`` carries its label, such as ``alpha@2``, under which it plays; ``name`` is without the number.

    ``parked`` is why it plays no more, or None.
    """

    bot: Bot
    name: str
    parked: str | None
    entered_at: str

    @property
    def label(self) -> str:
        """What it is called in games."""
        return self.bot.name


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """Every one of these tables, by the bots' labels, plays each of these deals. ``bot`` is whose arrival it is."""

    number: int
    kind: StageKind
    bot: str | None
    tables: tuple[tuple[str, ...], ...]
    first_deal: int
    deals: int

    @property
    def deal_range(self) -> range:
        """The deals."""
        return range(self.first_deal, self.first_deal + self.deals)


def label_of(name: str, number: int) -> str:
    """What the version of this number (from 1) of a bot is called: no bot of a ladder's file can be called so."""
    return f"{name}@{number}"


def current(versions: Sequence[Version]) -> dict[str, Version]:
    """The last version of each name."""
    return {version.name: version for version in versions}


class Register:
    """Versions and stages. Everything written is durable when the call returns. Raises MtrefError."""

    def __init__(
        self,
        run: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]],
        transaction: Callable[[], AbstractContextManager[None]],
        now: Callable[[], str],
    ) -> None:
        self._run, self._transaction, self._now = run, transaction, now

    def versions(self) -> list[Version]:
        """Every bot that was handed in, in the order of entry."""
        rows = self._run(
            "SELECT label, name, content, author, command, deterministic, parked, entered_at FROM versions ORDER BY position",
            (),
        )
        return [
            Version(Bot(label, content, author, command, bool(sure)), name, parked, at)
            for label, name, content, author, command, sure, parked, at in rows
        ]

    def state(self) -> tuple[int, int]:
        """How many versions there are, and how many of them are parked: it changes whenever either does."""
        [(count, parked)] = self._run("SELECT COUNT(*), COUNT(parked) FROM versions", ())
        return int(count), int(parked)

    def enter(self, name: str, bot: Bot) -> Version:
        """Enter a new version of the bot called `name`; the name of `bot` is not looked at. It is given the next number."""
        while True:
            with self._transaction():
                numbers = self._run("SELECT COUNT(*) FROM versions WHERE name = ?", (name,))
                [(position,)] = self._run("SELECT COUNT(*) FROM versions", ())
                label, at = label_of(name, int(numbers[0][0]) + 1), self._now()
                told = (label, name, bot.content, bot.author, bot.command, int(bot.deterministic))
                entered = self._run(
                    "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?) ON CONFLICT DO NOTHING RETURNING label",
                    (position, *told, at),
                )
            if entered:  # else another one was entered between the two statements
                return Version(
                    Bot(label, bot.content, bot.author, bot.command, bot.deterministic), name, None, at
                )

    def park(self, label: str, reason: str) -> None:
        """Note that a version plays no more, and why."""
        with self._transaction():
            self._run("UPDATE versions SET parked = ? WHERE label = ? AND parked IS NULL", (reason, label))

    def stages(self) -> list[PlannedStage]:
        """Every stage planned so far, in order."""
        rows = self._run(
            "SELECT number, kind, bot, tables, first_deal, deals FROM stages ORDER BY number", ()
        )
        return [
            PlannedStage(number, kind, bot, tuple(map(tuple, json.loads(tables))), first, deals)
            for number, kind, bot, tables, first, deals in rows
        ]

    def plan(self, stage: PlannedStage) -> None:
        """Write a stage down, before its first game. The runner alone does this."""
        row = (stage.number, stage.kind, stage.bot, json.dumps(stage.tables), stage.first_deal, stage.deals)
        with self._transaction():
            self._run("INSERT INTO stages VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, self._now()))

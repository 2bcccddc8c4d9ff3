"""Fixtures for tests of ladders: one PostgreSQL server for all tests that need one, and a journal in each kind of place."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.ladder.sqljournal import SqlJournal
from tests.ladder.journalplaces import Place, PostgresPlace, SqlitePlace
from tests.ladder.journals import contract, some_bots
from tests.ladder.postgresserver import Server, running_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres_server").url, secrets.token_hex(4))


@pytest.fixture
def journal(place: Place) -> Iterator[SqlJournal]:
    journal = place.open(create=True)
    journal.begin(contract(), some_bots(3), bytes(32))
    yield journal
    journal.close()

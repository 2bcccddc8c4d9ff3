"""Fixtures for tests of ladders: one PostgreSQL server for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ladder.postgresserver import Server, running_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    with running_server() as server:
        yield server

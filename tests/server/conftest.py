"""What several of these tests need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.server.endpoint import TcpEndpoint, UnixEndpoint
from mtref.server.launching import make_run_directory
from tests.e2e.test_called_from_elsewhere import free_ports


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for sockets: its path is short."""
    path = make_run_directory()
    yield path
    for left in path.iterdir():
        left.unlink()
    path.rmdir()


@pytest.fixture
def own(folder: Path) -> UnixEndpoint:
    """A bot's own socket."""
    return UnixEndpoint(folder / "s")


@pytest.fixture
def port() -> TcpEndpoint:
    """A port that is free."""
    return TcpEndpoint("127.0.0.1", free_ports(1), None)

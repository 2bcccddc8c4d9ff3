"""What several of these tests need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.server.launching import make_run_directory


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for sockets: its path is short."""
    path = make_run_directory()
    yield path
    for left in path.iterdir():
        left.unlink()
    path.rmdir()

"""Connections are counted at the right socket, and a bot that has too many is told of once."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mtref.server.doorkeeper import CONNECTIONS, Doorkeeper, connections
from mtref.server.processes import make_run_directory
from tests.bots.villains import bot
from tests.server.playing import play


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_run_directory()
    yield path
    for left in path.iterdir():
        left.unlink()
    path.rmdir()


class Door:
    """A socket that listens, and the two ends of each connection to it."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self.path, self._stack = path, stack
        self._listening = stack.enter_context(socket.socket(socket.AF_UNIX))
        self._listening.bind(str(path))
        self._listening.listen()

    def connect(self, times: int) -> None:
        for _ in range(times):
            self._stack.enter_context(socket.socket(socket.AF_UNIX)).connect(str(self.path))
            self._stack.enter_context(self._listening.accept()[0])


def test_only_connections_at_the_socket_itself_count(folder: Path) -> None:
    with ExitStack() as stack:
        door, other = Door(folder / "a", stack), Door(folder / "b", stack)
        other.connect(5)
        door.connect(3)
        with Path(os.devnull).open("rb") as last:
            assert connections(str(door.path), last.fileno()) == 3
            assert connections(str(other.path), last.fileno()) == 5


def test_too_many_are_told_of_once_and_as_many_as_are_allowed_are_not(folder: Path) -> None:
    async def crowds() -> list[str]:
        told: list[str] = []
        there = asyncio.Event()

        def tell() -> None:
            told.append("crowded")
            there.set()

        with ExitStack() as stack:
            patient, crowded = Door(folder / "a", stack), Door(folder / "b", stack)
            patient.connect(CONNECTIONS)
            keepers = [
                Doorkeeper(patient.path, lambda: told.append("patient")),
                Doorkeeper(crowded.path, tell),
            ]
            crowded.connect(CONNECTIONS + 1)
            await asyncio.wait_for(there.wait(), 30)
            for keeper in keepers:
                keeper.leave()
        return told

    assert asyncio.run(crowds()) == ["crowded"]


def test_a_bot_that_connects_over_and_over_forfeits_by_it_and_nobody_else_is_late() -> None:
    rules = {"rules": "playboard", "rounds": "1"}
    played = play([bot("greedy"), bot("mischief", "connects")], **rules)
    assert played.faults() == [(1, "flood", "forfeit")]
    assert played.game.digest == play([bot("greedy"), bot("first_legal", 0)], **rules).game.digest

"""Notices a bot that opens connection after connection at its own socket. gRPC takes whatever comes, with the one thread that also
hears the other bots, and tells nobody of connections without a call; so they are counted among our open files.
"""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path

__all__ = ["CONNECTIONS", "Doorkeeper", "connections"]

CONNECTIONS = 8
"""How many a bot may have at once. It needs one; the floods that a few more can make, others hardly feel."""

PERIOD = 0.02
"""Seconds between two looks."""


class Doorkeeper:
    """Watches one socket, until `leave`. `crowded` is called once, if there are ever more than `CONNECTIONS` at it."""

    def __init__(self, path: Path, crowded: Callable[[], None]) -> None:
        self._path, self._crowded = str(path), crowded
        self._few = 0
        self._timer: asyncio.TimerHandle | None = None
        self._sleep()

    def leave(self) -> None:
        """Watch no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _sleep(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PERIOD, self._look)

    def _look(self) -> None:
        """Count only when there are some more open files than when they were last found harmless: mostly there are not."""
        files = _lowest_unused()
        if files > self._few:
            if connections(self._path, files) > CONNECTIONS:
                self._crowded()
                return
            self._few = files + CONNECTIONS // 2
        self._sleep()


def connections(path: str, below: int) -> int:
    """How many of our descriptors below a number are connections at the socket with this path."""
    return sum(_is_at(path, descriptor) for descriptor in range(below)) - 1  # one is the socket that listens


def _lowest_unused() -> int:
    """All descriptors below this one are open."""
    try:
        descriptor = os.open(os.devnull, os.O_RDONLY)
    except OSError:  # there are no more to be had
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    os.close(descriptor)
    return descriptor


def _is_at(path: str, descriptor: int) -> bool:
    try:
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=descriptor)
        try:
            return bool(peer.getsockname() == path)
        finally:
            peer.detach()
    except OSError:  # no socket, or closed meanwhile
        return False

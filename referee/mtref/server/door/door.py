"""A door: listens where one bot is expected, and sees to it that whoever comes there disturbs nobody.

A bot on this machine that crowds or floods its door is told of, and ended. At a port there may be strangers, so connections are ended
there, and nobody is blamed.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any

from mtref.server.door.allowance import Allowance
from mtref.server.door.call import Call, Hearer
from mtref.server.door.connection import FRAMES, HANDSHAKE_S, Connection
from mtref.server.endpoint import Endpoint, UnixEndpoint
from mtref_sdk.errors import MtrefError

__all__ = ["CONNECTIONS", "Door"]

CONNECTIONS = 8
"""How many there may be at a door; at a port, besides that of the running stream. A bot needs one."""

ARRIVALS, ARRIVALS_A_SECOND = 50, 10
"""So many connections may be made at once, and so many more a second."""

PAUSE_S = 0.02
"""Before the next one, where more want to come."""

BACKLOG = 16

GONE_S = 40
"""After so many seconds without a sign of it a TCP peer is given up."""

LAST_WORDS_S = 1.0
"""How long a connection that is closed may take to be told so."""


class Door:
    """One bot's endpoint. `method` is the path of the call that is served, by `hearer`, and `runs` tells whether a call is the running stream.

    ``misdeed`` is called, once, when the bot on this machine to which the endpoint belongs crowds or floods it, with what it did in
    words after "the process".
    """

    def __init__(self, endpoint: Endpoint, method: str, hearer: Hearer, runs: Callable[[Call], bool]) -> None:
        self.method, self.hearer, self.runs = method.encode(), hearer, runs
        self.misdeed: Callable[[str], object] = lambda _: None
        self._own = isinstance(endpoint, UnixEndpoint)
        self._endpoint = endpoint
        self._loop = asyncio.get_running_loop()
        self._sockets: list[socket.socket] = []
        self._connections: list[Connection] = []  # oldest first
        self._arriving: dict[Connection, asyncio.Task[Any]] = {}
        self._arrivals = Allowance(ARRIVALS, ARRIVALS_A_SECOND)
        self._left = asyncio.Event()

    def listen(self) -> None:
        """Take connections. Raises MtrefError when that is not possible here."""
        try:
            self._sockets = _listening(self._endpoint)
        except OSError as error:
            text = f"cannot listen at {self._endpoint.address}: {error.strerror or error}"
            raise MtrefError(text) from error
        for each in self._sockets:
            self._loop.add_reader(each, self._arrived, each)

    async def close(self) -> None:
        """End all connections, and take no more."""
        self._shut()
        for task in self._arriving.values():
            task.cancel()
        for connection in list(self._connections):
            connection.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_S):
                await self._emptied()
        for connection in list(self._connections):
            connection.abort()
        await self._emptied()

    async def _emptied(self) -> None:
        """Wait until all connections are gone."""
        while self._connections or self._arriving:
            self._left.clear()
            await self._left.wait()

    # -- from connections

    def left(self, connection: Connection) -> None:
        """It is gone."""
        if connection in self._connections:
            self._connections.remove(connection)
        self._left.set()

    def flooded(self, connection: Connection) -> None:
        """Too much comes there."""
        if self._own:
            self._stop(
                f"was ended for flooding its socket: more than {FRAMES} frames on a connection were no answers"
            )
        else:
            connection.abort()

    # -- inside

    def _arrived(self, listening: socket.socket) -> None:
        """Take one connection: the others have their turn before the next."""
        try:
            peer, address = listening.accept()
        except BlockingIOError:
            return
        except OSError:  # given up again, or there are no descriptors left
            self._rest(listening)
            return
        if self._own and len(self._connections) == CONNECTIONS:
            peer.close()
            self._stop(f"was ended for having more than {CONNECTIONS} connections at once")
            return
        if not self._arrivals.spend(1):
            if self._own:
                peer.close()
                self._stop(f"was ended for connecting more than {ARRIVALS} times within seconds")
                return
            self._rest(listening)
        peer.setblocking(False)
        host = "" if self._own else address[0]
        if not self._own:
            _prepare(peer)
            self._make_room()
        self._take(peer, Connection(self, host))

    def _take(self, peer: socket.socket, connection: Connection) -> None:
        self._connections.append(connection)
        context = self._endpoint.context
        limit = None if context is None else HANDSHAKE_S
        arriving = self._loop.connect_accepted_socket(
            lambda: connection, peer, ssl=context, ssl_handshake_timeout=limit
        )
        task = self._arriving[connection] = self._loop.create_task(arriving)
        task.add_done_callback(lambda _: self._has_arrived(task, peer, connection))

    def _has_arrived(self, task: asyncio.Task[Any], peer: socket.socket, connection: Connection) -> None:
        del self._arriving[connection]
        if task.cancelled() or task.exception() is not None:  # it was not able to agree on a cipher, say
            connection.abort()
            peer.close()
            self.left(connection)
        self._left.set()

    def _make_room(self) -> None:
        """Who has most connections gives up the oldest, so that others get in."""
        others = [connection for connection in self._connections if not connection.busy]
        if len(others) >= CONNECTIONS:
            host = Counter(connection.host for connection in others).most_common(1)[0][0]
            first = next(connection for connection in others if connection.host == host)
            first.abort()
            if first in self._arriving:
                self._arriving[first].cancel()
            self.left(first)

    def _rest(self, listening: socket.socket) -> None:
        self._loop.remove_reader(listening)
        self._loop.call_later(PAUSE_S, self._go_on, listening)

    def _go_on(self, listening: socket.socket) -> None:
        if listening in self._sockets:
            self._loop.add_reader(listening, self._arrived, listening)

    def _stop(self, misdeed: str) -> None:
        """It is ended; that takes a moment, in which it comes no more."""
        self._shut()
        for connection in list(self._connections):
            connection.abort()
        self.misdeed(misdeed)

    def _shut(self) -> None:
        for each in self._sockets:
            self._loop.remove_reader(each)
            each.close()
            if isinstance(self._endpoint, UnixEndpoint):
                self._endpoint.path.unlink(missing_ok=True)
        self._sockets = []


def _listening(endpoint: Endpoint) -> list[socket.socket]:
    """Sockets that listen there, one for each address of a host that has several."""
    if isinstance(endpoint, UnixEndpoint):
        return [_bound(socket.AF_UNIX, str(endpoint.path))]
    found = socket.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            sockets.append(_bound(family, address))
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


def _bound(family: int, address: Any) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if family != socket.AF_UNIX:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, address[0] != "::")
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


def _prepare(peer: socket.socket) -> None:
    """Have the kernel find out when a TCP peer is no longer there. A program that is stopped in a debugger is.

    And send at once: asyncio sees to that only if it knows that the socket is TCP, which accepted ones do not tell.
    """
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_NODELAY, 1),
        (socket.TCP_KEEPIDLE, GONE_S // 2),
        (socket.TCP_KEEPINTVL, GONE_S // 8),
        (socket.TCP_KEEPCNT, 4),
        (socket.TCP_USER_TIMEOUT, GONE_S * 1000),
    ):
        peer.setsockopt(socket.IPPROTO_TCP, option, value)

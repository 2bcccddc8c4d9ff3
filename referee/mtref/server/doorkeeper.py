"""Looks after the connections at the bots' doors. gRPC takes whatever comes, with the one thread that also hears the other bots:
who connects over and over, or sends faster than it can read, would make the others late.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable

from mtref.server.connections import Connection, Where, close_door, find, lowest_unused, plain_peer
from mtref.server.endpoint import Endpoint, UnixEndpoint

__all__ = ["CONNECTIONS", "UNREAD", "Door", "Doorkeeper"]

CONNECTIONS = 8
"""How many there may be at a door; at a port, besides that of the running stream. A bot needs one."""

UNREAD = 16 * 1024
"""So many bytes may wait at a door to be read. Answers are a few bytes each, and gRPC reads what comes at once."""

LOOKS = 3
"""More than that at so many looks in a row is a flood."""

PERIOD, SOON = 0.015, 0.005
"""Seconds between two looks, and after a look at which something was wrong."""

MOST_ENDED = 32
"""So many connections are ended at a look."""

RENEWED = 100
"""After so many looks the descriptors are gone through again, if there is no other reason before."""


class Door:
    """One bot's endpoint. ``peer`` tells who has the running stream, as gRPC writes it, empty if nobody has.

    Only the bot itself comes to a unix socket: when it crowds or floods that, `stop` is called, once, with what it did in words
    after "the process". At a port there may be strangers, so connections are closed and nobody is blamed.
    """

    def __init__(self, endpoint: Endpoint, peer: Callable[[], str], stop: Callable[[str], None]) -> None:
        own = isinstance(endpoint, UnixEndpoint)
        self.where: Where = str(endpoint.path) if isinstance(endpoint, UnixEndpoint) else endpoint.port
        self.own, self._peer, self._tell = own, peer, stop
        self._connections: list[Connection] = []  # oldest first
        self._full = 0
        self.stopped = False

    def found(self, connections: Iterable[Connection]) -> None:
        """These are all that are there now."""
        now = dict.fromkeys(connections)
        known = [old for old in self._connections if old in now]
        fresh = [new for new in now if new not in known]
        self._connections = known + fresh
        if not self.own:
            for connection in fresh:
                connection.keep_alive()

    def look(self) -> bool:
        """Do what must be done. Whether to look again soon."""
        if self.stopped:
            self._dam()
            return True
        if len(self._connections) > CONNECTIONS:
            self._thin_out()
        total = sum(connection.unread() for connection in self._connections)
        self._full = self._full + 1 if total > UNREAD else 0
        if self._full >= LOOKS:
            self._dam()
            if self.own:
                self._stop(
                    "was ended for sending faster than can be read: "
                    f"{total // 1024} KiB waited at its socket, and more than {UNREAD // 1024} may not for long"
                )
        return self._full > 0

    def _thin_out(self) -> None:
        """There are too many."""
        if self.own:
            self._stop(f"was ended for having more than {CONNECTIONS} connections at once")
            return
        stream = plain_peer(self._peer())
        others = [connection for connection in self._connections if connection.peer != stream]
        hosts = Counter(connection.host for connection in others)
        for _ in range(min(len(others) - CONNECTIONS, MOST_ENDED)):
            host = hosts.most_common(1)[0][0]  # who has most gives up its oldest, so that others get in
            first = next(connection for connection in others if connection.host == host)
            first.close()
            others.remove(first)
            self._connections.remove(first)
            hosts[host] -= 1

    def _stop(self, misdeed: str) -> None:
        """It is ended; that takes a moment, in which it comes no more."""
        self.stopped = True
        close_door(self.where)
        self._tell(misdeed)

    def _dam(self) -> None:
        """Too much has come: end the connections it came by, so that gRPC need not read it; at a port not the bot's for a stranger's flood."""
        stream = None if self.own else plain_peer(self._peer())
        for connection in self._connections[:MOST_ENDED]:
            if connection.unread() > (UNREAD if connection.peer == stream else UNREAD // MOST_ENDED):
                connection.close()


class Doorkeeper:
    """One timer for all doors of a referee."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._doors: dict[Where, Door] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._lowest, self._looks = 0, 0
        self._soon = False

    def watch(self, door: Door) -> None:
        """Look after this door too."""
        self._doors[door.where] = door
        if self._timer is None:
            self._sleep()

    def forget(self, door: Door) -> None:
        """Do not look after this door any more."""
        if self._doors.get(door.where) is door:
            del self._doors[door.where]

    def close(self) -> None:
        """Never look again."""
        self._doors.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _sleep(self) -> None:
        self._timer = self._loop.call_later(SOON if self._soon else PERIOD, self._look)

    def _look(self) -> None:
        """Find out what is there only when something may have changed: mostly nothing has."""
        self._timer = None
        if not self._doors:
            return
        self._looks += 1
        lowest = lowest_unused()
        if self._soon or lowest != self._lowest or self._looks % RENEWED == 0:
            self._lowest = lowest
            self._find()
        looks = [door.look() for door in list(self._doors.values())]
        self._soon = any(looks)
        self._sleep()

    def _find(self) -> None:
        at: dict[Where, list[Connection]] = {where: [] for where in self._doors}
        for connection in find():
            door = self._doors.get(connection.where)
            if door is None:
                continue
            at[door.where].append(connection)
            if door.own and len(at[door.where]) > CONNECTIONS:  # there may be thousands
                door.found(at[door.where])
                return
        for where, door in self._doors.items():
            door.found(at[where])

"""The connections that gRPC has accepted, found among our open files: it tells nobody of those without a call, nor lets one be ended.

Everything here is about Linux's descriptors; who may have how many connections is `doorkeeper`'s business.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import resource
import socket
import termios
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

__all__ = ["Connection", "Where", "close_door", "find", "lowest_unused", "plain_peer"]

Where = str | int
"""At which door a connection is: the path of a unix socket, or the number of a TCP port."""

MOST = 256
"""So many connections of all doors together are looked for. There are more only when there are far too many."""

GONE_S = 40
"""After so many seconds without a sign of it a TCP peer is given up."""

CHUNK, CHUNKS = 1 << 16, 64


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection at a door, under one of our descriptors. ``peer`` is who is at its other end, empty on a unix socket.

    gRPC may close it at any time, so that the number comes to mean something else; a method then does no harm.
    """

    descriptor: int
    where: Where
    peer: str

    @property
    def host(self) -> str:
        """The machine at the other end; empty for this one's unix sockets."""
        return self.peer.rpartition(":")[0]

    def unread(self) -> int:
        """So many bytes have come that gRPC has not read yet; 0 if it is gone."""
        count = array.array("i", [0])
        try:
            fcntl.ioctl(self.descriptor, termios.FIONREAD, count)
        except OSError:
            return 0
        return count[0]

    def close(self) -> None:
        """End it, and throw away what has not been read. gRPC hears of that as of any other end."""
        self._with_copy(_end)

    def keep_alive(self) -> None:
        """Have the kernel find out when a TCP peer is no longer there. A program that is stopped in a debugger is."""
        self._with_copy(_keep_alive)

    def _with_copy(self, act: Callable[[socket.socket], None]) -> None:
        """Use a copy, which goes on being what it is whatever gRPC closes; nothing is done if it is something else already."""
        with contextlib.suppress(OSError):
            number = os.dup(self.descriptor)
            try:
                copy = socket.socket(fileno=number)
            except OSError:  # no socket any more
                os.close(number)
                return
            with copy:
                if _connection(copy, self.descriptor) == self:
                    act(copy)


def _end(copy: socket.socket) -> None:
    copy.shutdown(socket.SHUT_RDWR)
    for _ in range(CHUNKS):
        if not copy.recv(CHUNK, socket.MSG_DONTWAIT):
            return


def _keep_alive(copy: socket.socket) -> None:
    copy.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, GONE_S // 2),
        (socket.TCP_KEEPINTVL, GONE_S // 8),
        (socket.TCP_KEEPCNT, 4),
        (socket.TCP_USER_TIMEOUT, GONE_S * 1000),
    ):
        copy.setsockopt(socket.IPPROTO_TCP, option, value)


def find() -> Iterator[Connection]:
    """The connections somebody has made to us; if there are more than `MOST`, so many of them."""
    found = 0
    for descriptor, peer in _sockets():
        connection = _connection(peer, descriptor)
        if connection is not None:
            yield connection
            found += 1
            if found == MOST:
                return


def close_door(where: Where) -> None:
    """Take no more connections at a unix socket, those that wait to be taken apart."""
    for _, door in _sockets():
        with contextlib.suppress(OSError):
            if door.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) and door.getsockname() == where:
                door.shutdown(socket.SHUT_RDWR)
                return


def _sockets() -> Iterator[tuple[int, socket.socket]]:
    """Our open sockets, each lent only until the next one."""
    for name in os.listdir("/proc/self/fd"):
        descriptor = int(name)
        try:
            opened = socket.socket(fileno=descriptor)
        except OSError:  # no socket, or closed meanwhile
            continue
        try:
            yield descriptor, opened
        finally:
            opened.detach()


def lowest_unused() -> int:
    """All descriptors below this one are open."""
    try:
        descriptor = os.open(os.devnull, os.O_RDONLY)
    except OSError:  # there are no more to be had
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    os.close(descriptor)
    return descriptor


def plain_peer(peer: str) -> str:
    """A peer as gRPC writes it, as ``Connection.peer`` is written; empty for a unix socket."""
    kind, _, rest = unquote(peer).partition(":")
    host, _, port = rest.rpartition(":")
    return _peer(host.strip("[]"), port) if kind in {"ipv4", "ipv6"} else ""


def _connection(peer: socket.socket, descriptor: int) -> Connection | None:
    """What an open socket is, if it is a connection at a door."""
    try:
        if peer.type != socket.SOCK_STREAM or peer.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return None
        here = peer.getsockname()
        if peer.family == socket.AF_UNIX:
            return Connection(descriptor, str(here), "") if here else None
        if peer.family in {socket.AF_INET, socket.AF_INET6}:
            return Connection(descriptor, here[1], _peer(*peer.getpeername()[:2]))
    except OSError:  # closed meanwhile, or not connected
        pass
    return None


def _peer(host: str, port: int | str) -> str:
    return f"{host.removeprefix('::ffff:').partition('%')[0]}:{port}"

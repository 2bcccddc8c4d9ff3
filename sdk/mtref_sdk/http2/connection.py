"""One connection of HTTP/2: what each frame of the other end means, and what this end says (`saying`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import FRAME, HEAD, MOST, WINDOW, WORD, Http2Error, unpadded
from mtref_sdk.http2.headers import HeaderReader, Headers
from mtref_sdk.http2.saying import HttpStream, Sayer

__all__ = ["Http2", "HttpStream"]

_DATA: Final = frames.DATA

_COSTLY: Final = 4
"""So many bytes of other frames, as a power of two, may cost as much time as a frame."""

_BEGINNING: Final = 20
"""Frames that cost as much as what is done for a stream that begins."""


class Http2(Sayer):
    """One connection. Feed `receive` with bytes; send what `outgoing` gives after each call of anything.

    `client` tells which end we are, `window` how many bytes may be on their way to us (in each stream, and in all), `streams` how
    many the other end may have at once, `headers` how long it is told a list of them should be at most. Listeners, to be set: ``on_headers(stream, headers)``,
    ``on_data(stream, data)``, ``on_end(stream)`` when the other end sends no more, ``on_reset(stream, code)`` when it gave
    the stream up, ``on_room(stream)`` when all that waited has gone, ``on_away(code)`` when it takes no new streams. ``arrived`` counts
    the frames that have come, those without data by what they cost to read; ``greeted`` tells whether the first one has.
    """

    def __init__(
        self, *, client: bool, window: int = WINDOW, streams: int = 1, headers: int = 1 << 14
    ) -> None:
        super().__init__(client=client, window=window, streams=streams, headers=headers)
        self.on_headers: Callable[[HttpStream, Headers], object] = _unheard
        self.on_data: Callable[[HttpStream, bytes], object] = _unheard
        self.on_end: Callable[[HttpStream], object] = _unheard
        self.on_reset: Callable[[HttpStream, int], object] = _unheard
        self.on_away: Callable[[int], object] = _unheard
        self.arrived = 0
        self.greeted = False
        self._most = streams
        self._rest = b""
        self._preface = b"" if client else frames.PREFACE
        self._headers = HeaderReader(headers)

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
        self.arrived += len(payload) >> _COSTLY
        if not self.greeted:
            if kind != frames.SETTINGS or flags & frames.ACK:
                raise Http2Error(frames.PROTOCOL_ERROR, "settings must come first")
            self.greeted = True
        if self._headers.unfinished and (kind != frames.CONTINUATION or number != self._headers.number):
            raise Http2Error(frames.PROTOCOL_ERROR, "headers were left unfinished")
        match kind:
            case frames.HEADERS:
                self._has_headers(flags, number, payload)
            case frames.CONTINUATION if self._headers.unfinished:
                self._has_headers(flags, None, payload)
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

    def _has_headers(self, flags: int, begins: int | None, payload: bytes) -> None:
        """A list begins on a stream, or goes on."""
        reader = self._headers
        try:
            headers = reader.go_on(flags, payload) if begins is None else reader.begin(flags, begins, payload)
        except Http2Error as error:
            if error.code == frames.ENHANCE_YOUR_CALM:  # gRPC reads a status out of that
                self._say(frames.RST_STREAM, 0, reader.number, WORD.pack(error.code))
            raise
        if headers is None:
            return
        self.arrived += len(headers)
        number, ends = reader.number, reader.ends
        stream = self._streams.get(number)
        if stream is None:
            if self._client or number <= self._newest:
                self._known(number)
                return
            if not number % 2:
                raise Http2Error(frames.PROTOCOL_ERROR, f"a stream has the number {number}")
            self._newest = number
            self.arrived += _BEGINNING
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

    def _known(self, number: int) -> None:
        """Of a stream that is over frames may still come; of one that never was, none may."""
        if number == 0 or number > self._newest or not number % 2:
            raise Http2Error(frames.PROTOCOL_ERROR, f"there is no stream {number}")

    def _ended(self, stream: HttpStream) -> None:
        if stream.number in self._streams:
            stream.done = True
            self.on_end(stream)


def _check(right: bool, rule: str) -> None:  # noqa: FBT001
    if not right:
        raise Http2Error(frames.FRAME_SIZE_ERROR, rule)


def _window(size: int) -> int:
    if size > MOST:
        raise Http2Error(frames.FLOW_CONTROL_ERROR, "a window is too large")
    return size


def _unheard(*_: object) -> None:
    """Nobody listens."""

"""One connection at a door, from its first byte to its last: the socket on one side, HTTP/2 and calls on the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from mtref.server.door.allowance import Allowance
from mtref.server.door.call import HEADERS, LONGEST, Call
from mtref_sdk.grpcwire import PREFIX
from mtref_sdk.http2 import frames
from mtref_sdk.http2.connection import Http2, HttpStream
from mtref_sdk.http2.frames import Http2Error
from mtref_sdk.http2.headers import Headers

if TYPE_CHECKING:
    from mtref.server.door.door import Door

__all__ = ["FRAMES", "HANDSHAKE_S", "IDLE_S", "Connection"]

STREAMS = 4
"""Calls that a connection may have at once."""

WINDOW = 2 * (LONGEST + PREFIX)
"""Bytes that may be on their way: the longest message, though half of the window has not been given back."""

CHUNK = 4096
"""Bytes that are read at once: in between the others have their turn."""

HANDSHAKE_S, IDLE_S = 3.0, 10.0
"""Seconds until the other end must have begun to speak HTTP/2, and for which a connection without a call is kept."""

FRAMES, FRAMES_A_SECOND, CREDIT = 1000, 200, 6
"""So many frames may come that bring no answer, and so many more a second; each answer allows some of them: of clients of grpcio three come with it."""


class Connection(asyncio.BufferedProtocol):
    """A connection. ``host`` is the machine at the other end, empty on a unix socket."""

    def __init__(self, door: Door, host: str) -> None:
        self.host = host
        self.full = False
        self._door = door
        self._buffer = memoryview(bytearray(CHUNK))
        self._calls: dict[HttpStream, Call] = {}
        self._transport: asyncio.Transport | None = None
        self._closed = self._reading = False
        self._unheard = 0
        self._allowance = Allowance(FRAMES, FRAMES_A_SECOND)
        self._loop = asyncio.get_running_loop()
        self._quiet_since = self._loop.time()
        self._timer = self._loop.call_later(HANDSHAKE_S, self._look)
        http = self._http = Http2(client=False, window=WINDOW, streams=STREAMS, headers=HEADERS)
        http.on_headers = self._headers
        http.on_data = lambda stream, data: self._calls[stream].heard(data)
        http.on_end = lambda stream: self._calls[stream].heard_end()
        http.on_reset = self._reset
        http.on_room = lambda stream: self._calls[stream].roomy()

    @property
    def busy(self) -> bool:
        """Whether the running stream is here."""
        return any(map(self._door.runs, self._calls.values()))

    def flush(self) -> None:
        """Send what has been said, if it is not sent soon anyway."""
        if self._transport is not None and not self._reading and not self._closed:
            data = self._http.outgoing()
            if data and not self._transport.is_closing():  # for asyncio warns of who writes on after an end
                self._transport.write(data)

    def credit(self) -> None:
        """An answer has come."""
        self._allowance.add(CREDIT)

    def close(self) -> None:
        """End it in good order, once everything has been sent."""
        self._http.go_away(frames.NO_ERROR, "")
        self.flush()
        self._end(at_once=False)
        self._lose_calls()

    def abort(self) -> None:
        """End it at once."""
        self._end(at_once=True)

    # -- from the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast("asyncio.Transport", transport)
        if self._closed:
            self._transport.abort()
        else:
            self.flush()

    def get_buffer(self, sizehint: int) -> memoryview:
        """See asyncio."""
        del sizehint
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """See asyncio."""
        if self._closed:  # TLS goes on reading for a while, and so does who has been told of an error
            self._unheard += nbytes
            if self._unheard > WINDOW:
                self.abort()
            return
        http, before = self._http, self._http.arrived
        self._reading = True
        try:
            http.receive(bytes(self._buffer[:nbytes]))
        except Http2Error as error:
            self._reading = False
            self._break_off(error)
            return
        finally:
            self._reading = False
        self.flush()
        if not self._allowance.spend(max(1, http.arrived - before)):
            self._door.flooded(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        del exc
        self._timer.cancel()
        self._transport = None
        self._door.left(self)
        self._lose_calls()

    def pause_writing(self) -> None:
        """See asyncio."""
        self.full = True

    def resume_writing(self) -> None:
        """See asyncio."""
        self.full = False
        for call in list(self._calls.values()):
            call.roomy()

    # -- inside

    def _headers(self, stream: HttpStream, headers: Headers) -> None:
        call = self._calls.get(stream)
        if call is None:
            call = self._calls[stream] = Call(self, self._http, stream, self._door.hearer)
        call.heard_headers(headers, self._door.method)

    def _reset(self, stream: HttpStream, code: int) -> None:
        del code
        call = self._calls.pop(stream, None)
        if call is not None:  # else it was over, and only its end was still waiting
            call.lost()

    def _look(self) -> None:
        """From time to time: close it if it says nothing, or has been without a call for so long."""
        now = self._loop.time()
        self._calls = {
            stream: call for stream, call in self._calls.items() if not (call.over and stream.done)
        }
        if any(not call.over for call in self._calls.values()):
            self._quiet_since = now
        if not self._http.greeted or now - self._quiet_since >= IDLE_S:
            self.close()
        else:
            self._timer = self._loop.call_later(HANDSHAKE_S, self._look)

    def _break_off(self, error: Http2Error) -> None:
        """Say what was wrong, and let the other end hear it: whoever is still writing when a socket is closed may lose what it has not read."""
        self._http.go_away(error.code, str(error))
        self.flush()
        transport = self._transport
        if transport is None or transport.is_closing() or not transport.can_write_eof():
            self._end(at_once=False)
        else:
            self._closed = True
            transport.write_eof()
            self._timer.cancel()
            self._timer = self._loop.call_later(HANDSHAKE_S, self.abort)
        self._lose_calls()

    def _end(self, *, at_once: bool) -> None:
        self._closed = True
        self._timer.cancel()
        if self._transport is not None:
            if at_once:
                self._transport.abort()
            else:
                self._transport.close()
                self._timer = self._loop.call_later(HANDSHAKE_S, self.abort)  # if it does not read

    def _lose_calls(self) -> None:
        for call in list(self._calls.values()):
            call.lost()

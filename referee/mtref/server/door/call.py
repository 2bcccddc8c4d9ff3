"""One call at a door: gRPC's messages in both directions, its headers and its end. What is said is `stream`'s business."""

from __future__ import annotations

from typing import Protocol

from mtref_sdk import grpcwire
from mtref_sdk.grpcwire import CompressedError, Messages, TooLongError
from mtref_sdk.http2.connection import Http2, HttpStream
from mtref_sdk.http2.headers import Headers, size

__all__ = ["HEADERS", "LONGEST", "Call", "Carrier", "Hearer"]

LONGEST = 64 * 1024
"""Bytes that a message may have; a bot's are a few for each decision."""

HEADERS = 8192
"""Bytes that the headers of a call may have, counted as HTTP/2 does."""

_BEGINNING = ((b":status", b"200"), (b"content-type", grpcwire.CONTENT_TYPE))


class Hearer(Protocol):
    """Hears what happens with calls. Every method is called from the event loop, and may use the call at once."""

    def called(self, call: Call) -> None:
        """A call has begun."""

    def said(self, call: Call, message: bytes) -> None:
        """A message has come. Say `Call.taken` when it has been dealt with: only so much may wait for that."""

    def finished(self, call: Call) -> None:
        """The bot will send no more."""

    def gone(self, call: Call) -> None:
        """The call is over, and not because `Call.end` was used."""

    def roomy(self, call: Call) -> None:
        """Everything that was written has gone out, after some of it had to wait."""


class Carrier(Protocol):
    """The connection of a call."""

    full: bool
    """Whether the socket takes no more for now."""

    def flush(self) -> None:
        """Send what has been said."""

    def credit(self) -> None:
        """A message was of use."""


class Call:
    """A call. ``over`` once it has ended, whoever ended it; then nothing is sent any more."""

    def __init__(self, carrier: Carrier, http: Http2, stream: HttpStream, hearer: Hearer) -> None:
        self._carrier, self._http, self._stream, self._hearer = carrier, http, stream, hearer
        self._messages = Messages(LONGEST)
        self._headers: dict[bytes, list[bytes]] = {}
        self._begun = self._greeted = False
        self.over = False

    def header(self, name: bytes) -> list[bytes]:
        """The values of a header of the request."""
        return self._headers.get(name, [])

    @property
    def waiting(self) -> bool:
        """Whether some of what was written could not be sent yet."""
        return self._carrier.full or bool(self._stream.waiting)

    def greet(self, *headers: tuple[bytes, bytes]) -> None:
        """Send the headers of the answer, before its first message."""
        if not self.over:
            self._greeted = True
            self._http.headers(self._stream, (*_BEGINNING, *headers))
            self._carrier.flush()

    def write(self, message: bytes) -> None:
        """Send a message; what there is no room for goes out later."""
        if not self.over:
            self._http.send(self._stream, grpcwire.packed(message))
            self._carrier.flush()

    def taken(self, message: bytes) -> None:
        """A message has been dealt with."""
        self._carrier.credit()
        self._http.taken(self._stream, len(message) + grpcwire.PREFIX)
        self._carrier.flush()

    def end(self, status: int, details: str = "") -> None:
        """End the call, after what is waiting."""
        if not self.over:
            trailers = ((b"grpc-status", b"%d" % status), (b"grpc-message", grpcwire.written(details)))
            self._close(trailers if self._greeted else (*_BEGINNING, *trailers))

    # -- from the connection

    def heard_headers(self, headers: Headers, method: bytes) -> None:
        """The request, which is for `method` if it is for anything that is here; later trailers, which say nothing."""
        if self._begun:
            return
        self._begun = True
        if size(headers) > HEADERS:
            self.end(grpcwire.RESOURCE_EXHAUSTED, f"headers of more than {HEADERS} bytes")
            return
        for name, value in headers:
            self._headers.setdefault(name, []).append(value)
        content = b"".join(self.header(b"content-type"))
        if self.header(b":method") != [b"POST"] or not content.startswith(grpcwire.CONTENT_TYPE):
            self._close(((b":status", b"415"),))
        elif self.header(b":path") != [method]:
            self.end(grpcwire.UNIMPLEMENTED, "there is no such method")
        else:
            self._hearer.called(self)

    def heard(self, data: bytes) -> None:
        """Bytes of messages."""
        try:
            for message in self._messages.feed(data):
                if self.over:
                    return
                self._hearer.said(self, message)
        except TooLongError as error:
            self._refuse(grpcwire.RESOURCE_EXHAUSTED, str(error))
        except CompressedError as error:
            self._refuse(grpcwire.UNIMPLEMENTED, str(error))

    def heard_end(self) -> None:
        """No more will come."""
        if not self.over:
            self._hearer.finished(self)

    def lost(self) -> None:
        """It was given up at the other end, or its connection is gone."""
        if not self.over:
            self.over = True
            self._hearer.gone(self)

    def roomy(self) -> None:
        """Nothing waits any more."""
        if not self.over and not self.waiting:
            self._hearer.roomy(self)

    def _refuse(self, status: int, details: str) -> None:
        if not self.over:
            self.end(status, details)
            self._hearer.gone(self)

    def _close(self, trailers: Headers) -> None:
        self.over = True
        self._http.end(self._stream, trailers)
        self._carrier.flush()

"""How gRPC puts messages and statuses on an HTTP/2 stream, for both ends of it. Pure; HTTP/2 itself is the business of `http2`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote, unquote

from mtref_sdk.errors import ProtocolError

__all__ = [
    "ALREADY_EXISTS",
    "CONTENT_TYPE",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "OK",
    "PREFIX",
    "RESOURCE_EXHAUSTED",
    "STATUSES",
    "UNAUTHENTICATED",
    "UNIMPLEMENTED",
    "CompressedError",
    "Messages",
    "TooLongError",
    "packed",
    "status_name",
    "text_of",
    "written",
]

CONTENT_TYPE: Final = b"application/grpc"

STATUSES: Final = (
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
)
"""The names of gRPC's status codes, by code."""

OK, INVALID_ARGUMENT, ALREADY_EXISTS, RESOURCE_EXHAUSTED = 0, 3, 6, 8
UNIMPLEMENTED, INTERNAL, UNAUTHENTICATED = 12, 13, 16

PREFIX: Final = 5
"""Bytes before each message: whether it is compressed, and its length in four."""


class TooLongError(ProtocolError):
    """A message is longer than is taken."""


class CompressedError(ProtocolError):
    """A message is compressed."""


def packed(message: bytes) -> bytes:
    """A serialised message as it is sent: uncompressed, its length before it."""
    return len(message).to_bytes(PREFIX, "big") + message


class Messages:
    """Puts together the messages that come in pieces. ``longest`` is how many bytes one may have, None for any number."""

    __slots__ = ("_longest", "_rest")

    def __init__(self, longest: int | None = None) -> None:
        self._longest, self._rest = longest, b""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """The messages that `data` completes, to be gone through. That raises TooLongError as soon as a length is seen that is too
        great, and CompressedError.
        """
        size = len(data) - PREFIX
        fits = self._longest is None or size <= self._longest
        if fits and not self._rest and data[:PREFIX] == size.to_bytes(PREFIX, "big", signed=True):
            return (data[PREFIX:],)  # one, as usual
        return self._messages(data)

    def _messages(self, data: bytes) -> Iterator[bytes]:
        start, end = 0, len(data)
        if self._rest:
            data = self._rest + data
            end = len(data)
        while end - start >= PREFIX:
            length = int.from_bytes(data[start + 1 : start + PREFIX], "big")
            if data[start]:
                raise CompressedError("compressed messages are not taken")
            if self._longest is not None and length > self._longest:
                raise TooLongError(f"a message has {length} bytes; at most {self._longest} are taken")
            if end - start < PREFIX + length:
                break
            start += PREFIX + length
            yield data[start - length : start]
        self._rest = data[start:]


def status_name(code: str) -> str:
    """The name of a status, given as text, as in the header ``grpc-status``."""
    known = code.isdecimal() and len(code) <= 2 and int(code) < len(STATUSES)
    return STATUSES[int(code)] if known else "UNKNOWN"


def written(text: str) -> bytes:
    """A text as the header ``grpc-message`` holds it: printable ASCII, everything else percent-encoded."""
    return quote(text, safe=" !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~").encode()


def text_of(header: str) -> str:
    """The text of a header ``grpc-message``."""
    return unquote(header, errors="replace")

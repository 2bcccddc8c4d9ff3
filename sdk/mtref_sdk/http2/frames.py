"""The frames of HTTP/2 (RFC 9113) as bytes, the numbers they are made of, and what is said of those that are wrong."""

from __future__ import annotations

from struct import Struct
from typing import Final

from mtref_sdk.errors import ProtocolError

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What a client says first."""

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE = 0, 1, 2, 3, 4, 5
PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 6, 7, 8, 9
END_STREAM = ACK = 1
END_HEADERS, PADDED, WITH_PRIORITY = 4, 8, 32

NO_ERROR, PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR = 0, 1, 3, 5, 6
REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, ENHANCE_YOUR_CALM = 7, 8, 9, 11

HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_STREAMS, INITIAL_WINDOW, MAX_FRAME, MAX_HEADERS = 1, 2, 3, 4, 5, 6

FRAME: Final = 1 << 14
"""The longest frame we take: what every end has to."""

WINDOW: Final = (1 << 16) - 1
"""So many bytes may be on their way in a fresh stream, and in a fresh connection."""

MOST: Final = (1 << 31) - 1
"""The greatest number of a stream, and the largest window."""

HEAD: Final = Struct(">HBBBI")
"""What each frame begins with: its length in three bytes, its kind, its flags, its stream."""

SETTING: Final = Struct(">HI")
WORD: Final = Struct(">I")
GO_AWAY: Final = Struct(">II")


class Http2Error(ProtocolError):
    """The other end broke the rules of HTTP/2; nothing can be made of what it sends from now on. ``code`` says how, for a goodbye."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def frame(kind: int, flags: int, number: int, payload: bytes) -> bytes:
    """A frame of the stream of this number; 0 is the connection."""
    size = len(payload)
    return HEAD.pack(size >> 8, size & 255, kind, flags, number) + payload


def unpadded(payload: bytes) -> bytes:
    """A payload without the padding that its flag says it has. Raises Http2Error."""
    if not payload or payload[0] >= len(payload):
        raise Http2Error(PROTOCOL_ERROR, "there is more padding than frame")
    return payload[1 : len(payload) - payload[0]]

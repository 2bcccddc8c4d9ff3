"""Lists of headers: put together from the frames they come in, and compressed by hpack in both directions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import hpack

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import Http2Error, unpadded

__all__ = ["HeaderReader", "Headers", "size"]

Headers = Sequence[tuple[bytes, bytes]]
"""Names and values in their order, pseudo-headers first."""

_RESIZED: Final = re.compile(rb"(?:[\x20-\x3e]|\x3f[\x80-\xff]*[\x00-\x7f]){3}", re.DOTALL)
"""Three changes of the size of the table. Two make sense (RFC 7541, 4.2); hpack would take any number."""


class HeaderReader:
    """Reads what the other end sends, up to `longest` bytes of a list, and twice as many once it is no longer compressed, so
    that there can be an answer to one that is a little too long. More would take too much time. ``unfinished`` while the next frame must go on with a list; then ``number`` is its stream and
    ``ends`` tells whether nothing follows it there.
    """

    def __init__(self, longest: int) -> None:
        self.unfinished = False
        self.number = 0
        self.ends = False
        self._block = b""
        self._longest = longest
        self._decoder = hpack.Decoder(max_header_list_size=2 * longest)

    def begin(self, flags: int, number: int, payload: bytes) -> Headers | None:
        """Read a frame of headers. The list, if that was all of it. Raises Http2Error, as `go_on` does."""
        if flags & frames.PADDED:
            payload = unpadded(payload)
        if flags & frames.WITH_PRIORITY:
            if len(payload) < 5:
                raise Http2Error(frames.FRAME_SIZE_ERROR, "headers are too short")
            payload = payload[5:]
        self.number, self.ends, self._block = number, bool(flags & frames.END_STREAM), b""
        return self.go_on(flags, payload)

    def go_on(self, flags: int, payload: bytes) -> Headers | None:
        """Read a frame that goes on with the same list."""
        self._block += payload
        if len(self._block) > self._longest:
            raise Http2Error(frames.ENHANCE_YOUR_CALM, "headers are too long")
        self.unfinished = not flags & frames.END_HEADERS
        return None if self.unfinished else self._decoded()

    def _decoded(self) -> Headers:
        if _RESIZED.match(self._block):
            raise Http2Error(frames.COMPRESSION_ERROR, "the table of headers is resized too often")
        try:
            return [
                (bytes(name), bytes(value)) for name, value in self._decoder.decode(self._block, raw=True)
            ]
        except hpack.OversizedHeaderListError as error:
            raise Http2Error(frames.ENHANCE_YOUR_CALM, "headers are too long") from error
        except hpack.HPACKError as error:
            raise Http2Error(frames.COMPRESSION_ERROR, "headers cannot be decoded") from error


def size(headers: Headers) -> int:
    """Bytes of a list, as HTTP/2 counts them."""
    return sum(len(name) + len(value) + 32 for name, value in headers)

"""What an end of HTTP/2 can be made to do by a few frames stays small, in bytes kept, bytes sent and work."""

from __future__ import annotations

import struct

import pytest

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import Http2Error, frame
from tests.sdk.http2ends import ANSWER, POST, parsed, server, settings, word


def test_tables_that_are_resized_over_and_over_leave_no_trace() -> None:
    end = server()
    for _ in range(10):
        end.http.receive(settings(*[(frames.HEADER_TABLE_SIZE, size % 2 * 4096) for size in range(2000)]))
    end.http.receive(frame(frames.HEADERS, frames.END_HEADERS, 1, POST))
    end.http.outgoing()
    end.http.headers(end.streams[1], ANSWER)
    ((_, _, _, block),) = parsed(end.http.outgoing())
    assert len(block) < 100

"""What an end of HTTP/2 can be made to do by a few frames stays small, in bytes kept, bytes sent and work."""

from __future__ import annotations

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


def headers(block: bytes) -> bytes:
    """A list of headers in as many frames as it needs."""
    pieces = [block[start : start + frames.FRAME] for start in range(0, len(block), frames.FRAME)]
    kinds = [frames.HEADERS] + [frames.CONTINUATION] * (len(pieces) - 1)
    flags = [0] * (len(pieces) - 1) + [frames.END_HEADERS]
    return b"".join(frame(*each[:2], 1, each[2]) for each in zip(kinds, flags, pieces, strict=True))


@pytest.mark.parametrize("update", [b"\x20", b"\x3f\x00", b"\x3f\x81\x00", b"\x3e"])
def test_a_list_of_headers_resizes_the_table_twice_at_most(update: bytes) -> None:
    end = server()
    end.http.receive(headers(update * 2 + POST))
    assert end.told("headers") == [("headers", 1, ((b":method", b"POST"),))]
    with pytest.raises(Http2Error) as caught:
        server().http.receive(headers(update * 3 + POST))
    assert caught.value.code == frames.COMPRESSION_ERROR


def test_each_header_counts_as_much_as_a_frame_and_each_stream_as_twenty() -> None:
    end = server()
    end.http.receive(headers(POST * 300))
    assert end.http.arrived == 1 + 1 + 300 // 16 + 300 + 20


@pytest.mark.parametrize(
    "block",
    [
        POST * 1000,
        b"\x00\x01a\x7f\x81\x7f" + b"x" * 16384,
        b"\x40\x01a\x7f\xa1\x1e" + b"x" * 4000 + b"\xbe" * 8,
    ],
    ids=["many", "long", "a bomb"],
)
def test_a_list_that_is_too_long_is_read_no_further(block: bytes) -> None:
    with pytest.raises(Http2Error) as caught:
        server().http.receive(headers(block))
    assert caught.value.code == frames.ENHANCE_YOUR_CALM


def test_each_few_bytes_that_are_no_data_count_as_much_as_a_frame() -> None:
    end = server()
    end.http.receive(settings(*[(frames.INITIAL_WINDOW, 1)] * 2000))
    assert end.http.arrived == 1 + 1 + 12_000 // 16


def test_a_list_that_is_too_long_ends_its_stream_as_grpc_understands_it() -> None:
    end = server(headers=8192)
    with pytest.raises(Http2Error):
        end.http.receive(headers(b"x" * 8193))
    assert parsed(end.http.outgoing()) == [(frames.RST_STREAM, 0, 1, b"\0\0\0\x0b")]


def test_headers_that_go_on_for_ever_are_read_no_further() -> None:
    end = server()
    more = frame(frames.CONTINUATION, 0, 1, b"\x00\x01a\x01b")
    with pytest.raises(Http2Error) as caught:
        end.http.receive(frame(frames.HEADERS, 0, 1, b"") + more * 10_000)
    assert caught.value.code == frames.ENHANCE_YOUR_CALM
    assert end.http.arrived < 4000


def test_what_waits_goes_out_byte_by_byte_if_the_other_end_wants_it_so() -> None:
    end = server()
    end.http.receive(settings((frames.INITIAL_WINDOW, 0)) + headers(POST))
    message = bytes(range(256)) * 400
    end.http.send(end.streams[1], message)
    end.http.outgoing()
    sent = b""
    for _ in range(1000):
        end.http.receive(word(frames.WINDOW_UPDATE, 1, 1))
        ((kind, _, _, data),) = parsed(end.http.outgoing())
        assert (kind, len(data)) == (frames.DATA, 1)
        sent += data
    end.http.receive(word(frames.WINDOW_UPDATE, 0, 1 << 20) + word(frames.WINDOW_UPDATE, 1, 1 << 20))
    sent += b"".join(data for kind, *_, data in parsed(end.http.outgoing()) if kind == frames.DATA)
    assert sent == message


def test_what_waits_is_not_copied_for_each_byte_that_goes_out() -> None:
    end = server()
    end.http.receive(settings((frames.INITIAL_WINDOW, 0)) + headers(POST))
    stream = end.streams[1]
    end.http.send(stream, bytes(1 << 20))
    waiting = stream.waiting
    end.http.receive(word(frames.WINDOW_UPDATE, 1, 1))
    assert stream.waiting is waiting and len(waiting) == (1 << 20) - 1

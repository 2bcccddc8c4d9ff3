"""Whatever comes at an end of HTTP/2, it raises Http2Error or nothing, and can say a goodbye afterwards."""

from __future__ import annotations

import struct

import hpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import Http2Error, frame
from tests.sdk.http2ends import HELLO, POST, REQUEST, TRAILERS, End
from tests.sdk.http2ends import settings as settings_frame

BLOCK = hpack.Encoder().encode(REQUEST)

NUMBERS = st.sampled_from([0, 1, 1, 1, 2, 3, 5, 7, 9, 11, 4, frames.MOST, 1 << 31 | 1])
SETTINGS = st.tuples(
    st.sampled_from([1, 2, 3, 4, 4, 4, 5, 6, 7, 65535]),
    st.sampled_from([0, 1, 100, 4096, 16384, 65535, 1 << 24, frames.MOST, (1 << 32) - 1]),
)
PAYLOADS = st.one_of(
    st.binary(max_size=40),
    st.just(b""),
    st.just(BLOCK),
    st.just(POST),
    st.integers(0, (1 << 32) - 1).map(lambda value: struct.pack(">I", value)),
    st.sampled_from([1, 100, 65535, frames.MOST]).map(lambda value: struct.pack(">I", value)),
    st.just(bytes(8)),
    st.lists(SETTINGS, max_size=4).map(lambda all_: b"".join(struct.pack(">HI", *each) for each in all_)),
    st.integers(0, 16384).map(bytes),
)
KINDS = st.one_of(st.integers(0, 9), st.integers(0, 255))
FLAGS = st.one_of(st.sampled_from([0, 1, 4, 5, 8, 12, 32, 36]), st.integers(0, 255))
FRAMES = st.tuples(KINDS, FLAGS, NUMBERS, PAYLOADS).map(lambda each: frame(*each))
CALL = st.sampled_from([1, 3, 5, 7, 9]).map(lambda number: frame(frames.HEADERS, 4, number, BLOCK))


def hear(end: End, data: bytes, cuts: list[int]) -> None:
    """Feed an end with pieces, have it say something in between, and take leave."""
    try:
        start = 0
        for cut in [*cuts, len(data)]:
            end.http.receive(data[start : start + cut])
            start += cut
            for stream in end.streams.values():
                end.http.send(stream, bytes(cut * 100))
            end.http.outgoing()
        end.http.receive(data[start:])
    except Http2Error as error:
        end.http.go_away(error.code, str(error))
    else:
        for stream in end.streams.values():
            end.http.end(stream, TRAILERS)
            end.http.reset(stream)
    end.http.outgoing()


def hear_all(end: End, data: bytes, size: int) -> None:
    """Feed an end with pieces of one size."""
    for start in range(0, len(data), size):
        end.http.receive(data[start : start + size])


def ends() -> list[End]:
    client = End(client=True)
    client.request()
    return [End(client=False, streams=4), client]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(FRAMES, CALL), max_size=12), st.lists(st.integers(0, 50), max_size=5))
def test_frames_at_random_are_an_error_of_http2_or_none(parts: list[bytes], cuts: list[int]) -> None:
    server, client = ends()
    hear(server, HELLO + b"".join(parts), cuts)
    hear(client, settings_frame() + b"".join(parts), cuts)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.lists(st.integers(0, 50), max_size=5))
def test_bytes_at_random_are_an_error_of_http2_or_none(data: bytes, cuts: list[int]) -> None:
    for hello in (b"", HELLO, settings_frame()):
        for end in ends():
            hear(end, hello + data, cuts)


@settings(max_examples=1000, deadline=None)
@given(st.binary(max_size=60))
@example(b"\x80")
@example(b"\x40")
@example(b"\x7f" + b"\xff" * 20)
@example(b"\x00\x81\xff\x00")
@example(b"\x3f\xe2\x1f" + b"\x82")
@example(b"\x82\x20")
def test_headers_at_random_are_an_error_of_http2_or_none(block: bytes) -> None:
    for end in ends():
        hear(end, (settings_frame() if end.streams else HELLO) + frame(frames.HEADERS, 4, 1, block), [])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GET / HTTP/1.1\r\n", 1),
        (frames.PREFACE + frame(6, 0, 0, bytes(8)), 1),
        (frames.PREFACE + settings_frame(flags=1), 1),
        (frames.PREFACE + frame(4, 0, 1, b""), 6),
        (HELLO + frame(4, 0, 0, bytes(5)), 6),
        (HELLO + frame(4, 1, 0, bytes(6)), 6),
        (HELLO + settings_frame((4, 1 << 31)), 3),
        (HELLO + settings_frame((5, 16383)), 1),
        (HELLO + settings_frame((5, 1 << 24)), 1),
        (HELLO + frame(0, 0, 0, b""), 1),
        (HELLO + frame(0, 0, 1, b""), 1),
        (HELLO + frame(1, 4, 0, POST), 1),
        (HELLO + frame(1, 4, 2, POST), 1),
        (HELLO + frame(1, 4, 1, b"\xff\xff"), 9),
        (HELLO + frame(1, 36, 1, b"\0\0\0\0"), 6),
        (HELLO + frame(1, 12, 1, b""), 1),
        (HELLO + frame(1, 12, 1, b"\5\0\0"), 1),
        (HELLO + frame(1, 0, 1, POST) + frame(0, 0, 1, b""), 1),
        (HELLO + frame(1, 0, 1, POST) + frame(9, 4, 3, b""), 1),
        (HELLO + frame(1, 0, 1, POST) + frame(99, 0, 0, b""), 1),
        (HELLO + frame(1, 0, 1, POST) + frame(1, 4, 1, POST), 1),
        (HELLO + frame(9, 4, 1, POST), 1),
        (HELLO + frame(1, 5, 1, POST) + frame(0, 0, 1, b"x"), 5),
        (HELLO + frame(1, 5, 1, POST) + frame(1, 4, 1, POST), 5),
        (HELLO + frame(1, 4, 1, POST) + frame(0, 8, 1, b""), 1),
        (HELLO + frame(1, 4, 1, POST) + frame(0, 8, 1, b"\1"), 1),
        (HELLO + frame(3, 0, 0, bytes(4)), 1),
        (HELLO + frame(3, 0, 1, bytes(4)), 1),
        (HELLO + frame(1, 4, 1, POST) + frame(3, 0, 1, bytes(3)), 6),
        (HELLO + frame(5, 4, 1, bytes(4)), 1),
        (HELLO + frame(6, 0, 0, bytes(7)), 6),
        (HELLO + frame(6, 0, 1, bytes(8)), 6),
        (HELLO + frame(7, 0, 0, bytes(7)), 6),
        (HELLO + frame(8, 0, 0, bytes(4)), 1),
        (HELLO + frame(8, 0, 0, bytes(5)), 6),
        (HELLO + frame(8, 0, 1, b"\0\0\0\1"), 1),
        (HELLO + frame(8, 0, 0, b"\x7f\xff\xff\xff"), 3),
        (HELLO + frame(1, 4, 1, POST) + frame(8, 0, 1, b"\x7f\xff\xff\xff"), 3),
        (HELLO + settings_frame((4, 1)) + frame(1, 4, 1, POST) + frame(8, 0, 1, b"\x7f\xff\xff\xff"), 3),
        (
            HELLO
            + frame(1, 4, 1, POST)
            + frame(8, 0, 1, b"\x7f\0\0\0")
            + settings_frame((4, 1 << 24 | 65535)),
            3,
        ),
        (HELLO + b"\x00\x40\x01\0\0\0\0\0\1", 6),
        (HELLO + frame(1, 4, 1, POST) + frame(0, 0, 1, bytes(16384)) * 4, 3),
    ],
)
def test_a_broken_rule_has_its_code(data: bytes, code: int) -> None:
    for size in (len(data), 7):
        end = End(client=False, keep=True)
        with pytest.raises(Http2Error) as caught:
            hear_all(end, data, size)
        assert str(caught.value) and "\n" not in str(caught.value)
        assert caught.value.code == code

"""gRPC's framing and statuses: messages in whatever pieces, what is not taken, and texts in headers."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref_sdk.errors import ProtocolError
from mtref_sdk.grpcwire import (
    STATUSES,
    CompressedError,
    Messages,
    TooLongError,
    packed,
    status_name,
    text_of,
    written,
)


def test_a_message_has_its_length_before_it() -> None:
    assert packed(b"") == bytes(5)
    assert packed(b"x" * 300) == b"\0\0\0\x01\x2c" + b"x" * 300


@given(st.lists(st.binary(max_size=50), max_size=6), st.lists(st.integers(1, 40), max_size=12))
def test_messages_are_put_together_from_whatever_pieces(whole: list[bytes], sizes: list[int]) -> None:
    data, messages, heard = b"".join(map(packed, whole)), Messages(50), []
    for size in [*sizes, len(data)]:
        heard += list(messages.feed(data[:size]))
        data = data[size:]
    heard += list(messages.feed(data))
    assert heard == whole


@pytest.mark.parametrize("length", [11, 1 << 16, (1 << 32) - 1])
def test_a_message_that_is_too_long_is_refused_before_it_has_come(length: int) -> None:
    messages, heard = Messages(10), []
    with pytest.raises(TooLongError, match=f"a message has {length} bytes; at most 10 are taken"):  # noqa: PT012
        for message in messages.feed(packed(b"x" * 10) + b"\0" + struct.pack(">I", length)):
            heard.append(message)  # noqa: PERF402 - those before the error count
    assert heard == [b"x" * 10]


def test_a_message_may_be_of_any_length_where_none_is_said() -> None:
    assert list(Messages().feed(packed(bytes(1 << 20)))) == [bytes(1 << 20)]
    assert list(Messages().feed(b"\0\xff\xff\xff\xff")) == []


@pytest.mark.parametrize("flag", [1, 2, 255])
def test_a_compressed_message_is_refused_at_its_first_bytes(flag: int) -> None:
    messages = Messages(10)
    assert list(messages.feed(bytes([flag]))) == []
    with pytest.raises(CompressedError):
        list(messages.feed(bytes(4)))


@given(st.lists(st.binary(max_size=20), max_size=8))
def test_bytes_at_random_are_messages_or_a_protocol_error(pieces: list[bytes]) -> None:
    messages = Messages(100)
    try:
        for piece in pieces:
            list(messages.feed(piece))
    except ProtocolError as error:
        assert "\n" not in str(error)  # noqa: PT017 - there may be none


def test_a_status_has_a_name_and_what_is_none_is_unknown() -> None:
    assert [status_name(str(number)) for number in range(17)] == list(STATUSES)
    assert STATUSES[0] == "OK" and STATUSES[16] == "UNAUTHENTICATED"
    for nothing in ("17", "-1", "", "OK", "1.0", "9" * 5000, "²", "\ufffd"):
        assert status_name(nothing) == "UNKNOWN"


@given(st.text())
def test_every_text_goes_through_a_header(text: str) -> None:
    header = written(text)
    assert all(0x20 <= byte < 0x7F for byte in header)
    assert text_of(header.decode("ascii")) == text


@given(st.text())
def test_every_header_is_some_text(header: str) -> None:
    assert isinstance(text_of(header), str)


def test_texts_are_written_as_grpc_does() -> None:
    assert written("a ä%\n~") == b"a %C3%A4%25%0A~"
    assert text_of("100%") == "100%" and text_of("%ff") == "\ufffd"

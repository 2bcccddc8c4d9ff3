"""HTTP/2 by itself: frames in pieces, headers, streams and their ends, as both ends see them."""

from __future__ import annotations

import struct

import pytest

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import frame
from tests.sdk.http2ends import (
    ANSWER,
    HELLO,
    POST,
    REQUEST,
    TRAILERS,
    End,
    pair,
    parsed,
    server,
    settings,
    talk,
    word,
)

CALL = frame(frames.HEADERS, frames.END_HEADERS, 1, POST)
CONVERSATION = b"".join(
    [
        HELLO,
        settings((frames.INITIAL_WINDOW, 1000), (frames.MAX_FRAME, 20000), (99, 7)),
        frame(frames.HEADERS, 0, 1, POST),
        frame(frames.CONTINUATION, 0, 1, b"\x04\x02"),
        frame(frames.CONTINUATION, frames.END_HEADERS, 1, b"/a"),
        frame(frames.DATA, frames.PADDED, 1, b"\x03abc\0\0\0"),
        frame(frames.PING, 0, 0, b"12345678"),
        frame(77, 255, 1, b"unknown"),
        frame(frames.PRIORITY, 0, 1, bytes(5)),
        word(frames.WINDOW_UPDATE, 0, 5),
        word(frames.WINDOW_UPDATE, 1, 5),
        frame(frames.DATA, frames.END_STREAM, 1, b"de"),
        frame(frames.HEADERS, 0x2D, 3, b"\x02\0\0\0\0\x10" + POST + b"\0\0"),
        frame(frames.GOAWAY, 0, 0, struct.pack(">II", 0, 2) + b"why"),
        word(frames.RST_STREAM, 1, 8),
    ]
)


def heard(pieces: list[bytes]) -> tuple[list[tuple[str, int, object]], bytes, int]:
    end = End(client=False, streams=2)
    for piece in pieces:
        end.http.receive(piece)
    return end.heard, end.http.outgoing(), end.http.arrived


def test_what_is_said_is_heard_in_order() -> None:
    told, _, arrived = heard([CONVERSATION])
    method = (b":method", b"POST")
    assert told == [
        ("headers", 1, (method, (b":path", b"/a"))),
        ("data", 1, b"abc"),
        ("data", 1, b"de"),
        ("end", 1, None),
        ("headers", 3, (method,)),
        ("end", 3, None),
        ("away", 0, 2),
        ("reset", 1, 8),
    ]
    assert arrived == 15 + 3 + 2 * 20 + 1


def test_it_does_not_matter_where_bytes_are_cut() -> None:
    whole = heard([CONVERSATION])
    for at in range(len(CONVERSATION) + 1):
        assert heard([CONVERSATION[:at], b"", CONVERSATION[at:]]) == whole
    assert heard([CONVERSATION[at : at + 1] for at in range(len(CONVERSATION))]) == whole


def test_a_call_and_its_answer() -> None:
    client, other = pair()
    stream = client.request()
    client.http.send(stream, b"question")
    talk(client, other)
    there = other.streams[1]
    other.http.headers(there, ANSWER)
    other.http.send(there, b"answer")
    talk(client, other)
    client.http.end(stream)
    talk(client, other)
    other.http.end(there, TRAILERS)
    talk(client, other)
    assert other.heard == [("headers", 1, REQUEST), ("data", 1, b"question"), ("end", 1, None)]
    assert client.heard == [
        ("headers", 1, ANSWER),
        ("data", 1, b"answer"),
        ("headers", 1, TRAILERS),
        ("end", 1, None),
    ]


def test_a_server_that_is_through_wants_to_hear_no_more() -> None:
    client, other = pair()
    stream = client.request()
    talk(client, other)
    other.http.end(other.streams[1], (*ANSWER, *TRAILERS))
    talk(client, other)
    assert client.heard == [
        ("headers", 1, (*ANSWER, *TRAILERS)),
        ("end", 1, None),
        ("reset", 1, frames.NO_ERROR),
    ]
    client.http.send(stream, b"on its way")
    other.http.receive(client.http.outgoing() + frame(frames.DATA, 0, 1, b"too late"))
    assert other.told("data", "end", "reset") == []


@pytest.mark.parametrize("who", ["client", "server"])
def test_whoever_gives_a_stream_up_hears_no_more_of_it(who: str) -> None:
    client, other = pair()
    stream = client.request()
    talk(client, other)
    there = other.streams[1]
    giver, taker = (client, other) if who == "client" else (other, client)
    giver.http.reset(stream if giver is client else there)
    giver.http.reset(stream if giver is client else there)
    crossing = (
        frame(frames.DATA, 0, 1, b"x") + word(frames.WINDOW_UPDATE, 1, 1) + word(frames.RST_STREAM, 1, 8)
    )
    giver.http.receive(crossing)
    assert giver.told("data", "reset") == []
    talk(client, other)
    assert taker.told("reset") == [("reset", 1, frames.CANCEL)]


def test_a_stream_too_many_is_refused_and_one_that_is_over_makes_room() -> None:
    end = server(streams=4)
    for number in (1, 3, 5, 7, 9):
        end.http.receive(frame(frames.HEADERS, frames.END_HEADERS, number, POST))
    assert [number for _, number, _ in end.told("headers")] == [1, 3, 5, 7]
    assert parsed(end.http.outgoing()) == [
        (frames.RST_STREAM, 0, 9, struct.pack(">I", frames.REFUSED_STREAM))
    ]
    end.http.receive(frame(frames.DATA, 0, 9, b"for nobody") + word(frames.RST_STREAM, 3, 8))
    end.http.receive(frame(frames.HEADERS, frames.END_HEADERS, 11, POST))
    assert [number for _, number, _ in end.told("headers")] == [1, 3, 5, 7, 11]
    assert end.told("data") == []


def test_a_stream_that_is_used_again_is_not_begun_again() -> None:
    end = server(streams=4)
    end.http.receive(CALL + word(frames.RST_STREAM, 1, 8) + CALL)
    assert end.told("headers") == [("headers", 1, ((b":method", b"POST"),))]


def test_headers_are_decoded_also_for_streams_that_are_over() -> None:
    """Else the table of headers would be another one from then on."""
    end = server(streams=1)
    end.http.receive(CALL + frame(frames.HEADERS, 4, 3, b"\x40\x01a\x01b"))
    end.http.receive(
        frame(frames.HEADERS, 4, 3, b"\x40\x01c\x01d") + frame(frames.HEADERS, 4, 1, b"\xbe\xbf")
    )
    assert end.told("headers")[-1] == ("headers", 1, ((b"c", b"d"), (b"a", b"b")))


def test_pings_and_settings_are_acknowledged_and_acknowledgements_are_not() -> None:
    end = server()
    end.http.receive(frame(frames.PING, 0, 0, b"12345678") + settings((frames.MAX_STREAMS, 3)))
    end.http.receive(frame(frames.PING, frames.ACK, 0, b"12345678") + settings(flags=frames.ACK))
    assert parsed(end.http.outgoing()) == [
        (frames.PING, frames.ACK, 0, b"12345678"),
        (frames.SETTINGS, frames.ACK, 0, b""),
    ]


def test_each_end_says_its_limits_first() -> None:
    client, other = (
        End(client=True, window=1 << 20),
        End(client=False, streams=4, headers=8192, window=70_000),
    )
    said = client.http.outgoing()
    assert said.startswith(frames.PREFACE)
    (_, _, _, limits), update = parsed(said.removeprefix(frames.PREFACE))
    assert dict(struct.iter_unpack(">HI", limits)) == {2: 0, 4: 1 << 20, 6: 1 << 14}
    assert update == (frames.WINDOW_UPDATE, 0, 0, struct.pack(">I", (1 << 20) - 65535))
    (_, _, _, limits), update = parsed(other.http.outgoing())
    assert dict(struct.iter_unpack(">HI", limits)) == {3: 4, 4: 70_000, 6: 8192}
    assert update == (frames.WINDOW_UPDATE, 0, 0, struct.pack(">I", 70_000 - 65535))


def test_a_goodbye_tells_the_newest_stream_and_why() -> None:
    end = server()
    end.http.receive(CALL)
    end.http.go_away(frames.ENHANCE_YOUR_CALM, "zu viel " + "ä" * 300)
    (kind, _, number, payload) = parsed(end.http.outgoing())[-1]
    assert (kind, number, payload[:8]) == (frames.GOAWAY, 0, struct.pack(">II", 1, 11))
    assert payload[8:].startswith("zu viel ä".encode()) and len(payload) <= 208

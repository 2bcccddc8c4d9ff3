"""Who may send how much: nobody sends more than the other end has room for, and all room is given back in the end."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import settings as thorough
from hypothesis import strategies as st

from mtref_sdk.http2 import frames
from mtref_sdk.http2.frames import WINDOW, frame
from tests.sdk.http2ends import ANSWER, POST, TRAILERS, End, pair, parsed, server, settings, talk, word


def called(*numbers: int, limits: bytes = b"", **how: bool | int) -> End:
    """A server with calls."""
    end = server(streams=9, **how)
    calls = [frame(frames.HEADERS, frames.END_HEADERS, number, POST) for number in numbers]
    end.http.receive(limits + b"".join(calls))
    end.http.outgoing()
    return end


def sent(end: End) -> list[int]:
    """The lengths of the frames of data that go out now."""
    return [len(payload) for kind, _, _, payload in parsed(end.http.outgoing()) if kind == frames.DATA]


def test_no_more_goes_out_than_a_stream_has_room_for() -> None:
    end = called(1, limits=settings((frames.INITIAL_WINDOW, 10)))
    end.http.send(end.streams[1], b"x" * 10)
    end.http.send(end.streams[1], b"y" * 15)
    assert sent(end) == [10]
    end.http.receive(word(frames.WINDOW_UPDATE, 1, 3))
    end.http.send(end.streams[1], b"z" * 5)
    assert sent(end) == [3]
    assert end.told("room") == []
    end.http.receive(word(frames.WINDOW_UPDATE, 1, 100))
    assert sent(end) == [17]
    assert end.told("room") == [("room", 1, None)]


def test_no_more_goes_out_than_the_connection_has_room_for() -> None:
    end = called(1, 3, limits=settings((frames.INITIAL_WINDOW, 1 << 20)))
    end.http.send(end.streams[1], bytes(WINDOW - 5))
    end.http.send(end.streams[3], bytes(10))
    assert sum(sent(end)) == WINDOW
    end.http.receive(word(frames.WINDOW_UPDATE, 3, 100))
    assert sent(end) == []
    end.http.receive(word(frames.WINDOW_UPDATE, 0, 4))
    assert sent(end) == [4]
    end.http.receive(word(frames.WINDOW_UPDATE, 0, 4))
    assert sent(end) == [1]
    assert end.told("room")[1:] == [("room", 3, None)]


def test_settings_change_the_room_of_streams_there_are_also_to_less_than_nothing() -> None:
    end = called(1, limits=settings((frames.INITIAL_WINDOW, 100)))
    end.http.send(end.streams[1], bytes(100))
    end.http.receive(settings((frames.INITIAL_WINDOW, 10)))
    assert end.streams[1].room == -90
    end.http.send(end.streams[1], bytes(20))
    end.http.receive(word(frames.WINDOW_UPDATE, 1, 90))
    assert sent(end) == [100]
    end.http.receive(word(frames.WINDOW_UPDATE, 1, 1))
    assert sent(end) == [1]
    end.http.receive(settings((frames.INITIAL_WINDOW, 0), (frames.INITIAL_WINDOW, 15)))
    assert sent(end) == [5]
    end.http.receive(settings((frames.INITIAL_WINDOW, 1000)))
    assert sent(end) == [14]


def test_the_connections_room_is_changed_by_no_setting() -> None:
    end = called(1, limits=settings((frames.INITIAL_WINDOW, 1 << 20)))
    end.http.send(end.streams[1], bytes(WINDOW + 1))
    end.http.receive(settings((frames.INITIAL_WINDOW, 1 << 21)))
    assert sum(sent(end)) == WINDOW


@pytest.mark.parametrize("longest", [16384, 40_000])
def test_no_frame_is_longer_than_the_other_end_takes(longest: int) -> None:
    end = called(1, limits=settings((frames.MAX_FRAME, longest)))
    end.http.send(end.streams[1], bytes(60_000))
    lengths = sent(end)
    assert sum(lengths) == 60_000 and max(lengths) == longest


def test_the_end_comes_after_what_waits() -> None:
    end = called(1, limits=settings((frames.INITIAL_WINDOW, 0)))
    end.http.send(end.streams[1], b"last")
    end.http.end(end.streams[1], TRAILERS)
    assert end.http.outgoing() == b""
    end.http.receive(word(frames.WINDOW_UPDATE, 1, 4))
    kinds = [(kind, flags) for kind, flags, _, _ in parsed(end.http.outgoing())]
    assert kinds == [(frames.DATA, 0), (frames.HEADERS, 5), (frames.RST_STREAM, 0)]
    assert end.told("room") == []


def test_what_waits_is_gone_with_its_stream() -> None:
    end = called(1, 3, limits=settings((frames.INITIAL_WINDOW, 0)))
    for number in (1, 3):
        end.http.send(end.streams[number], b"never")
    end.http.reset(end.streams[1])
    end.http.receive(word(frames.RST_STREAM, 3, 8))
    end.http.outgoing()
    end.http.receive(settings((frames.INITIAL_WINDOW, 100)))
    assert sent(end) == []


def theirs(end: End) -> int:
    """How much the other end believes that it may send on the connection, if it has read everything."""
    return end.http._theirs + end.http._untold


def test_room_is_told_once_half_of_it_is_used_up() -> None:
    end = called(1, keep=True)
    end.http.receive(frame(frames.DATA, 0, 1, bytes(16384)) * 3)
    assert end.http.outgoing() == b""
    end.http.taken(end.streams[1], WINDOW // 2)
    assert end.http.outgoing() == b""
    end.http.taken(end.streams[1], 1)
    half = struct.pack(">I", WINDOW // 2 + 1)
    assert parsed(end.http.outgoing()) == [
        (frames.WINDOW_UPDATE, 0, 1, half),
        (frames.WINDOW_UPDATE, 0, 0, half),
    ]


ACTS = st.one_of(
    st.tuples(st.just("data"), st.integers(0, 3), st.integers(0, 3000)),
    st.tuples(st.just("padded"), st.integers(0, 3), st.integers(0, 255)),
    st.tuples(st.just("taken"), st.integers(0, 3), st.integers(0, 3000)),
    st.tuples(st.sampled_from(["end", "reset", "server end", "server reset"]), st.integers(0, 3), st.just(0)),
)


@thorough(deadline=None)
@given(st.lists(ACTS, max_size=40))
def test_when_all_streams_are_over_all_room_has_been_given_back(acts: list[tuple[str, int, int]]) -> None:
    numbers = (1, 3, 5, 7)
    end = called(*numbers, keep=True)
    untaken = dict.fromkeys(numbers, 0)
    silent: set[int] = set()  # the client may send no more there
    for act, which, size in acts:
        number, stream = numbers[which], end.streams[numbers[which]]
        if act == "taken":
            count = min(size, untaken[number])
            untaken[number] -= count
            end.http.taken(stream, count)
        elif act == "server end" and stream.end is None and number in end.http._streams:
            end.http.end(stream, TRAILERS)
        elif act == "server reset":
            end.http.reset(stream)
        elif number not in silent and min(end.http._theirs, stream.theirs) > size + 300:
            if act == "data":
                end.http.receive(frame(frames.DATA, 0, number, bytes(size)))
                untaken[number] += size
            elif act == "padded":
                end.http.receive(
                    frame(frames.DATA, frames.PADDED, number, bytes([size]) + b"x" + bytes(size))
                )
                untaken[number] += 1
            elif act == "end":
                end.http.receive(frame(frames.DATA, frames.END_STREAM, number, b""))
                silent.add(number)
            elif act == "reset":
                end.http.receive(word(frames.RST_STREAM, number, 8))
                silent.add(number)
        on_their_way = sum(
            end.http._window - each.theirs - each.untold for each in end.http._streams.values()
        )
        assert theirs(end) == WINDOW - on_their_way
    for number in numbers:
        end.http.reset(end.streams[number])
        end.http.taken(end.streams[number], untaken[number])  # too late, and no harm
    assert theirs(end) == WINDOW
    assert end.http._theirs >= WINDOW // 2


def test_much_more_than_a_window_goes_both_ways() -> None:
    client, other = pair(window=100_000)
    stream = client.request()
    talk(client, other)
    other.http.headers(other.streams[1], ANSWER)
    for number in range(50):
        client.http.send(stream, bytes([number]) * 20_000)
        other.http.send(other.streams[1], bytes([number]) * 17_000)
        if number % 7 == 0:
            talk(client, other)
    talk(client, other)
    assert other.data(1) == b"".join(bytes([number]) * 20_000 for number in range(50))
    assert client.data(1) == b"".join(bytes([number]) * 17_000 for number in range(50))

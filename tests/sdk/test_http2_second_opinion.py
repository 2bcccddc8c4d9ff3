"""HTTP/2 against the library h2 at the other end, in both roles: whatever happens, both agree on it and on who may send how much."""

from __future__ import annotations

import h2.config
import h2.connection
import h2.events
import h2.settings
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sdk.http2ends import ANSWER, REQUEST, TRAILERS, End


class Other:
    """The end of h2. ``data`` is what it heard on each stream, ``over`` which streams it may not use any more."""

    def __init__(self, *, client: bool) -> None:
        config = h2.config.H2Configuration(client_side=client, header_encoding=None)
        self.h2 = h2.connection.H2Connection(config=config)
        self.h2.initiate_connection()
        self.data: dict[int, bytes] = {}
        self.headers: dict[int, list[tuple[tuple[bytes, bytes], ...]]] = {}
        self.ended: set[int] = set()
        self.reset: set[int] = set()
        self.closed: set[int] = set()  # what we have ended
        self.unread: dict[int, int] = {}

    def hear(self, data: bytes) -> None:
        for event in self.h2.receive_data(data):
            match event:
                case h2.events.DataReceived():
                    assert event.data is not None
                    self.data[event.stream_id] = self.data.get(event.stream_id, b"") + event.data
                    self.unread[event.stream_id] = (
                        self.unread.get(event.stream_id, 0) + event.flow_controlled_length
                    )
                case h2.events.StreamEnded():
                    assert event.stream_id is not None
                    self.ended.add(event.stream_id)
                case h2.events.StreamReset():
                    assert event.stream_id is not None
                    self.reset.add(event.stream_id)
                case (
                    h2.events.RequestReceived() | h2.events.ResponseReceived() | h2.events.TrailersReceived()
                ):
                    assert event.stream_id is not None
                    told = tuple((bytes(name), bytes(value)) for name, value in event.headers or ())
                    self.headers.setdefault(event.stream_id, []).append(told)

    def usable(self, number: int) -> bool:
        return number not in self.reset | self.closed

    def acknowledge(self, number: int) -> None:
        size = self.unread.pop(number, 0)
        if size:
            self.h2.acknowledge_received_data(size, number)


class Meeting:
    """Our end and theirs, and what each was told to send."""

    def __init__(self, *, client: bool) -> None:
        self.client = client
        self.ours = End(client=client, keep=True, **({} if client else {"streams": 3}))
        self.theirs = Other(client=not client)
        self.numbers: list[int] = []
        self.said: dict[str, dict[int, bytes]] = {"ours": {}, "theirs": {}}
        self.done: set[int] = set()  # we have ended or reset them
        self.over: set[int] = set()  # reset by whomever
        self.taken: dict[int, int] = {}
        self.window = 0
        self.carry()

    def carry(self) -> None:
        while True:
            out, back = self.ours.http.outgoing(), self.theirs.h2.data_to_send()
            if not out and not back:
                return
            self.theirs.hear(out)
            self.ours.http.receive(back)

    def limit(self, more: int) -> None:
        """h2 wants no window below nothing, where even an end of nothing is an error to it."""
        self.window += more
        self.theirs.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: self.window})
        self.carry()

    def open(self) -> None:
        if self.client:
            number = self.ours.request().number
        elif self.theirs.h2.open_outbound_streams == 3:
            return
        else:
            number = self.theirs.h2.get_next_available_stream_id()
            self.theirs.h2.send_headers(number, REQUEST)
        self.numbers.append(number)
        self.carry()
        if self.client:
            self.theirs.h2.send_headers(number, ANSWER)
        else:
            self.ours.http.headers(self.ours.streams[number], ANSWER)

    def alive(self, number: int) -> bool:
        return number not in self.over and number in self.ours.http._streams

    def we_send(self, number: int, size: int) -> None:
        if self.alive(number) and number not in self.done:
            data = bytes([number % 256]) * size
            self.ours.http.send(self.ours.streams[number], data)
            self.said["ours"][number] = self.said["ours"].get(number, b"") + data

    def they_send(self, number: int, size: int) -> None:
        if number in self.over or not self.theirs.usable(number):
            return
        size = min(size, self.theirs.h2.local_flow_control_window(number), 16384)
        padding = size % 3 * 10 if size + 40 < self.theirs.h2.local_flow_control_window(number) else None
        data = bytes([size % 256]) * size
        if size + (padding or 0) + 1 <= 16384:
            self.theirs.h2.send_data(number, data, pad_length=padding)
            self.said["theirs"][number] = self.said["theirs"].get(number, b"") + data

    def we_take(self, number: int, size: int) -> None:
        if number in self.ours.streams:
            left = len(self.ours.data(number)) - self.taken.get(number, 0)
            self.taken[number] = self.taken.get(number, 0) + min(size, left)
            self.ours.http.taken(self.ours.streams[number], min(size, left))

    def we_end(self, number: int) -> None:
        if self.alive(number) and number not in self.done:
            self.done.add(number)
            self.ours.http.end(self.ours.streams[number], () if self.client else TRAILERS)

    def they_end(self, number: int) -> None:
        if number not in self.over and self.theirs.usable(number):
            self.theirs.closed.add(number)
            if self.client:
                self.theirs.h2.send_headers(number, TRAILERS, end_stream=True)
            else:
                self.theirs.h2.end_stream(number)

    def we_reset(self, number: int) -> None:
        if self.alive(number):
            self.over.add(number)
            self.ours.http.reset(self.ours.streams[number])

    def they_reset(self, number: int) -> None:
        if (
            number not in self.over | self.theirs.reset
            and not {number} & self.theirs.closed & self.theirs.ended
        ):
            self.over.add(number)
            self.theirs.h2.reset_stream(number, 8)
            self.theirs.reset.add(number)

    def agree(self) -> None:
        """Both know the same, whatever has been sent and not yet read."""
        http = self.ours.http
        assert http._theirs == self.theirs.h2.outbound_flow_control_window
        for number, stream in http._streams.items():
            if number in self.theirs.reset:
                continue
            if not stream.done:
                assert stream.theirs == self.theirs.h2._get_stream_by_id(number).outbound_flow_control_window
            assert self.said["theirs"].get(number, b"") == self.ours.data(number)
            waiting = len(stream.waiting)
            said = self.said["ours"].get(number, b"")
            assert said[: len(said) - waiting] == self.theirs.data.get(number, b"")


ACTS = st.tuples(
    st.sampled_from(
        [
            *("open", "carry", "limit", "we send", "they send", "we send", "they send"),
            *("we take", "they take", "we end", "they end", "we reset", "they reset"),
        ]
    ),
    st.integers(0, 4),
    st.one_of(st.integers(0, 100), st.integers(0, 40_000)),
)


def act(meeting: Meeting, what: str, which: int, size: int) -> None:
    number = meeting.numbers[-1 - which % len(meeting.numbers)] if meeting.numbers else 0
    match what:
        case "open":
            meeting.open()
        case "carry":
            meeting.carry()
            meeting.agree()
        case "limit":
            meeting.limit(size)
        case "they take" if number:
            meeting.theirs.acknowledge(number)
        case "we take" if number:
            meeting.we_take(number, size)
        case "we send" | "they send" if number:
            getattr(meeting, what.replace(" ", "_"))(number, size)
        case "we end" | "they end" | "we reset" | "they reset" if number:
            getattr(meeting, what.replace(" ", "_"))(number)
            meeting.carry()


@pytest.mark.parametrize("client", [True, False], ids=["client", "server"])
@settings(deadline=None, max_examples=150)
@given(window=st.sampled_from([0, 1, 20_000, 65_535]), acts=st.lists(ACTS, max_size=40))
def test_both_agree_on_everything(client: bool, window: int, acts: list[tuple[str, int, int]]) -> None:
    meeting = Meeting(client=client)
    meeting.limit(window)
    meeting.open()
    for each in acts:
        act(meeting, *each)
    meeting.carry()
    meeting.agree()

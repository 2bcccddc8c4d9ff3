"""Answers at several tables: together where they are made at once, and on their way by themselves where the bot thinks on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from mtref_sdk.crowd import Crowd


class Written:
    """Keeps what is written; `came` is set whenever something is."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.came = Event()

    def write(self, *messages: bytes) -> None:
        self.messages += messages
        self.came.set()


@pytest.fixture(autouse=True)
def switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_an_answer_is_sent_though_nobody_sends_it() -> None:
    stream = Written()
    crowd = Crowd(stream)
    for answer in (b"a", b"b", b"c"):
        stream.came.clear()
        crowd.add(answer)
        assert stream.came.wait(30)
    assert stream.messages == [b"a", b"b", b"c"]


def test_answers_that_are_sent_are_sent_once_in_their_order_and_nothing_is_no_message() -> None:
    stream = Written()
    crowd = Crowd(stream)
    crowd.flush()
    assert stream.messages == []
    for number in range(20_000):
        crowd.add(number.to_bytes(2, "big"))
        if number % 7 == 0:
            crowd.flush()
    crowd.flush()
    crowd.flush()
    assert b"".join(stream.messages) == b"".join(number.to_bytes(2, "big") for number in range(20_000))
    assert all(stream.messages)


def test_flush_waits_for_what_is_being_sent() -> None:
    """Else what is said next might be read before it."""
    began, goes_on = Event(), Event()

    class Slow(Written):
        def write(self, *messages: bytes) -> None:
            began.set()
            goes_on.wait(30)
            super().write(*messages)

    stream = Slow()
    crowd = Crowd(stream)
    crowd.add(b"first")
    assert began.wait(30)
    crowd.add(b"second")
    flushing = Thread(target=crowd.flush)
    flushing.start()
    assert stream.messages == []
    goes_on.set()
    flushing.join(30)
    assert stream.messages == [b"first", b"second"]

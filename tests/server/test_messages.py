"""What is written by hand for every decision is what protobuf would have written."""

from __future__ import annotations

import pytest
from google.protobuf.message import DecodeError
from hypothesis import example, given
from hypothesis import strategies as st

from mtref.match.question import Ask
from mtref.server.byhand import decision_bytes, read_answers, update_bytes
from mtref.server.messages import ask_of, view_update_bytes
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.books import Books
from mtref_sdk.errors import ProtocolError
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import preset
from mtref_sdk.varint import varint, varints
from mtref_sdk.view import view_fields

CODES = st.integers(0, 65_536)
NUMBERS = st.integers(0, 2**32 - 1)
ASKS = st.builds(
    Ask,
    id=st.integers(1, 2**64 - 1),
    seat=st.just(1),
    legal=st.lists(CODES, min_size=1).map(tuple),
    may_lift=st.lists(CODES).map(tuple),
    move_ms=st.none() | st.integers(0, 10**9).map(float),
    bank_ms=st.none() | st.integers(0, 10**9).map(float),
)


def decision(ask: Ask) -> pb.Decision:
    return pb.Decision(
        id=ask.id,
        legal=ask.legal,
        may_lift=ask.may_lift,
        move_ms=None if ask.move_ms is None else int(ask.move_ms),
        bank_ms=None if ask.bank_ms is None else int(ask.bank_ms),
    )


@given(ASKS)
def test_a_decision_is_what_protobuf_makes_of_it(ask: Ask) -> None:
    written = decision_bytes(ask)
    assert written == decision(ask).SerializeToString()
    read = ask_of(written, 1)
    assert (read.seat, decision_bytes(read)) == (1, written)


@given(st.integers(1, 2**32 - 1), st.lists(NUMBERS), st.none() | ASKS)
def test_an_update_is_what_protobuf_makes_of_it(number: int, news: list[int], ask: Ask | None) -> None:
    asked = None if ask is None else decision(ask)
    message = pb.FromReferee(updates=[pb.TableUpdate(table=number, events=news, decision=asked)])
    written = update_bytes(number, varints(news), None if ask is None else decision_bytes(ask))
    assert written == message.SerializeToString()


@given(st.integers(1, 2**32 - 1), ASKS)
def test_an_update_with_a_view_is_what_protobuf_makes_of_it(number: int, ask: Ask) -> None:
    observation = Observation.of(Books(preset("playboard"), 4, 1))
    view = pb.View(**view_fields(observation))
    update = pb.TableUpdate(table=number, decision=decision(ask), view=view)
    written = view_update_bytes(number, observation, decision_bytes(ask))
    assert pb.FromReferee.FromString(written) == pb.FromReferee(updates=[update])


@given(st.integers(0, 2**64 - 1))
def test_a_number_is_written_as_protobuf_reads_it(number: int) -> None:
    answer = pb.Answer()
    answer.MergeFromString(b"\x08" + varint(number % 2**32))
    assert answer.table == number % 2**32


def written(tag: int, number: int) -> bytes:
    return bytes([tag]) + varint(number)


PARTS = st.one_of(
    st.sampled_from([0x08, 0x18]).flatmap(lambda tag: NUMBERS.map(lambda number: written(tag, number))),
    st.binary(min_size=8, max_size=8).map(lambda number: b"\x11" + number),
    st.sampled_from([0x08, 0x18, 0x20, 0x10]).flatmap(
        lambda tag: st.integers(0, 2**64 - 1).map(lambda number: written(tag, number))
    ),
    st.binary(max_size=12),
)
ANSWERS = st.lists(PARTS, max_size=4).map(
    lambda parts: b"\x12" + varint(len(b"".join(parts))) + b"".join(parts)
)
MESSAGES = st.lists(ANSWERS | st.binary(max_size=6), max_size=4).map(b"".join)


@given(st.lists(st.tuples(NUMBERS, st.integers(0, 2**64 - 1), NUMBERS), min_size=1))
def test_the_answers_that_protobuf_writes_are_read(answers: list[tuple[int, int, int]]) -> None:
    parts = [pb.Answer(table=table, decision=decision, move=move) for table, decision, move in answers]
    assert read_answers(pb.FromBot(answers=parts).SerializeToString()) == answers


@given(MESSAGES)
@example(b"\x12\x00")  # an answer that says nothing, which is all zeros
@example(b"\x12\x06\x08\x81\x80\x80\x80\x00")  # a number with more bytes than it needs
@example(b"\x12\x06\x08\xff\xff\xff\xff\x7f")  # more bits than there are
@example(b"\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
@example(b"\x12\x09\x11\xff\xff\xff\xff\xff\xff\xff\xff")
@example(b"\x12\x08\x11\xff\xff\xff\xff\xff\xff\xff\xff")  # cut short
@example(b"\x12\x04\x08\x01\x08\x02")  # twice: the last one counts
@example(b"\x12\x81\x00\x00")  # a length with more bytes than it needs
@example(b"\x12")
@example(b"\x12\x02\x08")
@example(b"\x12\x02\x08\x80")
def test_a_message_is_read_as_protobuf_reads_it(data: bytes) -> None:
    try:
        message = pb.FromBot.FromString(data)
    except DecodeError:
        message = pb.FromBot()
    if message.HasField("hello") or not message.answers:
        with pytest.raises(ProtocolError):
            read_answers(data)
    else:
        assert read_answers(data) == [(each.table, each.decision, each.move) for each in message.answers]

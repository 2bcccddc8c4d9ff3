"""Messages of the referee are read as protobuf reads them, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.decision import Clock
from mtref_sdk.errors import ProtocolError
from mtref_sdk.incoming import other_parts, read_decision, read_update, split
from mtref_sdk.varint import numbers, varint, varints
from tests.sdk.scripted import asking, finished, table_start

NUMBERS = st.integers(0, 2**32 - 1) | st.integers(0, 300)
SEVERAL = st.lists(NUMBERS, max_size=60)
TIMES = st.none() | NUMBERS
DECISIONS = st.builds(
    pb.Decision,
    id=st.integers(0, 2**64 - 1),
    legal=SEVERAL,
    may_lift=SEVERAL,
    move_ms=TIMES,
    bank_ms=TIMES,
)
UPDATES = st.builds(
    pb.TableUpdate,
    table=NUMBERS,
    events=SEVERAL,
    decision=st.none() | DECISIONS,
    view=st.none() | st.builds(pb.View, round=NUMBERS, hand=SEVERAL),
)
MESSAGES = st.builds(
    pb.FromReferee,
    welcome=st.none() | st.builds(pb.Welcome, tables=NUMBERS),
    starts=st.lists(NUMBERS.map(lambda table: pb.TableStart(table=table, rules="{}")), max_size=2),
    updates=st.lists(UPDATES, max_size=4),
    ends=st.lists(st.builds(pb.TableEnd, table=NUMBERS, totals=SEVERAL), max_size=2),
)
UNKNOWN = [
    varint(99 << 3) + b"\x05",
    varint(15 << 3 | 2) + b"\x03new",
    varint(12 << 3 | 1) + bytes(8),
    varint(13 << 3 | 5) + bytes(4),
    varint(14 << 3 | 3) + b"\x08\x01" + varint(14 << 3 | 4),
]
"""Fields of a later version: a number, text, 64 and 32 bits, a group."""


def _times(asked: pb.Decision) -> tuple[int | None, int | None]:
    return (
        asked.move_ms if asked.HasField("move_ms") else None,
        asked.bank_ms if asked.HasField("bank_ms") else None,
    )


def plain(message: pb.FromReferee) -> object:
    """What a message says to a bot that asked for events."""
    message.DiscardUnknownFields()
    updates = [
        (
            update.table,
            list(update.events),
            (
                update.decision.id,
                list(update.decision.legal),
                list(update.decision.may_lift),
                *_times(update.decision),
            )
            if update.HasField("decision")
            else None,
        )
        for update in message.updates
    ]
    return message.welcome, list(message.starts), updates, list(message.ends), list(message.faults)


def read(data: bytes) -> pb.FromReferee:
    """The same message as it is read here."""
    updates, rest = split(data)
    message = other_parts(rest)
    assert not message.updates
    for update in updates:
        table, events, decision = read_update(update)
        anew = message.updates.add(table=table, events=numbers(events))
        if decision is not None:
            identity, legal, may_lift, clock = read_decision(decision)
            anew.decision.CopyFrom(
                pb.Decision(id=int.from_bytes(identity, "little"), legal=legal, may_lift=may_lift)
            )
            times = anew.decision
            for field in ("move_ms", "bank_ms"):
                if pb.Decision.FromString(decision).HasField(field):
                    setattr(times, field, getattr(pb.Decision.FromString(decision), field))
            assert clock == Clock.of_ms(*_times(times))
    return message


@given(MESSAGES)
def test_messages_say_what_protobuf_says_they_say(message: pb.FromReferee) -> None:
    assert plain(read(message.SerializeToString())) == plain(message)


@given(MESSAGES, st.sampled_from(UNKNOWN))
def test_what_a_later_version_adds_is_skipped(message: pb.FromReferee, unknown: bytes) -> None:
    update = pb.TableUpdate(table=3, events=[1, 2])
    asked = pb.Decision(id=5, legal=[66], move_ms=7).SerializeToString()
    told = update.SerializeToString() + b"\x1a" + varint(len(asked + unknown)) + asked + unknown + unknown
    data = unknown + message.SerializeToString() + unknown + b"\x1a" + varint(len(told)) + told
    update.decision.MergeFromString(asked)
    message.updates.append(update)
    assert plain(read(data)) == plain(message)


@pytest.mark.parametrize(
    "update",
    [
        b"\x12\x02\x01\x02\x08\x05\x12\x01\x03",  # events in two pieces, and the table between
        b"\x10\x01\x10\x02\x10\x03\x08\x05",  # one by one
        b"\x08\x04\x08\x05\x12\x03\x01\x02\x03",  # the table twice
        b"\x08\x85\x80\x80\x80\x80\x80\x00\x12\x83\x00\x01\x02\x03",  # longer than needed
    ],
)
def test_fields_may_come_in_any_order_and_in_pieces(update: bytes) -> None:
    table, events, decision = read_update(update)
    assert (table, numbers(events), decision) == (5, [1, 2, 3], None)


@pytest.mark.parametrize(
    "decision",
    [
        b"\x20\x07\x12\x02\x42\x44\x1a\x01\x42" + b"\x09" + bytes([5, *bytes(7)]),  # the id last
        b"\x09"
        + bytes([5, *bytes(7)])
        + b"\x12\x01\x42\x12\x01\x44\x1a\x01\x42\x20\x07",  # moves in two pieces
        b"\x09" + bytes([5, *bytes(7)]) + b"\x10\x42\x10\x44\x18\x42\x20\x07",  # one by one
        b"\x09" + bytes([5, *bytes(7)]) + b"\x20\x08\x20\x07\x12\x02\x42\x44\x1a\x01\x42",  # a time twice
    ],
)
def test_so_may_those_of_a_decision(decision: bytes) -> None:
    assert read_decision(decision) == (bytes([5, *bytes(7)]), [66, 68], [66], Clock.of_ms(7, None))


def test_a_decision_in_two_pieces_is_one() -> None:
    _, _, decision = read_update(b"\x08\x05\x1a\x02\x20\x07\x1a\x03\x12\x01\x42")
    assert decision is not None
    assert read_decision(decision) == (bytes(8), [66], [], Clock.of_ms(7, None))


@given(MESSAGES, st.data())
def test_what_is_cut_short_or_changed_is_refused_where_protobuf_refuses_it(
    message: pb.FromReferee, data: st.DataObject
) -> None:
    whole = bytearray(message.SerializeToString())
    if whole:
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    try:
        meant = pb.FromReferee.FromString(cut)
    except Exception:  # noqa: BLE001 - of several kinds, by version
        with pytest.raises(ProtocolError):
            read(cut)
    else:
        assert plain(read(cut)) == plain(meant)


@pytest.mark.parametrize("cut", [b"\x80", b"\x01\x80", b"\xff" * 20])
def test_numbers_that_are_cut_short_are_refused(cut: bytes) -> None:
    with pytest.raises(ProtocolError, match="cut short"):
        numbers(cut)


@given(SEVERAL)
def test_numbers_are_read_as_they_were_written(some: list[int]) -> None:
    assert numbers(varints(some)) == some


def test_the_usual_way_needs_no_protobuf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would be slow."""
    message = pb.FromReferee(updates=[asking(1, 7), asking(2, 8)])
    more = pb.FromReferee(starts=[table_start(3)], ends=[finished(1)])

    def never(*_: object) -> bytes:
        raise AssertionError("written anew")

    monkeypatch.setattr("mtref_sdk.incoming._usual", never)
    assert plain(read(message.SerializeToString())) == plain(message)
    both = pb.FromReferee.FromString(more.SerializeToString() + message.SerializeToString())
    assert plain(read(more.SerializeToString() + message.SerializeToString())) == plain(both)

"""Packed events: every kind goes there and back, what is hidden looks alike, and garbage is refused."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref_sdk import events
from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.errors import ProtocolError
from mtref_sdk.events import Event
from mtref_sdk.tiles import Tile
from mtref_sdk.wire import EVENT_KINDS, HIDDEN, pack, split, unpack
from tests.sdk.packed_events import EVENTS, events_of


@pytest.mark.parametrize("kind", EVENT_KINDS, ids=lambda kind: kind.name)
@given(data=st.data())
def test_every_kind_of_event_survives_packing(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events_of(kind))
    assert unpack(pack(event)) == [event]


@given(st.lists(EVENTS, max_size=8))
def test_events_follow_each_other_without_a_mark(told: list[Event]) -> None:
    packed = [number for event in told for number in pack(event)]
    assert unpack(packed) == told
    assert [kind for kind, _ in split(packed)] == [1 + EVENT_KINDS.index(type(event)) for event in told]


@given(EVENTS)
def test_packed_events_are_numbers_that_fit_a_uint32(event: Event) -> None:
    assert unpack(pb.TableUpdate(events=pack(event)).events) == [event]


def test_the_layouts_are_those_the_protocol_documents() -> None:
    told: list[tuple[Event, list[int]]] = [
        (events.RoundStarted(2, 11, 1, (15, 15), 60), [1, 7, 2, 11, 1, 2, 15, 15, 60]),
        (events.HandDealt(1, (Tile(0, 0), Tile(3, 9))), [2, 4, 1, 2, 0, 105]),
        (events.HandDealt(1, None), [2, 2, 1, HIDDEN]),
        (events.EngineLaid(Tile(12, 12), None), [5, 2, 396, 0]),
        (events.EngineLaid(Tile(12, 12), 0), [5, 2, 396, 1]),
        (events.TilePlayed(1, Tile(3, 9), "m1", 9), [7, 4, 1, 105, 10, 9]),
        (events.TileDrawn(1, None), [8, 2, 1, HIDDEN]),
        (events.DoubleSatisfied("0", 1), [16, 2, 0, 1]),
        (events.RoundEnded("went_out", 1, (7, 0), (9, 3)), [19, 8, 0, 2, 2, 7, 0, 2, 9, 3]),
        (events.RoundEnded("blocked", None, (7, 1), (9, 4)), [19, 8, 1, 0, 2, 7, 1, 2, 9, 4]),
        (events.GameEnded((9, 3), (2, 1)), [20, 6, 2, 9, 3, 2, 2, 1]),
    ]
    for event, packed in told:
        assert pack(event) == packed


def test_the_proto_names_every_kind_with_its_number() -> None:
    named = {kind.name: number for number, kind in enumerate(get_args(Event), start=1)}
    assert {
        name.removeprefix("EVENT_KIND_").lower(): number for name, number in pb.EventKind.items() if number
    } == named


def test_what_is_hidden_takes_the_same_bytes_whatever_it_hides() -> None:
    drawn = events.TileDrawn(0, Tile(0, 0)), events.TileDrawn(0, None)
    found = events.EngineSearchDrawn(0, Tile(18, 18)), events.EngineSearchDrawn(0, None)
    assert len({len(pack(event)) for event in drawn}) == 1
    assert len({len(pack(event)) for event in found}) == 1
    assert len({len(pack(events.HandDealt(seat, None))) for seat in range(10)}) == 1


def test_a_kind_of_a_later_version_is_skipped() -> None:
    assert unpack([63, 2, 1, 2, *pack(events.TurnStarted(3))]) == [events.TurnStarted(3)]


def test_numbers_a_later_version_adds_to_a_kind_are_skipped() -> None:
    kind, count, seat = pack(events.TurnStarted(3))
    assert unpack([kind, count + 2, seat, 7, 7, *pack(events.TurnPassed(3))]) == [
        events.TurnStarted(3),
        events.TurnPassed(3),
    ]


@given(EVENTS, st.data())
def test_an_event_cut_short_is_refused(event: Event, data: st.DataObject) -> None:
    packed = pack(event)
    length = data.draw(st.integers(1, len(packed) - 1))
    with pytest.raises(ProtocolError):
        unpack(packed[:length])


@pytest.mark.parametrize(
    "packed",
    [
        [7, 4, 1, HIDDEN, 10, 9],  # a played tile is never hidden
        [7, 4, 1, 105, 28, 9],  # no such train
        [7, 3, 1, 105, 10],  # a number is missing
        [2, 3, 1, 2, 105],  # a tile is missing
        [2, 2, 1, 500],  # a list longer than a set
        [5, 2, 396, 11],  # no such seat
        [19, 6, 2, 0, 1, 7, 1, 9],  # no such way to end
    ],
)
def test_numbers_that_are_no_event_are_refused(packed: list[int]) -> None:
    with pytest.raises(ProtocolError):
        unpack(packed)


@given(st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 30), max_size=40))
def test_whatever_arrives_is_events_or_a_protocol_error(numbers: list[int]) -> None:
    with suppress(ProtocolError):
        assert len(unpack(numbers)) <= len(numbers)


def test_kinds_are_numbered_from_one_without_gaps() -> None:
    numbers = sorted(number for number in pb.EventKind.values())
    assert numbers[0] == 0
    assert all(after - before == 1 for before, after in pairwise(numbers))

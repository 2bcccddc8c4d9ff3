"""What each seat has heard is its own projection of every event, between any two moments."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mtref.match.hearing import Hearing
from mtref.rules.projection import project
from mtref_sdk.events import Event
from mtref_sdk.varint import numbers
from mtref_sdk.wire import unpack
from tests.replay.any_event import events

SEATS = 3


@given(st.lists(events(), max_size=30), st.data())
def test_a_seat_hears_its_projection_of_every_event_and_no_more(
    happened: list[Event], data: st.DataObject
) -> None:
    hearing = Hearing(SEATS)
    places = [0]
    for event in happened:
        hearing.add(event)
        places.append(len(hearing))
    first = data.draw(st.integers(0, len(happened)))
    last = data.draw(st.integers(first, len(happened)))
    for seat in range(SEATS):
        told = [project(event, seat) for event in happened]
        assert unpack(numbers(hearing.of(seat))) == [event for event in told if event is not None]
        between = hearing.of(seat, places[first], places[last])
        assert unpack(numbers(between)) == [event for event in told[first:last] if event is not None]

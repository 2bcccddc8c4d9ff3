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


@given(st.lists(st.tuples(events(), st.sampled_from([None, *range(SEATS)])), max_size=30))
def test_the_news_of_a_seat_are_what_it_heard_since_the_last_ones(
    steps: list[tuple[Event, int | None]],
) -> None:
    hearing = Hearing(SEATS)
    told = [0] * SEATS
    for event, seat in [*steps, *((None, seat) for seat in range(SEATS))]:
        if event is not None:
            hearing.add(event)
        if seat is not None:
            assert hearing.take_news(seat) == hearing.of(seat, told[seat])
            assert hearing.take_news(seat) == b""
            told[seat] = len(hearing)


@given(st.lists(events(), min_size=1, max_size=10), st.lists(events(), max_size=10))
def test_a_seat_that_has_left_hears_on_but_has_no_news(before: list[Event], after: list[Event]) -> None:
    hearing, whole = Hearing(SEATS), Hearing(SEATS)
    hearing.add_all(before)
    hearing.leave(1)
    hearing.leave(1)
    hearing.add_all(after)
    whole.add_all([*before, *after])
    assert hearing.take_news(1) == b""
    assert hearing.of(1) == whole.of(1)
    assert hearing.take_news(2) == whole.of(2)

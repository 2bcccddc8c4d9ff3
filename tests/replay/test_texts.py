"""The text of events and decisions, written straight, is the text their dictionaries give."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mtref.replay.encode import compact, meaning
from mtref.replay.leftout import key_of, way_of
from mtref.replay.records import LogDecision, Record
from mtref.replay.texts import decision_texts, event_texts, meaning_text
from mtref_sdk.eventdict import event_to_dict
from mtref_sdk.events import Event
from mtref_sdk.moves import STOP_CODE, TRAINS, move_code
from mtref_sdk.tiles import TILE_BY_CODE
from tests.replay.any_event import events

_MOVES = st.just(STOP_CODE) | st.builds(
    move_code, st.sampled_from(list(TILE_BY_CODE)), st.integers(0, len(TRAINS) - 1)
)
_MS = st.none() | st.integers(0, 10_000) | st.floats(0, 1e9)
DECISIONS = st.builds(
    LogDecision,
    seat=st.integers(0, 9),
    legal=st.lists(_MOVES, max_size=9).map(tuple),
    may_lift=st.lists(_MOVES.map(lambda code: code | 1), max_size=3).map(tuple),
    move=_MOVES,
    by=st.sampled_from(["bot", "default", "forced"]),
    ms=_MS,
    bank_ms=_MS,
)


sorted_keys = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


@given(events() | DECISIONS)
def test_meanings_are_those_of_the_dictionaries(record: Record) -> None:
    assert meaning_text(record) == sorted_keys(meaning(record)) + "\n"


@given(events())
def test_the_line_of_an_event_is_its_dictionary_beside_its_meaning(event: Event) -> None:
    line, meant, bare, way, key = event_texts(event)
    assert (line, meant) == (compact(event_to_dict(event)) + "\n", meaning_text(event))
    assert bare == compact({"event": event.name}) + "\n"
    assert (way, key) == (way_of(type(event)), key_of(event))


@given(st.floats(0, 120) | st.integers(0, 1200).map(lambda tenths: (tenths + 0.5) / 10))
def test_times_are_rounded_as_python_rounds_them(ms: float) -> None:
    choice = LogDecision(0, (), (), STOP_CODE, ms=ms)
    assert decision_texts(choice)[0].endswith(f',"ms":{ms:.1f}}}\n')


@given(DECISIONS)
def test_the_line_of_a_decision_leaves_out_what_is_usual(choice: LogDecision) -> None:
    line, meant = decision_texts(choice, ',"bank_ms":7')
    plain = json.loads(line)
    assert line == compact(plain) + "\n" and meant == meaning_text(choice)
    assert plain.pop("t") == "decision" and plain.pop("bank_ms") == 7
    assert plain.pop("by", "bot") == choice.by
    ms = plain.pop("ms", None)
    assert (ms is None) == (choice.ms is None) and abs((ms or 0) - (choice.ms or 0)) < 0.051
    assert {"may_lift": [], "t": "decision"} | plain == meaning(choice)

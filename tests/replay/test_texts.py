"""The text of events and decisions, written straight, is the text their dictionaries give."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mtref.replay.encode import compact, meaning, record_to_dict
from mtref.replay.records import LogDecision, Record
from mtref.replay.texts import line_text, meaning_text
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


@given(events() | DECISIONS, st.integers(1, 10**6))
def test_lines_and_meanings_are_those_of_the_dictionaries(record: Record, number: int) -> None:
    assert line_text(record, number) == compact(record_to_dict(record, number))[:-1]
    sorted_keys = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
    assert meaning_text(record) == sorted_keys(meaning(record)) + "\n"

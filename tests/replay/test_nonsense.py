"""Logs that are well written but make no sense: whatever they say, showing and checking them fails in one line or not at all."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.cli.logslist import show
from mtref.replay.contrast import contrast, contrast_to_dict
from mtref.replay.difference import first_difference
from mtref.replay.find import Found, find
from mtref.replay.jsonview import objects
from mtref.replay.moment import moment_at
from mtref.replay.picture import draw
from mtref.replay.query import Query
from mtref.replay.reader import LogReader
from mtref.replay.records import Record
from mtref.replay.sight import seen_lines
from mtref.replay.story import tell
from mtref.replay.verify import verify_log
from mtref.replay.writer import LogWriter
from mtref_sdk.errors import ReplayError
from tests.replay.any_event import events
from tests.replay.games import play, short

_VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 40)
    | st.text(max_size=5)
    | st.sampled_from(["3-9", "m1", "0-0@1"])
)
_JSON = st.recursive(
    _VALUES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner)
)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    told: list[Record] = []
    play(short(), told.append, faulty=True)
    return told


def use(path: Path, seat: int | None, at: int) -> None:
    """Everything that can be done with a log; only ReplayError may come of it."""
    with contextlib.suppress(ReplayError):
        with LogReader(path) as reader:
            list(tell(seen_lines([reader.first, *reader], seat)))
        with LogReader(path) as reader:
            list(map(json.dumps, objects(seen_lines(reader, seat), reader.header.seats)))
        with LogReader(path) as reader:
            list(draw(moment_at(reader, at, seat)))
    for answer in find([path], Query()):
        if isinstance(answer, Found):
            show(answer, "text")
            show(answer, "json")
        else:
            assert len(answer.reason.splitlines()) == 1
    for other in (path, path.with_name("sense.jsonl")):
        with contextlib.suppress(ReplayError), LogReader(other) as one, LogReader(path) as two:
            found = first_difference(one, two)
            assert found is None or other != path
            if found is not None:
                json.dumps(contrast_to_dict(found, ("one", "two")))
                assert all(len(text.splitlines()) == 1 for text in contrast(found, ("one", "two")))
    with pytest.raises(ReplayError) as caught:
        verify_log(path)
    assert len(str(caught.value).splitlines()) == 1


@settings(max_examples=150)
@given(st.lists(events(), min_size=1, max_size=6), st.integers(1, 60), st.sampled_from([None, 0, 1]))
def test_events_that_cannot_happen(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[Record],
    nonsense: list[Any],
    at: int,
    seat: int | None,
) -> None:
    path = tmp_path_factory.getbasetemp() / "impossible.jsonl"
    path.unlink(missing_ok=True)
    with LogWriter(path) as sink:
        for record in [*records[:at], *nonsense, *records[at:]]:
            sink(record)
    use(path, seat, at + len(nonsense))


@settings(max_examples=150)
@given(st.data(), st.sampled_from([None, 0, 1]))
def test_lines_with_any_value_in_them(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record], data: st.DataObject, seat: int | None
) -> None:
    source = tmp_path_factory.getbasetemp() / "sense.jsonl"
    if not source.exists():
        with LogWriter(source) as sink:
            for record in records:
                sink(record)
    lines = [json.loads(line) for line in source.read_bytes().splitlines()]
    at = data.draw(st.one_of(st.just(0), st.integers(0, len(lines) - 1)))
    changed = lines[at]
    if at == 0 and data.draw(st.booleans()):
        changed = changed["rules"]
    key = data.draw(st.sampled_from(sorted(changed)))
    changed[key] = data.draw(_JSON.filter(lambda value: value != changed[key]))
    path = tmp_path_factory.getbasetemp() / "nonsense.jsonl"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    use(path, seat, data.draw(st.integers(1, len(lines))))

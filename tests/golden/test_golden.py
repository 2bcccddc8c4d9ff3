"""Logs of every released format go on being read, shown and verified. How they are made: `tests.golden.make`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from mtref.replay.difference import first_difference
from mtref.replay.find import Found, find
from mtref.replay.jsonview import objects
from mtref.replay.moment import moment_at
from mtref.replay.picture import draw
from mtref.replay.query import Query
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import FORMAT, LogEnd
from mtref.replay.sight import seen_lines
from mtref.replay.story import tell
from mtref.replay.verify import verify_log
from mtref_sdk.ruleset import PRESET_NAMES

LOGS = sorted(Path(__file__).parent.glob("*/*.jsonl*"))
WHOLE = [path for path in LOGS if path.name != "broken-off.jsonl"]


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def test_the_current_format_has_a_log_of_every_preset() -> None:
    current = {path.name.split(".")[0] for path in LOGS if path.parent.name == FORMAT.replace("/", "-")}
    assert {*PRESET_NAMES, "unrevealed", "broken-off", "branch", "placed"} <= current


@pytest.mark.parametrize("path", WHOLE, ids=name_of)
def test_a_golden_log_verifies(path: Path) -> None:
    found = verify_log(path)
    assert found.seed_revealed == (path.name != "unrevealed.jsonl")
    with LogReader(path) as reader:
        ends = [line.record for line in reader if isinstance(line.record, LogEnd)]
    assert [end.game_digest for end in ends] == [found.game_digest]


def test_a_golden_log_that_was_broken_off_agrees_up_to_there() -> None:
    for path in set(LOGS) - set(WHOLE):
        with pytest.raises(LogError, match="the log ends before the game does; all before it agrees"):
            verify_log(path)


@pytest.mark.parametrize("path", [path for path in WHOLE if path.parent.name != "mtref-log-1"], ids=name_of)
def test_a_game_has_the_same_digest_in_every_format(path: Path) -> None:
    assert verify_log(path).game_digest == verify_log(path.parents[1] / "mtref-log-1" / path.name).game_digest


@pytest.mark.parametrize("path", LOGS, ids=name_of)
@pytest.mark.parametrize("seat", [None, 1], ids=["everything", "seat-1"])
def test_a_golden_log_is_shown_in_every_way(path: Path, seat: int | None) -> None:
    with LogReader(path) as reader:
        assert len(list(tell(seen_lines(reader, seat)))) > 12
    with LogReader(path) as reader:
        shown = list(objects(seen_lines(reader, seat), reader.header.seats))
    assert json.loads(json.dumps(shown)) == shown
    for at in range(1, shown[-1]["n"], 29):
        with LogReader(path) as reader:
            assert list(draw(moment_at(reader, at, seat)))


def test_golden_logs_are_found_and_told_apart() -> None:
    found = [answer for answer in find(LOGS, Query()) if isinstance(answer, Found)]
    assert [answer.summary.path for answer in found] == LOGS
    assert [answer.summary.path for answer in found if answer.summary.finished] == WHOLE
    for one, two in pairwise([LOGS[0], *LOGS]):
        with LogReader(one) as first, LogReader(two) as second:
            assert (first_difference(first, second) is None) == (one == two)

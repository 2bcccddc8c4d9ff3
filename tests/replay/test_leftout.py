"""What a line leaves out because others tell it: the quick way of the writer leaves out what `Told` says, and readers put it in again."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.replay.encode import compact, record_to_dict
from mtref.replay.formats import three
from mtref.replay.formats.names import CURRENT
from mtref.replay.leftout import Told
from mtref.replay.records import LogDecision, LogEnd, LogHeader, Record
from mtref_sdk.ruleset import PRESET_NAMES
from tests.replay.any_event import events
from tests.replay.games import play, short
from tests.replay.test_texts import DECISIONS


def written(records: list[Record]) -> list[bytes]:
    return three.Writing().add(records).splitlines(keepends=True)


def written_slowly(records: list[Record]) -> list[dict[str, object]]:
    """The object of each line, made by way of dictionaries."""
    told = Told()
    lines = []
    for found in records:
        plain = record_to_dict(found, 0)
        del plain["n"]
        if isinstance(found, LogDecision):
            if found.ms is not None:
                plain["ms"] = float(f"{found.ms:.1f}")
            told.leave_out("decision", plain)
        elif "event" in plain:
            del plain["t"]
            told.leave_out(str(plain["event"]), plain)
        told.hear(found)
        lines.append(plain)
    return lines


def read(lines: list[bytes]) -> list[Record]:
    reading = CURRENT.reading()
    return [reading.record(line, number) for number, line in enumerate(lines, 1)]


def game(name: str = "playboard", seats: int = 3) -> list[Record]:
    records: list[Record] = []
    play(short(name), records.append, seats=seats)
    return records


@pytest.fixture(scope="module")
def whole() -> list[Record]:
    return game("cubano-forgetful")


def assert_written_and_read(records: list[Record]) -> None:
    lines = written(records)
    plain = [json.loads(line) for line in lines]
    for entry in plain:
        entry.pop("sum", None)
    slow = written_slowly(records)
    assert plain == slow and all(
        line.startswith(compact(entry)[:-1].encode()) for line, entry in zip(lines, slow, strict=True)
    )
    again = read(lines)
    assert written(again) == lines
    for old, new in zip(records, again, strict=True):
        if not isinstance(old, LogDecision | LogHeader | LogEnd):
            assert new == old
        elif isinstance(old, LogDecision):
            assert isinstance(new, LogDecision)
            assert (new.seat, new.legal, new.move, new.by) == (old.seat, old.legal, old.move, old.by)


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_a_game_is_written_as_told_and_read_again(name: str) -> None:
    records: list[Record] = []
    play(short(name), records.append, seats=short(name).seats[0])
    assert_written_and_read(records)


@settings(max_examples=150)
@given(st.data())
def test_so_is_what_can_never_happen(whole: list[Record], data: st.DataObject) -> None:
    """A game with pieces taken out, put twice or put in from nowhere: nearly everything is told wrongly or not at all."""
    header, *records = [found for found in whole if not isinstance(found, LogEnd)]
    for _ in range(data.draw(st.integers(1, 12))):
        begin = data.draw(st.integers(0, len(records) - 1))
        end = data.draw(st.integers(begin, min(begin + 9, len(records))))
        other = data.draw(
            st.just([]) | st.just(records[begin:end] * 2) | st.lists(events() | DECISIONS, max_size=5)
        )
        records[begin:end] = other
    records = [found for found in records if not isinstance(found, LogDecision) or _fits_a_log(found)]
    assert_written_and_read([header, *records])


def _fits_a_log(choice: LogDecision) -> bool:
    """A bank of nothing is told in every log; another that is the same when rounded is not what was written."""
    return choice.bank_ms is None or choice.bank_ms == round(choice.bank_ms, 3)


def test_nearly_every_event_of_a_game_tells_only_its_name() -> None:
    records = game()
    names = Counter(type(found).__name__ for found in records)
    bare: Counter[str] = Counter()
    for found, line in zip(records, written(records), strict=True):
        plain = json.loads(line)
        plain.pop("sum", None)
        bare[type(found).__name__] += plain.keys() == {"event"}
    assert bare["TurnStarted"] == names["TurnStarted"] > 9
    assert bare["TilePlayed"] == names["TilePlayed"] > 9
    assert bare["TileDrawn"] == names["TileDrawn"] > 0
    assert bare["MarkerRaised"] == names["MarkerRaised"] > 0


def test_a_boneyard_in_which_the_engine_was_looked_for_still_tells_what_is_drawn() -> None:
    lines = [json.loads(line) for line in written(game("cubano-holder"))]
    drawn = [line for line in lines if line.get("event") == "tile_drawn"]
    assert drawn and not any("tile" in line for line in drawn)

"""What a seat is told again: questions as they came, and faults in the messages in which it heard of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from mtref.match.fault import FaultKind
from mtref.match.retelling import Retelling, Told
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import LogDecision, LogFault, LogHeader, Record
from mtref.replay.writer import LogWriter
from mtref_sdk.events import Event
from mtref_sdk.wire import unpack
from tests.replay.games import play, short, summed_anew

SEAT = 0


def written(path: Path, change: dict[int, list[LogFault]]) -> Path:
    """A game of two seats, with these faults before its decisions with these numbers (from 1)."""
    records: list[Record] = []
    play(short(), records.append)
    count = 0
    with LogWriter(path) as sink:
        for record in records:
            if isinstance(record, LogDecision):
                count += 1
                for fault in change.get(count, []):
                    sink(fault)
            sink(record)
    return path


def told(path: Path) -> Iterator[Told]:
    with LogReader(path) as reader:
        retelling = Retelling(reader, SEAT)
    yield from retelling.told()


def decisions(path: Path) -> list[LogDecision]:
    with LogReader(path) as reader:
        return [line.record for line in reader if isinstance(line.record, LogDecision)]


def number_of(path: Path, *, own: bool) -> int:
    """The number of a decision of the seat, or of the other one, that one of the other kind follows."""
    seats = [made.seat for made in decisions(path)]
    return next(
        number
        for number, (one, two) in enumerate(pairwise(seats), 1)
        if number > 4 and (one == SEAT) is own and one != two
    )


def test_everything_the_seat_heard_is_told_between_its_questions(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {})
    steps = list(told(path))
    asked = [step.question.made for step in steps if step.question]
    assert asked == [made for made in decisions(path) if made.seat == SEAT]
    assert [step.over for step in steps] == [False] * len(asked) + [True]
    assert len({step.question.ask.id for step in steps if step.question}) == len(asked)


def test_the_fault_of_an_answer_is_told_after_its_question_and_about_it(tmp_path: Path) -> None:
    number = number_of(written(tmp_path / "a.jsonl", {}), own=True)
    fault = LogFault(SEAT, "illegal_move", "no", "default_move")
    steps = list(told(written(tmp_path / "b.jsonl", {number: [fault]})))
    place = next(place for place, step in enumerate(steps) if step.faults)
    question = steps[place - 1].question
    assert question is not None
    assert steps[place].faults == ((question.ask.id, FaultKind.ILLEGAL_MOVE, "no"),)
    assert sum(len(step.faults) for step in steps) == 1


def test_a_fault_while_another_seat_chose_is_told_at_once_and_about_nothing(tmp_path: Path) -> None:
    number = number_of(written(tmp_path / "a.jsonl", {}), own=False)
    fault = LogFault(SEAT, "stale_reply", "late", "counted")
    steps = list(told(written(tmp_path / "b.jsonl", {number: [fault]})))
    (step,) = [step for step in steps if step.faults]
    assert step == Told(((0, FaultKind.STALE_REPLY, "late"),))


def test_faults_of_others_are_not_told(tmp_path: Path) -> None:
    faults = {number: [LogFault(1, "illegal_move", "secret", "default_move")] for number in range(1, 9)}
    assert not [step for step in told(written(tmp_path / "a.jsonl", faults)) if step.faults]


def test_a_forfeit_is_the_last_that_a_seat_is_told(tmp_path: Path) -> None:
    number = number_of(written(tmp_path / "a.jsonl", {}), own=True)
    path = written(tmp_path / "b.jsonl", {number: [LogFault(SEAT, "crash", "gone", "forfeit")]})
    steps = list(told(path))
    assert steps[-1].over and [step.over for step in steps].count(True) == 1
    asked = [step for step in steps if step.question]
    assert len(asked) == [made.seat for made in decisions(path)[:number]].count(SEAT)


def test_nothing_of_what_is_hidden_from_the_seat_is_with_it(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {})
    with LogReader(path) as reader:
        retelling = Retelling(reader, SEAT)
    for _ in retelling.told():
        pass
    heard = unpack(retelling.table.seats[SEAT].heard())
    with LogReader(path) as reader:
        events = [line.record for line in reader if isinstance(line.record, Event)]
        assert isinstance(reader.first.record, LogHeader)
    assert len(heard) == len([event for event in events if event.name != "boneyard_stacked"])
    for event in heard:
        if event.name in ("hand_dealt", "tile_drawn"):
            known = getattr(event, "tiles", None) or getattr(event, "tile", None)
            assert (known is not None) == (getattr(event, "seat", None) == SEAT)


def test_an_event_that_this_table_cannot_have_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {})
    changed = tmp_path / "b.jsonl"
    data = path.read_bytes().replace(b'"event":"turn_started"', b'"event":"turn_started","seat":9', 1)
    changed.write_bytes(summed_anew(data.splitlines()))
    with pytest.raises(LogError, match="this cannot happen after the lines before it"):
        list(told(changed))

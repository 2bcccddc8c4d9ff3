"""Moments of logs as positions: they are accepted, and what may be played in them is what the log says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from mtref.explain import Inquiry, answer
from mtref.position import position_from_mapping, position_to_mapping, position_to_yaml, read_position
from mtref.replay.encode import move_text
from mtref.replay.position import position_after
from mtref.replay.reader import LogError, LogLine, LogReader
from mtref.replay.records import LogDecision
from mtref.replay.writer import LogWriter
from mtref_sdk.events import RoundEnded, TilePlayed
from mtref_sdk.ruleset import RuleSet
from tests.replay.games import play, short, write_game
from tests.rules.random_games import RULE_SETS, SEEDS

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*/*.jsonl*"))


def lines_of(path: Path) -> list[LogLine]:
    with LogReader(path) as reader:
        return [reader.first, *reader]


def inquiry_at(path: Path, number: int, seat: int | None = None) -> tuple[int, Inquiry]:
    with LogReader(path) as reader:
        line, position = position_after(reader, number, seat)
    text = position_to_yaml(position)
    assert read_position(text) == position == position_from_mapping(position_to_mapping(position))
    assert read_position(json.dumps(position_to_mapping(position))) == position
    return line, Inquiry(read_position(text))


def assert_same(inquiry: Inquiry, made: LogDecision) -> None:
    told = answer(inquiry)
    assert told["turn"] == made.seat
    assert told["legal"] == [move_text(code) for code in made.legal]
    assert told["may_lift"] == [move_text(code & ~1) for code in made.may_lift]


def next_decision(lines: list[LogLine], after: int) -> Iterator[LogDecision]:
    """The decision after line `after`, if it belongs to the same round."""
    for line in lines[after:]:
        if isinstance(line.record, RoundEnded):
            return
        if isinstance(line.record, LogDecision):
            yield line.record
            return


@settings(max_examples=8, deadline=None)
@given(RULE_SETS, SEEDS)
def test_what_may_be_played_in_the_position_of_any_moment_is_what_the_log_says(
    rules: RuleSet, seed: int
) -> None:
    rng = Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        with LogWriter(path) as sink:
            play(rules, sink, seats=rules.seats[seed % 2], seed=str(seed), faulty=bool(seed % 3))
        lines = lines_of(path)
        decisions = [line.number for line in lines if isinstance(line.record, LogDecision)]
        for number in rng.sample(decisions, min(4, len(decisions))):
            made = lines[number - 1].record
            assert isinstance(made, LogDecision)
            for eyes in (None, made.seat):
                line, inquiry = inquiry_at(path, number, eyes)
                assert line == number
                assert_same(inquiry, made)
        for number in rng.sample(range(2, len(lines) - 3), 4):
            try:
                line, inquiry = inquiry_at(path, number)
            except LogError as error:
                assert "nobody is on turn" in str(error)  # noqa: PT017 - only between rounds
                continue
            assert line >= number
            inquiry.settle()
            for made in next_decision(lines, line - 1):
                assert_same(inquiry, made)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_golden_logs_give_positions(path: Path) -> None:
    lines = lines_of(path)
    decisions = [line for line in lines if isinstance(line.record, LogDecision)]
    for line in decisions[:: max(1, len(decisions) // 5)]:
        assert isinstance(line.record, LogDecision)
        assert_same(inquiry_at(path, line.number)[1], line.record)


def test_in_the_middle_of_a_step_the_position_is_the_one_after_it(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl", seats=3)
    lines = lines_of(path)
    played = next(line.number for line in lines if isinstance(line.record, TilePlayed))
    line, inquiry = inquiry_at(path, played)
    assert line > played and not isinstance(lines[line - 1].record, TilePlayed)
    assert inquiry.position.trains != inquiry_at(path, played - 1)[1].position.trains


def test_moments_that_are_no_positions_are_refused_with_the_reason(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl", short(), seats=3)
    lines = lines_of(path)
    made = next(line for line in lines if isinstance(line.record, LogDecision))
    assert isinstance(made.record, LogDecision)
    other = (made.record.seat + 1) % 3
    with pytest.raises(LogError, match=f"seat {made.record.seat} is on turn, and seat {other} does not know"):
        inquiry_at(path, made.number, other)
    with pytest.raises(LogError, match="nobody is on turn here"):
        inquiry_at(path, len(lines))
    with pytest.raises(LogError, match="there is no such line; the last one is"):
        inquiry_at(path, len(lines) + 1)

"""Rounds played on from positions: as the game went on, with logs that verify and show no seat what it may not see."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mtref.match.branch import read_trunk
from mtref.match.entry import parse_entry
from mtref.match.inprocess import Arranged, play_in_process
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.placed import Opening, PlacedRun
from mtref.match.retelling import Retelling
from mtref.replay.formats.names import CURRENT
from mtref.replay.jsonview import objects
from mtref.replay.page.build import build
from mtref.replay.position import position_after
from mtref.replay.reader import LogError, LogLine, LogReader
from mtref.replay.records import LogDecision, LogHeader, PositionOrigin, Record
from mtref.replay.sight import seen_lines
from mtref.replay.story import tell
from mtref.replay.tape import Tape
from mtref.replay.verify import verify_log
from mtref.server.asking import ask_here
from mtref_sdk.errors import ConfigError, IllegalMoveError
from mtref_sdk.events import Event, RoundEnded
from mtref_sdk.load import load_bot
from mtref_sdk.moves import Move
from mtref_sdk.ruleset import preset

ROOT = Path(__file__).parent.parent.parent
GREEDY = ROOT / "bots/greedy.py"


def lines_of(path: Path) -> list[LogLine]:
    with LogReader(path) as reader:
        return [reader.first, *reader]


@pytest.fixture(params=["playboard", "cubano-forgetful", "dominos-cc", "traditional"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A game between bots that remember nothing."""
    path = tmp_path / "game.jsonl"
    rules = preset(request.param)
    rules = rules if rules.engine == "highest_held" else rules.with_overrides({"rounds": 3})
    entries = [parse_entry(str(GREEDY))] * rules.seats[0]
    play_in_process(MatchOptions(rules, seed="placed"), entries, LogPlace(str(path)), time.perf_counter)
    return path


def decision_of(path: Path) -> LogLine:
    """A decision with a choice, behind the middle of the game."""
    lines = lines_of(path)
    return next(
        line
        for line in lines[len(lines) * 5 // 9 :]
        if isinstance(line.record, LogDecision) and len(line.record.legal) > 1
    )


def placed(path: Path, out: Path, move: Move | None = None) -> LogLine:
    line = decision_of(path)
    assert isinstance(line.record, LogDecision)
    with LogReader(path) as reader:
        _, position = position_after(reader, line.number)
    opening = Opening(position, move or Move.from_code(line.record.move))
    opening.check()
    entries = [parse_entry(str(GREEDY))] * position.seats
    arranged = Arranged([opening.planned("x")], partial(PlacedRun, opening))
    options = MatchOptions(position.rules, seed="x")
    play_in_process(options, entries, LogPlace(str(out)), time.perf_counter, arranged=arranged)
    return line


def after(lines: list[LogLine], number: int) -> list[Record]:
    """What happened after line `number`, to the end of the round."""
    records: list[Record] = []
    for line in lines[number:]:
        if isinstance(line.record, Event):
            records.append(line.record)
        elif isinstance(line.record, LogDecision):
            records.append(replace(line.record, ms=None, bank_ms=None))
        if isinstance(line.record, RoundEnded):
            break
    return records


def test_with_the_move_that_was_played_the_round_goes_on_as_it_did(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    line = placed(game, out)
    branched = [
        found.number
        for found in lines_of(out)
        if isinstance(found.record, LogDecision) and found.record.by == "branch"
    ]
    assert len(branched) == 1
    assert after(lines_of(out), branched[0]) == after(lines_of(game), line.number)
    assert verify_log(out).seed_revealed


def test_its_log_can_be_looked_at_and_asked_again(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    placed(game, out)
    with LogReader(out) as reader:
        assert any("played on from a position by" in text for text in tell([reader.first, *reader]))
    with LogReader(out) as reader:
        assert "<svg" in build(reader) or "<script" in build(reader)
    with LogReader(out) as reader:
        tape = Tape(reader)
        assert [tape.moment(index) for index in range(0, len(tape.steps), 7)]
    with LogReader(out) as reader:
        replies = ask_here(load_bot(GREEDY), Retelling(reader, 0))
    assert [reply.question.line for reply in replies if reply.wrong] == []
    different = [reply for reply in replies if reply.question.made and reply.code != reply.question.made.move]
    assert different == []


def test_no_seat_is_shown_the_hands_of_the_position(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    placed(game, out)
    header = lines_of(out)[0].record
    assert isinstance(header, LogHeader) and isinstance(header.origin, PositionOrigin)
    with LogReader(out) as reader:
        shown = list(objects(seen_lines([reader.first, *reader], 0), reader.header.seats))
    assert "origin" not in shown[0]
    dealt = next(found for found in shown if found["event"] == "round_started")
    assert [hand is None for hand in dealt["hands"]] == [seat != 0 for seat in range(len(dealt["hands"]))]
    assert dealt["boneyard"] is None


def test_verify_compares_the_log_with_its_position(game: Path, tmp_path: Path) -> None:
    out, forged = tmp_path / "out.jsonl", tmp_path / "forged.jsonl"
    placed(game, out)

    def write(scores: int) -> None:
        writing, data = CURRENT.writing(0), b""
        for line in lines_of(out):
            record = line.record
            if isinstance(record, LogHeader) and isinstance(record.origin, PositionOrigin):
                plain = json.loads(json.dumps(record.origin.position))
                plain["scores"][0] += scores
                record = replace(record, origin=PositionOrigin(plain, record.origin.move))
            data += writing.add([record])
        forged.write_bytes(data)

    write(0)
    assert forged.read_bytes() == out.read_bytes()
    write(1)
    with pytest.raises(LogError, match="line 2: the log says"):
        verify_log(forged)


def test_a_move_that_is_not_allowed_or_a_position_with_unknown_tiles_is_refused(game: Path) -> None:
    line = decision_of(game)
    assert isinstance(line.record, LogDecision)
    with LogReader(game) as reader:
        _, position = position_after(reader, line.number)
    wrong = next(
        found.record.move
        for found in lines_of(game)
        if isinstance(found.record, LogDecision) and found.record.move not in line.record.legal
    )
    with pytest.raises(IllegalMoveError, match="legal: "):
        Opening(position, Move.from_code(wrong)).check()
    with LogReader(game) as reader:
        _, known = position_after(reader, line.number, line.record.seat)
    with pytest.raises(ConfigError, match="every tile must be known; give the tiles of seat"):
        Opening(known, Move.from_code(line.record.move)).check()


def test_a_log_that_began_with_a_position_is_branched_by_a_position_again(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    placed(game, out)
    with LogReader(out) as reader, pytest.raises(LogError, match="this game began with a position"):
        read_trunk(reader, 200, Move.from_code(0))
    placed(out, tmp_path / "again.jsonl")
    verify_log(tmp_path / "again.jsonl")

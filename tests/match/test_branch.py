"""Branches: the same game up to the move, then another one; logs like any other that name where they come from."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mtref.match.branch import read_trunk
from mtref.match.entry import parse_entry
from mtref.match.inprocess import Arranged, play_in_process
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import plan_games
from mtref.replay.formats.names import CURRENT
from mtref.replay.reader import LogError, LogLine, LogReader
from mtref.replay.records import (
    LogDecision,
    LogEnd,
    LogFault,
    LogHeader,
    Origin,
    SeedRevealed,
)
from mtref.replay.verify import verify_log
from mtref.rules import fairdeal
from mtref_sdk.errors import IllegalMoveError
from mtref_sdk.events import Event, RoundStarted
from mtref_sdk.moves import Move
from mtref_sdk.ruleset import RuleSet, preset
from tests.match.branches import ROOT, branch, choice, decisions_of, lines_of, other_move, trunk_of
from tests.replay.games import short, write_game

GOLDEN = [
    path
    for path in sorted((ROOT / "tests" / "golden").glob("*/*.jsonl*"))
    if not path.name.startswith("placed")  # which is for `mtref.match.placed`
]
BOTS = ("greedy", "planner", "random_bot")


def game(path: Path, rules: RuleSet) -> Path:
    """A game of the three bots with everything they have of chance."""
    entries = [parse_entry(str(ROOT / f"bots/{name}.py")) for name in BOTS]
    arranged = Arranged(plan_games(fairdeal.master_seed("branch"), 3, 1))
    play_in_process(MatchOptions(rules), entries, LogPlace(str(path)), time.perf_counter, arranged=arranged)
    return path


def said(line: LogLine) -> object:
    """What a line says, without times."""
    record = line.record
    return replace(record, ms=None, bank_ms=None) if isinstance(record, LogDecision) else record


def plays(lines: list[LogLine]) -> list[object]:
    return [line.record for line in lines if isinstance(line.record, Event)]


@pytest.mark.parametrize("name", ["playboard", "cubano-forgetful", "dominos-cc"])
def test_with_the_same_move_and_the_same_bots_it_is_the_same_game(tmp_path: Path, name: str) -> None:
    log = game(tmp_path / "a.jsonl", preset(name).with_overrides({"rounds": 3}))
    number, made = choice(log)
    branch(log, number, made.move, tmp_path / "b.jsonl", *BOTS)
    one, two = verify_log(log), verify_log(tmp_path / "b.jsonl")
    assert one.game_digest == two.game_digest
    assert one.game != two.game


def test_up_to_the_move_it_is_the_game_it_comes_from_and_it_says_which(tmp_path: Path) -> None:
    log, out = write_game(tmp_path / "a.jsonl.zst", short(rounds=2), seats=3), tmp_path / "b.jsonl"
    number, made = choice(log)
    code = other_move(made)
    branch(log, number, code, out)
    before, after = lines_of(log), lines_of(out)
    header = after[0].record
    assert isinstance(header, LogHeader)
    digest = hashlib.sha256(b"".join(line.data for line in before[: number - 1])).hexdigest()
    assert header.origin == Origin("test-1", digest, number, code)
    assert [said(line) for line in after[1 : number - 1]] == [said(line) for line in before[1 : number - 1]]
    assert said(after[number - 1]) == LogDecision(made.seat, made.legal, made.may_lift, code, "branch")
    assert verify_log(out).seed_revealed
    assert isinstance(after[-1].record, SeedRevealed) and after[-1].record == before[-1].record


def test_the_tiles_of_this_round_and_of_the_next_ones_are_those_of_the_game(tmp_path: Path) -> None:
    for reveal in (True, False):
        log = write_game(tmp_path / f"a{reveal}.jsonl", short(rounds=3), seats=2, reveal=reveal)
        out = tmp_path / f"b{reveal}.jsonl"
        number, made = choice(log)
        trunk = branch(log, number, other_move(made), out)
        assert trunk.origin.fresh_from is None
        assert verify_log(out).seed_revealed is reveal
        deals = [
            [
                record
                for record in plays(lines_of(path))
                if getattr(record, "name", "") in ("hand_dealt", "boneyard_stacked")
            ]
            for path in (log, out)
        ]
        assert deals[0] == deals[1]


def test_rounds_of_which_the_log_tells_nothing_are_dealt_afresh_and_it_says_so(tmp_path: Path) -> None:
    rules = short(rounds=3)
    log, out = write_game(tmp_path / "a.jsonl", rules, stop_after=9), tmp_path / "b.jsonl"
    last = lines_of(log)[-1].number
    number, made = choice(log)
    trunk = branch(log, number, other_move(made), out)
    assert trunk.origin.fresh_from == 2
    found = verify_log(out)
    assert (found.rounds, found.seed_revealed) == (3, False)
    header = lines_of(out)[0].record
    assert isinstance(header, LogHeader) and header.origin == trunk.origin
    pending = trunk_of(log, last, next(iter(_pending(log))))
    assert pending.origin.line == last + 1


def _pending(log: Path) -> tuple[int, ...]:
    """What may be played where a log breaks off, as the whole game has it."""
    whole = write_game(log.parent / "whole.jsonl", short(rounds=3))
    record = lines_of(whole)[len(lines_of(log))].record
    assert isinstance(record, LogDecision)
    return record.legal


def test_the_seed_that_was_committed_to_may_be_told_where_the_log_does_not(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", short(rounds=3), stop_after=9)
    number, made = choice(log)
    seed = fairdeal.deal_seed(fairdeal.master_seed("test"), "1")
    for known, found in ((seed, seed), (bytes(32), None)):
        with LogReader(log) as reader:
            trunk = read_trunk(reader, number, Move.from_code(made.move), known)
        assert (trunk.seed, trunk.origin.fresh_from) == (found, None if found else 2)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_every_golden_log_can_be_branched(tmp_path: Path, path: Path) -> None:
    number, made = choice(path)
    branch(path, number, other_move(made), tmp_path / "b.jsonl")
    verify_log(tmp_path / "b.jsonl")


def test_faults_of_the_game_stay_there(tmp_path: Path) -> None:
    log, out = write_game(tmp_path / "a.jsonl", seats=2, faulty=True), tmp_path / "b.jsonl"
    number, made = choice(log)
    branch(log, number, other_move(made), out)
    verify_log(out)
    assert [line for line in lines_of(log) if isinstance(line.record, LogFault)]
    assert not [line for line in lines_of(out) if isinstance(line.record, LogFault)]
    end = next(line.record for line in lines_of(out) if isinstance(line.record, LogEnd))
    assert end.faults == ({}, {})


def test_a_branch_can_be_branched(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", short(rounds=2))
    number, made = choice(log)
    branch(log, number, other_move(made), tmp_path / "b.jsonl")
    later = [line for line in decisions_of(tmp_path / "b.jsonl") if line.number > number]
    record = later[3].record
    assert isinstance(record, LogDecision)
    branch(tmp_path / "b.jsonl", later[3].number, record.legal[-1], tmp_path / "c.jsonl")
    verify_log(tmp_path / "c.jsonl")


def test_what_may_not_be_played_is_refused_with_the_reason_and_what_may(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl")
    number, made = choice(log)
    wrong = next(
        line.record.move  # type: ignore[union-attr]
        for line in decisions_of(log)
        if line.record.move not in made.legal  # type: ignore[union-attr]
    )
    with pytest.raises(IllegalMoveError, match=r"may not play .*R-.*; legal: ") as refused:
        trunk_of(log, number, wrong)
    assert refused.value.legal == tuple(str(Move(code)) for code in made.legal)


def test_a_log_that_does_not_agree_with_the_rules_is_refused(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", seats=3)
    number, made = choice(log)
    text = log.read_bytes().replace(b'"seeded":true,"commitment":"', b'"seeded":true,"commitment":"00', 1)
    changed = tmp_path / "b.jsonl"
    changed.write_bytes(text)
    with pytest.raises(LogError, match="commitment"):
        trunk_of(changed, number, made.move)
    first, writing = decisions_of(log)[1].number, CURRENT.writing(0)
    data = b""
    for line in lines_of(log):
        record = line.record
        if line.number == first and isinstance(record, LogDecision):
            record = replace(record, legal=(0,))
        data += writing.add([record])
    changed.write_bytes(data)
    with pytest.raises(LogError, match=f"line {first}: the rules do not lead to this decision"):
        trunk_of(changed, number, made.move)
    with pytest.raises(LogError, match="there is no such line"):
        trunk_of(log, 10_000, made.move)
    with pytest.raises(LogError, match="there is no decision in this line or later"):
        trunk_of(log, len(lines_of(log)), made.move)


def test_verify_finds_a_branch_that_is_none(tmp_path: Path) -> None:
    log, out = write_game(tmp_path / "a.jsonl"), tmp_path / "b.jsonl"
    number, made = choice(log)
    branch(log, number, other_move(made), out)

    def forged(change: object) -> None:
        writing = CURRENT.writing(0)
        data = [writing.add([change(line.record)]) for line in lines_of(out)]  # type: ignore[operator]
        (tmp_path / "c.jsonl").unlink(missing_ok=True)
        (tmp_path / "c.jsonl").write_bytes(b"".join(data))

    forged(lambda record: replace(record, origin=None) if isinstance(record, LogHeader) else record)
    with pytest.raises(LogError, match="the log is no branch"):
        verify_log(tmp_path / "c.jsonl")
    forged(
        lambda record: (
            replace(record, by="bot") if isinstance(record, LogDecision) and record.by == "branch" else record
        )
    )
    with pytest.raises(LogError, match="without the move by which it left its origin"):
        verify_log(tmp_path / "c.jsonl")
    forged(
        lambda record: (
            replace(record, origin=replace(record.origin, move=made.move))
            if isinstance(record, LogHeader) and record.origin
            else record
        )
    )
    with pytest.raises(LogError, match="move: the log says"):
        verify_log(tmp_path / "c.jsonl")


def test_rounds_go_on_after_the_branch(tmp_path: Path) -> None:
    log, out = write_game(tmp_path / "a.jsonl", short(rounds=3)), tmp_path / "b.jsonl"
    number, made = choice(log)
    branch(log, number, other_move(made), out)
    assert [record.round for record in plays(lines_of(out)) if isinstance(record, RoundStarted)] == [1, 2, 3]

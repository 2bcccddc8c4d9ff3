"""A log in memory, wound forth and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtref.replay.moment import Moment, moment_at
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import LogDecision, LogFault, LogHeader
from mtref.replay.tape import Tape
from mtref_sdk.events import RoundStarted, TurnStarted
from tests.replay.games import summed_anew, write_game

GOLDEN = Path(__file__).parents[1] / "golden" / "mtref-log-1"


def tape_of(path: Path) -> Tape:
    with LogReader(path) as reader:
        return Tape(reader)


def facts(moment: Moment) -> tuple[object, ...]:
    table = moment.table
    return (
        table.trains, table.marked, table.unsatisfied, table.hand_sizes, table.totals, table.turn, table.scores,
        moment.hands, moment.boneyard, moment.decision,
    )  # fmt: skip


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("name", ["cubano.jsonl.gz", "traditional.jsonl.zst", "broken-off.jsonl"])
def test_the_table_at_a_step_is_the_table_after_its_line(name: str, seat: int | None) -> None:
    tape = tape_of(GOLDEN / name)
    for index in range(0, len(tape.steps), 37):
        if isinstance(tape.steps[index].record, RoundStarted):
            continue  # its hands come with it
        with LogReader(GOLDEN / name) as reader:
            assert facts(tape.moment(index, seat)) == facts(moment_at(reader, tape.steps[index].number, seat))


def test_a_deal_is_one_step(tmp_path: Path) -> None:
    tape = tape_of(write_game(tmp_path / "game.jsonl"))
    assert isinstance(tape.steps[1].record, RoundStarted)
    moment = tape.moment(1)
    assert [len(hand or ()) for hand in moment.hands] == list(moment.table.hand_sizes)
    assert len(moment.boneyard or ()) == moment.table.boneyard
    assert tape.moment(1, 0).hands[1] is None


def test_finds_the_way_to_the_next_of_a_kind(tmp_path: Path) -> None:
    tape = tape_of(write_game(tmp_path / "game.jsonl", faulty=True))
    turn = tape.onward(0, "turn", 1)
    assert turn == 1
    for goal, kind in (("decision", LogDecision), ("fault", LogFault), ("turn", TurnStarted)):
        found = tape.onward(turn, goal, 1)  # type: ignore[arg-type]
        assert found is not None and isinstance(tape.steps[found].record, kind)
    own = tape.onward(0, "decision", 1, 1)
    assert own is not None
    record = tape.record(own, 1)
    assert isinstance(record, LogDecision) and record.seat == 1
    assert tape.onward(0, "step", -1) is None
    assert tape.at_line(4) == 1
    assert tape.at_line(10**9) == len(tape.steps) - 1
    assert tape.find(own, 1, None, lambda one: isinstance(one, LogHeader)) == 0
    assert tape.choice(own) is tape.choice(own + 1) is record
    assert tape.round_of(5) == range(1, len(tape.steps))


def test_a_log_of_nonsense_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write_game(tmp_path / "game.jsonl")
    lines = path.read_bytes().splitlines()
    lines[2] = lines[2].replace(b'"seat":0', b'"seat":9')
    path.write_bytes(summed_anew(lines))
    with pytest.raises(LogError, match="line 3"):
        tape_of(path)

"""The table of a branch up to its move: bots are asked, and the moves of the game are made whatever they do."""

from __future__ import annotations

from pathlib import Path

from mtref.match.branch import BranchRun
from mtref.match.fault import FaultKind
from mtref.match.options import MatchOptions
from mtref.replay.records import (
    BotInfo,
    LogDecision,
    LogEnd,
    LogFault,
    Record,
)
from tests.match.branches import choice, decisions_of, other_move, trunk_of
from tests.replay.games import write_game


def table_of(path: Path, records: list[Record]) -> tuple[BranchRun, int]:
    """A table of a branch of the log, just begun, and how many of its decisions are taken from there."""
    number, made = choice(path)
    trunk = trunk_of(path, number, other_move(made))
    options = MatchOptions(trunk.rules)
    bots = [BotInfo("bot", "bot")] * trunk.header.seats
    table = BranchRun(trunk, trunk.planned(), options, bots, records.extend)
    table.start()
    return table, len(trunk.decisions)


def test_what_a_bot_answers_before_the_branch_counts_for_nothing(tmp_path: Path) -> None:
    log, records = write_game(tmp_path / "a.jsonl", seats=2), list[Record]()
    table, taken = table_of(log, records)
    made = [record for record in records if isinstance(record, LogDecision)]
    for _ in range(taken):
        assert table.ask is not None
        table.answer(31 << 11, 5_000.0)  # no move at all, and late
    made = [record for record in records if isinstance(record, LogDecision)]
    before = [line.record.move for line in decisions_of(log)]  # type: ignore[union-attr]
    assert [record.move for record in made[: taken - 1]] == before[: taken - 1]
    assert made[taken - 1].by == "branch" and not [r for r in records if isinstance(r, LogFault)]
    assert [seat.clock.bank_ms for seat in table.seats] == [10_000.0] * 2
    assert [seat.decisions for seat in table.seats].count(0) == 1  # of those that count the first is out
    table.answer(31 << 11, 5.0)
    assert [record.kind for record in records if isinstance(record, LogFault)] == ["malformed_reply"]


def test_a_bot_that_dies_before_the_branch_forfeits_and_the_moves_of_the_game_are_made(
    tmp_path: Path,
) -> None:
    log, records = write_game(tmp_path / "a.jsonl", seats=2), list[Record]()
    table, taken = table_of(log, records)
    gone = next(seat.number for seat in table.seats if table.ask and table.ask.seat == seat.number)
    table.fail(gone, FaultKind.CRASH, "gone")
    while not table.finished:
        if table.ask is None:
            table.advance()
        else:
            assert table.ask.seat != gone
            table.answer(table.ask.legal[0], 1.0)
    made = [record.move for record in records if isinstance(record, LogDecision)]
    before = [line.record.move for line in decisions_of(log)]  # type: ignore[union-attr]
    assert made[: taken - 1] == before[: taken - 1]
    end = next(record for record in records if isinstance(record, LogEnd))
    assert end.faults[gone] == {"crash": 1}

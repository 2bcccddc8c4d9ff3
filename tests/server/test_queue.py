"""Whose time runs at a process that sits at several tables. Tables are letters here, times are seconds."""

from __future__ import annotations

from mtref.server.queue import DecisionQueue, Waiting


def queue(*waiting: tuple[int, str, float], allowed: float | None = 10.0) -> DecisionQueue[str]:
    """A line of decisions, each an id, a table and when it was sent."""
    line: DecisionQueue[str] = DecisionQueue()
    for number, table, sent in waiting:
        line.send(Waiting(number, table, sent, allowed))
    return line


def answered(line: DecisionQueue[str], number: int, now: float) -> tuple[str, float]:
    taken = line.answer(number, now)
    assert taken is not None
    return taken[0].table, taken[1]


def test_time_runs_from_when_a_decision_was_sent() -> None:
    assert answered(queue((1, "A", 100.0)), 1, 103.0) == ("A", 3.0)


def test_one_table_is_not_charged_for_another_before_it_in_line() -> None:
    line = queue((1, "A", 100.0), (2, "B", 100.0), (3, "C", 104.0))
    assert answered(line, 1, 107.0) == ("A", 7.0)
    assert answered(line, 2, 107.5) == ("B", 0.5)
    assert answered(line, 3, 108.0) == ("C", 0.5)


def test_only_the_first_in_line_can_be_overdue() -> None:
    line = queue((1, "A", 100.0), (2, "B", 100.0))
    assert line.deadline() == 110.0
    assert line.overdue(110.0) is None
    overdue = line.overdue(110.1)
    assert overdue is not None and overdue.table == "A"


def test_an_answer_out_of_line_does_not_give_the_first_more_time() -> None:
    line = queue((1, "A", 100.0), (2, "B", 100.0))
    answered(line, 2, 106.0)
    assert line.deadline() == 110.0
    assert answered(line, 1, 108.0) == ("A", 8.0)


def test_while_a_process_is_busy_with_an_expired_decision_other_tables_wait_for_nothing() -> None:
    line = queue((1, "A", 100.0), (2, "B", 100.0))
    expired = line.overdue(111.0)
    assert expired is not None
    expired.expired = True
    assert line.deadline() is None and line.overdue(1000.0) is None
    assert answered(line, 1, 115.0)[0] == "A"
    assert line.deadline() == 125.0
    assert answered(line, 2, 116.0) == ("B", 1.0)


def test_behind_an_expired_decision_the_time_of_its_own_table_runs() -> None:
    line = queue((1, "A", 100.0), (2, "B", 100.0))
    expired = line.overdue(111.0)
    assert expired is not None
    expired.expired = True
    line.send(Waiting(3, "A", 111.0, 5.0))
    assert line.deadline() == 116.0
    overdue = line.overdue(116.1)
    assert overdue is not None and overdue.id == 3


def test_an_answer_to_something_not_in_line_is_none() -> None:
    line = queue((1, "A", 100.0))
    assert line.answer(2, 101.0) is None
    answered(line, 1, 101.0)
    assert line.answer(1, 102.0) is None
    assert not line


def test_without_a_limit_nothing_is_ever_overdue() -> None:
    line = queue((1, "A", 100.0), allowed=None)
    assert line.deadline() is None and line.overdue(1e9) is None


def test_dropping_a_table_leaves_what_the_process_is_busy_with() -> None:
    line = queue((1, "A", 100.0), (2, "B", 100.0), (3, "A", 100.0))
    line.drop_table("A", 101.0)
    assert len(line) == 2 and line.first is not None and line.first.table == "A"
    line.drop_table("B", 101.0)
    assert len(line) == 1


def test_when_the_line_is_cleared_it_tells_whose_time_had_begun() -> None:
    line = queue((1, "A", 100.0), (2, "B", 101.0))
    assert line.clear() == {1: 100.0}
    assert not line


def test_time_that_ran_before_a_new_stream_still_counts() -> None:
    line: DecisionQueue[str] = DecisionQueue()
    line.send(Waiting(1, "A", 200.0, 10.0, repeated=True))
    line.send(Waiting(2, "A", 200.0, 10.0, since=195.0))
    answered(line, 1, 203.0)
    assert line.deadline() == 205.0
    assert answered(line, 2, 204.0) == ("A", 9.0)

"""Finding games among many logs: what a log comes to, each condition, what cannot be read, many processes."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace
from pathlib import Path

import pytest

from mtref.match.standing import places_of
from mtref.replay.find import Found, Unread, find, log_files
from mtref.replay.query import Query
from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import BotInfo, LogDecision, LogEnd, LogFault, Record, SeedRevealed
from mtref.replay.summary import LogSummary, summarize
from mtref.replay.writer import LogWriter
from mtref_sdk.events import RoundEnded
from tests.replay.games import play, short, write_game

TRIO = (
    BotInfo("greedy", "g.py", "ab" * 32),
    BotInfo("planner", "p.py", "cd" * 32),
    BotInfo("random", "r.py"),
)
NAMES = ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"]


def summary_of(path: Path) -> LogSummary:
    found = summarize(path)
    assert found is not None
    return found


def matching(path: Path, query: Query) -> tuple[int, ...]:
    answers = list(find([path], query))
    assert all(isinstance(answer, Found) for answer in answers)
    return answers[0].seats if answers and isinstance(answers[0], Found) else ()


def forfeited(record: Record) -> Record:
    """A game as `play` makes it, with its third seat's faults turned into one for which it forfeits."""
    if isinstance(record, LogFault) and record.seat == 2:
        return replace(record, kind="crash", done="forfeit")
    if isinstance(record, LogEnd):
        crashes = {"crash": sum(record.faults[2].values())}
        places = places_of(record.totals, [False, False, True])
        return replace(record, faults=(*record.faults[:2], crashes), places=places)
    return record


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    with LogWriter(path) as sink:
        play(
            short(rounds=2),
            lambda record: sink(forfeited(record)),
            seats=3,
            bots=TRIO,
            faulty=True,
            seed="find",
        )
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_log_in_short_is_what_reading_all_of_it_gives(tmp_path: Path, name: str) -> None:
    path = write_game(tmp_path / name, short(rounds=2), seats=3, bots=TRIO, faulty=True)
    found = summary_of(path)
    with LogReader(path) as reader:
        lines = list(reader)
    end = next(line.record for line in lines if isinstance(line.record, LogEnd))
    assert (found.rounds, found.finished, found.preset) == (2, True, "playboard")
    for seat in found.seats:
        made = [
            (line.record.ms, line.number)
            for line in lines
            if isinstance(line.record, LogDecision) and line.record.seat == seat.seat
        ]
        failed = [
            line.number
            for line in lines
            if isinstance(line.record, LogFault) and line.record.seat == seat.seat
        ]
        assert seat.decisions == len(made)
        assert seat.slowest_ms == max(ms for ms, _ in made if ms is not None)
        assert (seat.slowest_ms, seat.slowest_line) in made
        assert {kind: fault.times for kind, fault in seat.faults.items()} == end.faults[seat.seat]
        assert [fault.line for fault in seat.faults.values()] == failed[:1]
        assert (seat.total, seat.place) == (end.totals[seat.seat], end.places[seat.seat])
        winner = min(end.totals)
        others = [total for other, total in enumerate(end.totals) if other != seat.seat]
        assert seat.behind == (seat.total - winner if seat.place != 1 else seat.total - min(others))


def test_a_game_that_was_broken_off_has_totals_so_far_and_no_places(tmp_path: Path) -> None:
    whole = write_game(tmp_path / "a.jsonl", short(rounds=2))
    lines = whole.read_bytes().splitlines(keepends=True)
    ends = next(number for number, line in enumerate(lines) if b'"round_ended"' in line)
    path = tmp_path / "b.jsonl"
    path.write_bytes(b"".join(lines[: ends + 2]) + lines[ends + 2][:9])
    with LogReader(path) as reader:
        totals = next(line.record.totals for line in reader if isinstance(line.record, RoundEnded))
    found = summary_of(path)
    assert (found.finished, found.rounds) == (False, 1)
    assert [seat.total for seat in found.seats] == list(totals)
    assert {(seat.place, seat.behind) for seat in found.seats} == {(None, None)}
    for asks_for_a_result in (Query(place=1), Query(lost_by=0), Query(won_by=0)):
        assert matching(path, asks_for_a_result) == ()
    assert matching(path, Query(finished=False)) == (0, 1)


def test_conditions_on_the_game(log: Path) -> None:
    everybody = (0, 1, 2)
    for query in (
        Query(),
        Query(rules="play*", seats=3, rounds=2, game="find-", deal="1", finished=True),
        Query(since=log.stat().st_mtime, until=log.stat().st_mtime + 1),
    ):
        assert matching(log, query) == everybody
    for query in (
        Query(rules="play"),
        Query(seats=2),
        Query(rounds=1),
        Query(game="ind"),
        Query(deal="2"),
        Query(finished=False),
        Query(since=log.stat().st_mtime + 1),
        Query(until=log.stat().st_mtime),
    ):
        assert matching(log, query) == ()


def test_conditions_on_a_seat(log: Path) -> None:
    seats = summary_of(log).seats
    assert [seat.place for seat in seats].count(1) == 1 and seats[2].place == 3, "the test needs another seed"
    first = next(seat.seat for seat in seats if seat.place == 1)
    second = next(seat for seat in seats if seat.place == 2)
    behind = second.behind
    assert behind is not None and behind > 0
    slowest = max(seat.slowest_ms or 0 for seat in seats)
    expected: list[tuple[Query, tuple[int, ...]]] = [
        (Query(bot="greedy"), (0,)),
        (Query(bot="*r*"), (0, 1, 2)),
        (Query(bot="Greedy"), ()),
        (Query(bot="greedy", against="pl*"), (0,)),
        (Query(bot="greedy", against="greedy"), ()),
        (Query(content_hash="cd"), (1,)),
        (Query(seat=2), (2,)),
        (Query(faults=("crash",)), (2,)),
        (Query(faults=("any",)), (0, 1, 2)),
        (Query(faults=("crash", "illegal_move")), ()),
        (Query(forfeited=True), (2,)),
        (Query(place=1), (first,)),
        (Query(lost_by=behind, place=2), (second.seat,)),
        (Query(lost_by=behind + 1, place=2), ()),
        (Query(won_by=0), (first,)),
        (Query(won_by=10_000), ()),
        (Query(total_from=second.total, total_to=second.total), (second.seat,)),
        (Query(slower_than_ms=slowest), tuple(seat.seat for seat in seats if seat.slowest_ms == slowest)),
        (Query(slower_than_ms=slowest + 1), ()),
    ]
    for query, met in expected:
        assert matching(log, query) == met, query


def test_all_conditions_on_a_seat_are_met_by_the_same_one(log: Path) -> None:
    assert matching(log, Query(bot="random", forfeited=True)) == (2,)
    assert matching(log, Query(bot="greedy", forfeited=True)) == ()


def test_a_seat_that_forfeited_lost_by_what_the_highest_total_is_behind(log: Path) -> None:
    totals = [seat.total for seat in summary_of(log).seats]
    assert summary_of(log).seats[2].behind == max(totals) - min(totals[:2])


def test_more_than_the_header_is_read_only_where_it_fits(tmp_path: Path) -> None:
    header, *rest = write_game(tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "b.jsonl"
    path.write_bytes(header + b"".join(rest).replace(b'"end"', b'"END"') + b"x" * 3_000_000)
    assert list(find([path], Query(bot="nobody"))) == []
    assert [type(answer) for answer in find([path], Query())] == [Unread]


def test_a_finished_log_that_was_changed_anywhere_is_damaged(tmp_path: Path) -> None:
    data = write_game(tmp_path / "a.jsonl").read_bytes()
    path = tmp_path / "b.jsonl"
    path.write_bytes(data.replace(b'"turn_passed"', b'"turn_stopped"', 1))
    with pytest.raises(LogError, match="what stands before it was changed"):
        summarize(path)


@pytest.mark.parametrize("name", NAMES)
def test_a_line_of_nonsense_is_one_clear_error(tmp_path: Path, name: str) -> None:
    lines = write_game(tmp_path / "a.jsonl", faulty=True).read_bytes().splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if b'"fault"' in line)
    lines[number] = lines[number].replace(b'"seat":', b'"seat":7')
    path = tmp_path / f"x{name}"
    data = b"".join(lines)
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (answer,) = find([path], Query())
    assert isinstance(answer, Unread) and answer.reason == f"{path}: line {number + 1}: is damaged"


def test_folders_are_searched_for_names_of_logs_and_files_are_taken_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    names = ["b.jsonl", "a.jsonl.zst", "deep/er/c.jsonl.gz", "deep/d.jsonl.zst.partial"]
    for name in [*names, "notes.txt", "deep/e.json"]:
        (tmp_path / name).touch()
    found = list(log_files([tmp_path, tmp_path / "notes.txt"]))
    listed = ["a.jsonl.zst", "b.jsonl", "deep/d.jsonl.zst.partial", "deep/er/c.jsonl.gz", "notes.txt"]
    assert found == [tmp_path / name for name in listed]


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    assert list(log_files([tmp_path])) == [Unread(f"{tmp_path}/a.jsonl: is not a regular file")]
    assert list(log_files([tmp_path / "a.jsonl"])) == [tmp_path / "a.jsonl"]  # for logs query <(zcat …)


def test_many_logs_are_read_by_several_processes_in_the_order_of_their_paths(tmp_path: Path) -> None:
    header, *_ = write_game(tmp_path / "x.jsonl").read_bytes().splitlines(keepends=True)
    files: list[Path | Unread] = []
    for number in range(200):
        path = tmp_path / f"{number:03}.jsonl"
        path.write_bytes(header if number % 50 else b"nonsense\n")
        files.append(path)
    marks = tmp_path / "marks"
    marks.mkdir()

    def leave_a_mark() -> None:
        (marks / str(os.getpid())).touch()

    found = list(find(files, Query(finished=False), leave_a_mark))
    assert [type(answer) for answer in found] == [Found if number % 50 else Unread for number in range(200)]
    assert [answer.summary.path for answer in found if isinstance(answer, Found)] == [
        path for number, path in enumerate(files) if number % 50
    ]
    processors = len(os.sched_getaffinity(0))
    assert len(list(marks.iterdir())) == (processors if processors > 1 else 0)


def test_what_follows_the_end_changes_nothing(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl")
    with LogReader(path) as reader:
        assert isinstance(list(reader)[-1].record, SeedRevealed)
    with_seed = summary_of(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    assert replace(summary_of(path), changed=with_seed.changed) == with_seed

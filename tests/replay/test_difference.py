"""The first difference in meaning: none where only times, ids and names differ, and every other one at its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtref.replay.contrast import contrast, contrast_to_dict
from mtref.replay.difference import Difference, first_difference
from mtref.replay.digest import GameDigest
from mtref.replay.reader import LogReader
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref.replay.writer import LogWriter
from mtref_sdk import events
from tests.replay.any_event import events as any_events
from tests.replay.games import play, short, write_game

PATHS = ("one.jsonl", "two.jsonl")


@cache
def game(name: str = "playboard", seats: int = 3) -> tuple[Record, ...]:
    written: list[Record] = []
    play(short(name), written.append, seats=seats, faulty=True)
    return tuple(written)


def write(path: Path, records: tuple[Record, ...]) -> Path:
    path.unlink(missing_ok=True)
    with LogWriter(path) as sink:
        for record in records:
            sink(record)
    return path


def compare(tmp_path: Path, one: tuple[Record, ...], two: tuple[Record, ...]) -> Difference | None:
    paths = write(tmp_path / "one.jsonl", one), write(tmp_path / "two.jsonl", two)
    with LogReader(paths[0]) as first, LogReader(paths[1]) as second:
        return first_difference(first, second)


def told(tmp_path: Path, one: tuple[Record, ...], two: tuple[Record, ...]) -> list[str]:
    found = compare(tmp_path, one, two)
    assert found is not None
    json.dumps(contrast_to_dict(found, PATHS))
    return list(contrast(found, PATHS))


def digest(records: tuple[Record, ...]) -> str:
    meant = GameDigest()
    for record in records:
        meant.add(record)
    return meant.hexdigest()


def altered(record: Record, rng: Random) -> Record:
    """`record` as another run of the same game might have it: other times, ids, names, seeds, and who chose."""
    match record:
        case LogHeader():
            bots = tuple(replace(bot, name=f"x{rng.random()}", content_hash=None) for bot in record.bots)
            return replace(
                record,
                game="other",
                deal="9",
                bots=bots,
                commitment=bytes(32),
                clock=None,
                mtref="9",
                seeded=False,
            )
        case LogDecision():
            return replace(
                record, ms=rng.random() * 1000, bank_ms=None, by=rng.choice(("bot", "default", "forced"))
            )
        case LogEnd():
            return replace(record, times_ms=None, faults=({},) * len(record.faults))
        case SeedRevealed():
            return SeedRevealed(bytes(32))
        case _:
            return record


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(), name=st.sampled_from(["playboard", "cubano", "traditional"]))
def test_a_game_equals_itself_with_other_times_ids_names_and_faults(
    tmp_path: Path, seed: int, name: str
) -> None:
    rng, one = Random(seed), game(name)
    two = tuple(
        altered(record, rng) for record in one if not (isinstance(record, LogFault) and rng.random() < 0.5)
    )
    assert digest(one) == digest(two)
    assert compare(tmp_path, one, two) is None
    assert compare(tmp_path, two, one) is None


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(at=st.integers(1, 10_000), event=any_events())
def test_any_single_changed_event_is_found_where_it_is(tmp_path: Path, at: int, event: events.Event) -> None:
    one = game()
    places = [
        number for number, record in enumerate(one, 1)
        if not isinstance(record, LogHeader | LogDecision | LogFault | LogEnd | SeedRevealed)
    ]  # fmt: skip
    number = places[at % len(places)]
    two = (*one[: number - 1], event, *one[number:])
    found = compare(tmp_path, one, two)
    if one[number - 1] == event:
        assert found is None
        return
    assert found is not None and found.kind in {"event", "deal"}
    assert [line.number for line in found.lines if line] == [number, number]
    texts = list(contrast(found, PATHS))
    assert f"  mtref replay two.jsonl --at {number}" in texts
    assert all("\n" not in text for text in texts)


def changed(
    kind: type[Record], change: Callable[[Any], Record], nth: int = 3
) -> tuple[tuple[Record, ...], int]:
    """The game with its `nth` record of a kind changed, and the number of that line."""
    records = list(game())
    number = [number for number, record in enumerate(records) if isinstance(record, kind)][nth]
    records[number] = change(records[number])
    return tuple(records), number + 1


def test_a_choice(tmp_path: Path) -> None:
    choices = [record for record in game() if isinstance(record, LogDecision)]
    nth = next(number for number, record in enumerate(choices) if number > 5 and len(record.legal) > 1)
    other = next(code for code in choices[nth].legal if code != choices[nth].move & ~1)
    two, number = changed(LogDecision, lambda record: replace(record, move=other), nth)
    found = compare(tmp_path, game(), two)
    assert found is not None and found.kind == "choice"
    assert found.place.seat == choices[nth].seat and found.place.round_number == 1
    lines = told(tmp_path, game(), two)
    assert lines[0] == f"round 1, turn {found.place.turn}, seat {found.place.seat}: another move is chosen"
    assert lines[1].startswith(f"  one.jsonl, line {number}: seat {found.place.seat} chooses ")
    assert lines[3:] == ["look there:", *(f"  mtref replay {path} --at {number}" for path in PATHS)]
    turn = sum(isinstance(record, events.TurnStarted) for record in game()[:number])
    assert found.place.turn == turn


def test_what_was_allowed(tmp_path: Path) -> None:
    two, _ = changed(LogDecision, lambda record: replace(record, legal=(*record.legal, record.legal[0] + 2)))
    lines = told(tmp_path, game(), two)
    assert lines[0].endswith("other moves are allowed") and lines[1].startswith("  only in two.jsonl:")
    assert not any("only in one" in line for line in lines)


def test_who_decides(tmp_path: Path) -> None:
    two, _ = changed(LogDecision, lambda record: replace(record, seat=(record.seat + 1) % 3))
    assert told(tmp_path, game(), two)[0].endswith("not the same seat decides")
    two, number = changed(LogDecision, lambda record: events.TurnPassed(record.seat))
    lines = told(tmp_path, game(), two)
    assert (
        lines[0].endswith("not the same seat decides")
        and lines[2].endswith("passes")
        and str(number) in lines[2]
    )


def test_the_deal(tmp_path: Path) -> None:
    two, number = changed(events.HandDealt, lambda record: replace(record, tiles=record.tiles[::-1]), 1)
    lines = told(tmp_path, game(), two)
    assert lines[0] == "round 1: dealt differently"
    assert lines[1].startswith(f"  one.jsonl, line {number}: hand of seat 1: ")


def test_rules_and_seats(tmp_path: Path) -> None:
    two, _ = changed(
        LogHeader, lambda record: replace(record, rules={**record.rules, "rounds": 2, "new": "\x1b"}), 0
    )
    assert told(tmp_path, game(), two) == [
        "the games are played by different rules",
        "  rounds", "    one.jsonl: 1", "    two.jsonl: 2",
        "  new", "    one.jsonl: null", '    two.jsonl: "\\u001b"',
    ]  # fmt: skip
    two, _ = changed(LogHeader, lambda record: replace(record, rules={**record.rules, "preset": "other"}), 0)
    assert compare(tmp_path, game(), two) is None
    lines = told(tmp_path, game(), game(seats=2))
    assert lines[0] == "the games have different numbers of seats" and lines[1] == "  seats of the table"


@pytest.mark.parametrize("swapped", [False, True])
def test_a_game_that_was_broken_off_is_named(tmp_path: Path, swapped: bool) -> None:
    cut = game()[:60]
    one, two = (cut, game()) if swapped else (game(), cut)
    short_one, long_one = PATHS if swapped else PATHS[::-1]
    lines = told(tmp_path, one, two)
    assert lines[0] == f"{short_one} breaks off where {long_one} goes on; up to there they are the same"
    assert f"  {short_one}: ends after line 60" in lines
    assert f"  mtref replay {short_one} --at 60" in lines
    assert compare(tmp_path, cut, cut) is None


def test_a_result(tmp_path: Path) -> None:
    two, number = changed(LogEnd, lambda record: replace(record, places=(1, 1, 1)), 0)
    lines = told(tmp_path, game(), two)
    assert lines[0] == "the games are the same, and their results are not"
    assert lines[2].startswith(f"  two.jsonl, line {number}: totals") and "places 1 1 1," in lines[2]


def test_compressed_logs_of_two_runs_are_compared(tmp_path: Path) -> None:
    one = write_game(tmp_path / "a.jsonl.zst", seed="x")
    two = write_game(tmp_path / "b.jsonl.gz", seed="x", faulty=False)
    with LogReader(one) as first, LogReader(two) as second:
        assert first_difference(first, second) is None

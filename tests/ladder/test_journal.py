"""Nothing that was handed in is lost, and nothing is counted twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from mtref.ladder.blocks import Block
from mtref.ladder.journal import HeldError, NoJournalError, Outcome
from mtref.ladder.sqljournal import SqlJournal
from mtref_sdk.errors import ConfigError
from tests.ladder.journalplaces import Place
from tests.ladder.journals import contract, game, not_played, some_bots
from tests.ladder.ladders import make_config


def test_a_result_counts_once_however_often_it_is_handed_in(journal: SqlJournal) -> None:
    one = game(1, 1, {"a": 5, "b": 9})
    assert [journal.add(one) for _ in range(3)] == [Outcome.NEW, Outcome.KNOWN, Outcome.KNOWN]
    assert list(journal.games()) == [one]
    assert journal.conflicts() == []


def test_a_second_different_result_is_kept_apart_and_the_first_stands(journal: SqlJournal) -> None:
    first, second = game(1, 1, {"a": 5, "b": 9}), game(1, 1, {"a": 9, "b": 5}, digest="f" * 64)
    assert journal.add(first) is Outcome.NEW
    assert [journal.add(second) for _ in range(2)] == [Outcome.CONFLICT, Outcome.CONFLICT]
    assert list(journal.games()) == [first]
    [conflict] = journal.conflicts()
    assert (conflict.first, conflict.second, conflict.bots) == (first.digest, second.digest, ("a", "b"))


def test_games_come_in_an_order_that_does_not_depend_on_when_they_were_added(place: Place) -> None:
    listings = []
    for name, numbers in (("x", range(2500)), ("y", reversed(range(2500)))):
        journal = place.open(name, create=True)
        for number in numbers:
            journal.add(game(number, 1, {"a": 1, "b": 2}))
        listings.append(list(journal.games()))
        assert journal.ids() == {f"{number:064x}" for number in range(2500)}
        journal.close()
    assert listings[0] == listings[1]
    assert len(listings[0]) == 2500


def test_a_game_that_could_not_be_played_is_listed_with_its_reason_until_it_has_a_result(
    journal: SqlJournal,
) -> None:
    assert journal.add_not_played(not_played(1, 1)) == 1
    assert journal.add_not_played(not_played(1, 1, "it did again")) == 2
    [entry] = journal.not_played()
    assert (entry.attempts, entry.reason, entry.blamed) == (2, "it did again", ("a",))
    assert list(journal.games()) == [] and journal.ids() == set()
    journal.add(game(1, 1, {"a": 1, "b": 2}))
    assert journal.not_played() == []
    assert journal.add_not_played(not_played(1, 1)) == 0
    assert journal.not_played() == []


def test_seeds_stay_secret_until_they_are_revealed(journal: SqlJournal) -> None:
    journal.commit({1: "c1", 2: "c2"})
    journal.commit({2: "another", 3: "c3"})
    journal.reveal({2: "s2"})
    deals = [(deal.deal, deal.commitment, deal.seed) for deal in journal.deals()]
    assert deals == [(1, "c1", ""), (2, "c2", "s2"), (3, "c3", "")]


def test_what_was_begun_is_found_again_and_a_second_seed_is_not_taken(
    journal: SqlJournal, place: Place
) -> None:
    journal.close()
    again = place.open()
    again.begin(contract(), some_bots(3), b"x" * 32)
    assert again.master() == bytes(32)
    assert again.bots() == some_bots(3)
    assert again.contract()["seats"] == 2
    again.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("clock: {move_ms: 5}", r"clock.move_ms: was 1000.0 when the ladder began and is 5.0 now"),
        ("clock: none", r"clock: was \{.*\} when the ladder began and is null now"),
        ("faults: strict", r"faults.name: was \"lenient\""),
        ("seed: x", r"seed: was null when the ladder began and is \"x\" now"),
        ("pin: true", r"pin: was null when the ladder began and is true now"),
        ("rotation: random", r"rotation: was \"rotations\""),
        ("format: {swiss: {stages: 2}}", r"format.kind: "),
    ],
)
def test_results_under_other_settings_are_refused(journal: SqlJournal, settings: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        journal.begin(contract(make_config(3, 2, settings=settings)), some_bots(3), bytes(32))


def test_other_rules_are_refused_by_the_option_that_differs(journal: SqlJournal) -> None:
    other = contract()
    other["rules"] = {**other["rules"], "double_blank": 50}  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match=r"rules.double_blank: was 0 when the ladder began and is 50 now"):
        journal.begin(other, some_bots(3), bytes(32))


def test_what_does_not_change_results_may_change(journal: SqlJournal) -> None:
    settings = "deals: 9\nconcurrency: 4\nreuse: 3\nclock: {startup_ms: 1}"
    journal.begin(contract(make_config(3, 2, settings=settings)), some_bots(3), bytes(32))


def test_changed_new_missing_or_reordered_bots_are_refused(journal: SqlJournal) -> None:
    bots = some_bots(3)
    changed = [*bots[:2], type(bots[2])("b2", "f" * 64, None, "./b2")]
    for now, message in (
        (changed, "b2: has changed since the ladder began"),
        (some_bots(4), "b3: was not there when the ladder began"),
        (some_bots(2), "b2: took part when the ladder began and is missing"),
        (bots[::-1], "bots: stand in another order"),
        ([type(bots[0])("b0", bots[0].content, "x", ""), *bots[1:]], "b0: has another author"),
    ):
        with pytest.raises(ConfigError, match=message):
            journal.begin(contract(), now, bytes(32))


def test_a_second_runner_is_refused_while_the_first_is_at_work(journal: SqlJournal, place: Place) -> None:
    other = place.open()
    refused = pytest.raises(HeldError, match="another runner is at work here")
    with journal.hold(), refused, other.hold():
        pass
    with other.hold():
        pass
    other.close()


def test_reading_goes_on_while_a_runner_writes(journal: SqlJournal, place: Place) -> None:
    reader = place.open()
    with journal.hold():
        for number in range(3):
            journal.add(game(number, 1, {"a": 1, "b": 2}))
            assert len(list(reader.games())) == number + 1
    reader.close()


def write_for_ever(place: Place, first: int, acknowledge: int) -> None:
    """Add games, and write each number to a pipe once the journal has taken it."""
    journal = place.open()
    number = first
    while True:
        journal.add(game(number, 1, {"a": 1, "b": 2}))
        os.write(acknowledge, number.to_bytes(4, "big"))
        number += 1


def test_what_was_acknowledged_is_there_after_the_writers_were_killed(
    journal: SqlJournal, place: Place
) -> None:
    reading, writing = os.pipe()
    context = multiprocessing.get_context("spawn")
    for attempt in range(3):
        first = attempt * 10_000  # the two writers of an attempt hand in the same games
        writers = [
            context.Process(target=_writer, args=(place, first, os.getpid(), writing)) for _ in range(2)
        ]
        for writer in writers:
            writer.start()
        acknowledged = [int.from_bytes(os.read(reading, 4), "big") for _ in range(40)]
        for writer in writers:
            assert writer.pid is not None
            os.kill(writer.pid, signal.SIGKILL)
            writer.join()
        os.set_blocking(reading, False)
        while rest := _rest(reading):
            acknowledged += [int.from_bytes(rest[n : n + 4], "big") for n in range(0, len(rest), 4)]
        os.set_blocking(reading, True)
        assert {f"{number:064x}" for number in acknowledged} <= journal.ids()
    assert journal.conflicts() == []


def _writer(place: Place, first: int, parent: int, pipe: int) -> None:
    """Runs in a child: the pipe's end is borrowed from the parent's table of files."""
    with Path(f"/proc/{parent}/fd/{pipe}").open("wb", buffering=0) as file:
        write_for_ever(place, first, file.fileno())


def _rest(reading: int) -> bytes:
    try:
        return os.read(reading, 1 << 16)
    except BlockingIOError:
        return b""


def test_there_is_no_journal_before_the_first_run_and_looking_makes_none(place: Place) -> None:
    for _ in range(2):
        with pytest.raises(NoJournalError, match=r"there is no journal yet; start with: mtref ladder run"):
            place.open("never")


def test_whether_a_bot_is_deterministic_may_change_and_sums_are_made_anew(journal: SqlJournal) -> None:
    bots = journal.bots()
    assert all(bot.deterministic for bot in bots)
    claim = journal.blocks.claim([(1, 2)], 1)
    assert claim is not None
    journal.blocks.keep(claim, [Block(1, 2, 0, "{}")])
    journal.declare(bots)
    assert len(journal.blocks.kept(1)) == 1
    now = [replace(bots[0], deterministic=False), *bots[1:]]
    journal.begin(journal.contract(), now, bytes(32))
    assert journal.bots() == bots
    journal.declare(now)
    assert journal.bots() == now and journal.blocks.kept(1) == []

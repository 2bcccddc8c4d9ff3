"""What a run makes of referees that die, bots that do not start, and disks that fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.ladder.happenings import Lost, Parked, Unplayed
from mtref.ladder.parking import PARK_AFTER
from mtref.ladder.records import ATTEMPTS
from mtref.ladder.standings import standings
from mtref.ladder.tally import Tally
from mtref_sdk.errors import MtrefError
from tests.ladder.bench import Bench, planned_ids


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "ladder")
    yield bench
    bench.journal.close()


def test_a_lost_referee_is_a_reason_to_play_again_and_nobodys_fault(bench: Bench) -> None:
    bench.referees.lose = lambda game: bench.referees.attempts[game.id] < ATTEMPTS
    assert bench.run().complete
    assert set(bench.referees.attempts.values()) == {ATTEMPTS}
    assert len(bench.of(Lost)) == 36 * (ATTEMPTS - 1)
    assert bench.journal.not_played() == []


def test_a_game_whose_referee_is_always_lost_waits_for_the_next_run_and_is_counted_nowhere(
    bench: Bench,
) -> None:
    first = min(planned_ids(bench.config, bench.journal))
    bench.referees.lose = lambda game: game.id == first
    for _ in range(4):
        before = bench.referees.attempts[first]
        ended = bench.run()
        assert (ended.complete, ended.games, ended.open, ended.given_up) == (False, 35, 1, 0)
        assert bench.referees.attempts[first] - before in {ATTEMPTS, 2 * ATTEMPTS}
    [entry] = bench.journal.not_played()
    assert (entry.id, entry.blamed, entry.reason) == (first, (), "the referee process died")
    assert entry.attempts == 0
    assert sum(bool(deal.seed) for deal in bench.journal.deals()) == 2, "its deal stays secret"
    bench.referees.lose = lambda _: False
    assert bench.run().complete


def test_a_game_that_a_bot_kept_from_starting_three_times_is_given_up(bench: Bench) -> None:
    bench.referees.not_ready = {"last"}
    for run in range(1, 4):
        assert bench.run().given_up == (0 if run < 3 else PARK_AFTER)
    bench.referees.not_ready = set()
    ended = bench.run()
    assert (ended.complete, ended.games, ended.open, ended.given_up) == (False, 33, 0, PARK_AFTER)
    assert len(bench.journal.not_played()) == PARK_AFTER
    assert {deal.deal for deal in bench.journal.deals() if deal.seed} == {1, 2, 3}


def test_a_bot_that_is_never_ready_is_parked_and_the_others_play_on(bench: Bench) -> None:
    bench.referees.not_ready = {"last"}
    ended = bench.run()
    assert (ended.complete, ended.games, ended.open, ended.parked) == (False, 18, 18, ("last",))
    assert len(bench.of(Unplayed)) == PARK_AFTER
    [parked] = bench.of(Parked)
    assert isinstance(parked, Parked) and parked.bot == "last"
    assert all(entry.blamed == ("last",) for entry in bench.journal.not_played())
    rows = standings(Tally(2, bench.journal.games()).sums(), 2, "score").rows
    assert {row.bot: row.games for row in rows} == {"first": 12, "first2": 12, "first3": 12}
    bench.referees.not_ready = set()
    assert bench.run().complete
    assert bench.journal.not_played() == []


def test_a_start_that_fails_now_and_then_is_tried_again_in_the_same_run(bench: Bench) -> None:
    def sometimes(game: object) -> None:
        bench.referees.not_ready = {"last"} if len(bench.referees.finished) % 7 == 0 else set()

    bench.referees.after = sometimes
    real = bench.referees.play

    async def play(job: object, hear: object) -> object:
        answer = await real(job, hear)  # type: ignore[arg-type]
        if answer.blamed:
            bench.referees.not_ready = set()
        return answer

    bench.referees.play = play  # type: ignore[method-assign, assignment]
    assert bench.run().complete
    assert bench.of(Unplayed)


def test_a_disk_that_fails_ends_the_run_with_one_error(bench: Bench) -> None:
    (bench.config.state / "logs").write_text("not a folder")
    with pytest.raises(MtrefError, match="the log cannot be kept"):
        bench.run()
    assert bench.results() == {}

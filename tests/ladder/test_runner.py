"""A run plays the plan once, goes on where it was stopped, and survives whatever its referees do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.ladder.happenings import Began, Played, Revealed, to_dict
from mtref.replay.verify import verify_log
from mtref.rules import fairdeal
from mtref_sdk.errors import MtrefError
from tests.ladder.bench import TEXT, Bench, planned_ids, reference


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "ladder")
    yield bench
    bench.journal.close()


def test_a_run_plays_every_game_of_the_plan_once(bench: Bench) -> None:
    ended = bench.run()
    assert (ended.complete, ended.stopped, ended.games, ended.played, ended.open) == (True, False, 36, 36, 0)
    assert set(bench.results()) == planned_ids(bench.config, bench.journal)
    assert set(bench.referees.attempts.values()) == {1}
    assert bench.referees.closed
    [began] = bench.of(Began)
    assert began == Began(stage=1, stages=1, games=36, over=0)
    assert len(bench.of(Played)) == 36
    assert all(isinstance(to_dict(found)["event"], str) for found in bench.heard)


def test_the_same_command_again_plays_nothing(bench: Bench) -> None:
    bench.run()
    bench.referees.attempts.clear()
    ended = bench.run()
    assert (ended.complete, ended.played, ended.games) == (True, 0, 36)
    assert not bench.referees.attempts


def test_logs_lie_where_the_journal_says_and_verify_with_their_seeds(bench: Bench) -> None:
    bench.run()
    for game in bench.journal.games():
        assert game.log is not None
        assert verify_log(bench.config.state / game.log).game_digest == game.digest
    assert sorted(path.name for path in bench.config.state.iterdir() if path.is_dir()) == ["logs"]


def test_commitments_come_first_and_seeds_when_every_table_of_the_deal_is_over(bench: Bench) -> None:
    open_deals: Counter[int] = Counter()
    revealed_early: list[int] = []

    def look(_: object) -> None:
        deals = {deal.deal: deal for deal in bench.journal.deals()}
        assert set(deals) == {1, 2, 3}
        for game in bench.journal.games():
            open_deals[game.deal] += 1
        revealed_early.extend(
            deal.deal for deal in deals.values() if deal.seed and open_deals[deal.deal] < 12
        )
        open_deals.clear()

    bench.referees.after = look
    bench.run()
    assert revealed_early == []
    deals = bench.journal.deals()
    for deal in deals:
        assert fairdeal.commitment(bytes.fromhex(deal.seed), str(deal.deal)).hex() == deal.commitment
    assert [found.deal for found in bench.of(Revealed) if isinstance(found, Revealed)] == [1, 2, 3]


def test_no_log_holds_a_seed_while_a_table_of_its_deal_is_open(bench: Bench) -> None:
    def stop_within_the_second_deal(_: object) -> None:
        if len(bench.referees.finished) == 14:
            bench.ladder.stop()

    bench.referees.after = stop_within_the_second_deal
    bench.run()
    for game in bench.journal.games():
        assert game.log is not None
        assert verify_log(bench.config.state / game.log).seed_revealed == (game.deal == 1)
    bench.run()
    for game in bench.journal.games():
        assert verify_log(bench.config.state / str(game.log)).seed_revealed


@pytest.mark.parametrize("concurrency", [2, 8])
def test_playing_side_by_side_gives_the_same_games(tmp_path: Path, concurrency: int) -> None:
    bench = Bench(tmp_path, TEXT + f"concurrency: {concurrency}\n")
    assert bench.run().complete
    assert bench.results() == reference(tmp_path)
    assert bench.referees.most == concurrency
    bench.journal.close()


def test_stopping_lets_running_games_finish_and_the_next_run_goes_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path, TEXT + "concurrency: 3\n")

    def stop_at_ten(_: object) -> None:
        if len(bench.referees.finished) >= 10:
            bench.ladder.stop()

    bench.referees.after = stop_at_ten
    ended = bench.run()
    assert ended.stopped and not ended.complete
    assert 10 <= ended.played <= 12 and ended.open == 36 - ended.played
    assert bench.referees.attempts == bench.referees.finished, "nothing was cut short"
    bench.referees.after = lambda _: None
    assert bench.run().complete
    assert set(bench.referees.attempts.values()) == {1}
    assert bench.results() == reference(tmp_path)
    bench.journal.close()


def test_a_run_that_is_cut_short_anywhere_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    text = TEXT.replace("seats: 2", "seats: 3") + "concurrency: 2\n"
    expected = reference(tmp_path, text)
    rng = random.Random(1)
    bench = Bench(tmp_path, text)
    for _ in range(25):
        left = rng.randint(0, 3)

        def cut(_: object, left: list[int] = [left]) -> None:  # noqa: B006 - a counter of this attempt alone
            left[0] -= 1
            if left[0] < 0:
                raise MtrefError("cut short")

        bench.referees.after = cut
        if len(bench.results()) < len(expected):
            with pytest.raises(MtrefError, match="cut short"):
                bench.run()
    bench.referees.after = lambda _: None
    assert bench.run().complete
    assert bench.results() == expected
    assert not bench.journal.conflicts()
    bench.journal.close()


def test_a_swiss_ladder_pairs_its_stages_from_results_and_resumes_to_the_same_end(tmp_path: Path) -> None:
    text = TEXT.replace("deals: 3", "deals: 2\nformat: {swiss: {stages: 3}}")
    text += "".join(f"  - {{command: d, name: last{n}}}\n" for n in range(2, 5))
    expected = reference(tmp_path, text)
    assert len(expected) == 3 * 3 * 2 * 2, "7 bots: three tables a stage, one bot sits out"
    bench = Bench(tmp_path, text)
    for stop_at in (5, 12, 13, 20):

        def stop(_: object, stop_at: int = stop_at) -> None:
            if len(bench.referees.finished) >= stop_at:
                bench.ladder.stop()

        bench.referees.after = stop
        assert not bench.run().complete
    bench.referees.after = lambda _: None
    assert bench.run().complete
    assert bench.results() == expected
    assert [(found.stage, found.games) for found in bench.of(Began) if isinstance(found, Began)] == [
        (1, 12),
        (2, 24),
        (3, 36),
    ]
    games = Counter(seat.bot for game in bench.journal.games() for seat in game.seats)
    assert max(games.values()) - min(games.values()) <= 4, "one stage's games"
    bench.journal.close()


def test_identical_bots_differ_by_exactly_zero_and_the_self_test_says_how_often_it_looked(
    bench: Bench,
) -> None:
    ended = bench.run()
    assert ended.compared > 0 and ended.discrepancies == ()
    rows = {row.bot: row for row in bench.ladder.table().rows}
    assert rows["first"].relative == rows["first2"].relative


def test_a_platform_that_plays_the_same_game_differently_is_found_out(bench: Bench) -> None:
    real = bench.referees._game

    def broken(job: object, game: object) -> object:
        answer = real(job, game)  # type: ignore[arg-type]
        names = [seat.bot for seat in answer.seats]
        from dataclasses import replace  # noqa: PLC0415

        return replace(answer, digest="0" * 64) if names == ["first2", "last"] else answer

    bench.referees._game = broken  # type: ignore[method-assign, assignment]
    assert len(bench.run().discrepancies) == 3


def test_reuse_gives_several_deals_to_the_same_processes_and_the_same_games(tmp_path: Path) -> None:
    bench = Bench(tmp_path, TEXT + "reuse: 2\n")
    sizes: Counter[int] = Counter()
    real = bench.referees.play

    async def play(job: object, hear: object) -> object:
        sizes[len(job.games)] += 1  # type: ignore[attr-defined]
        assert len({game.deal for game in job.games}) == len(job.games)  # type: ignore[attr-defined]
        return await real(job, hear)  # type: ignore[arg-type]

    bench.referees.play = play  # type: ignore[method-assign, assignment]
    assert bench.run().complete
    assert bench.results() == reference(tmp_path)
    assert sizes == {2: 12, 1: 12}
    bench.journal.close()

"""Bots that are handed in: their games, what becomes of the versions they replace, and of those that fail."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import pytest

from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.happenings import Began, Parked
from mtref.ladder.journal import Outcome
from mtref.ladder.listing import counted, read_listing
from mtref.ladder.records import GameRecord
from mtref.ladder.register import PlannedStage
from mtref.ladder.submit.store import Store
from mtref.replay.verify import verify_log
from mtref_sdk.errors import ConfigError, MtrefError
from tests.ladder.bench import TEXT, Bench, hand_in
from tests.ladder.ladders import config_of

FILE_GAMES = 36


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "ladder")
    yield bench
    bench.journal.close()


def stages(bench: Bench) -> list[PlannedStage]:
    return bench.journal.register.stages()


def games_of(bench: Bench, label: str) -> list[tuple[int, tuple[str, ...]]]:
    return sorted(
        (game.deal, tuple(seat.bot for seat in game.seats))
        for game in bench.journal.games()
        if any(seat.bot == label for seat in game.seats)
    )


def test_a_ladder_to_which_nothing_was_handed_in_plans_nothing_but_its_file(bench: Bench) -> None:
    assert bench.run().complete
    assert stages(bench) == [] and bench.journal.register.state() == (0, 0)
    assert [found.stages for found in bench.of(Began) if isinstance(found, Began)] == [1]


def test_a_new_version_meets_everybody_on_fresh_deals_with_all_rotations(bench: Bench) -> None:
    bench.run()
    assert hand_in(bench, "new", "1") == "new@1"
    ended = bench.run()
    assert ended.complete and ended.played == 4 * 3 * 2
    found = games_of(bench, "new@1")
    assert Counter(deal for deal, _ in found) == {4: 8, 5: 8, 6: 8}
    assert Counter(seats for _, seats in found) == {
        seats: 3
        for other in ("first", "last", "first2", "first3")
        for seats in ((other, "new@1"), ("new@1", other))
    }
    assert bench.run().played == 0
    for game in bench.journal.games():
        assert verify_log(bench.config.state / str(game.log)).seed_revealed
    assert {deal.deal for deal in bench.journal.deals() if deal.seed} == {1, 2, 3, 4, 5, 6}


def test_new_versions_play_before_the_rest_of_the_file(bench: Bench) -> None:
    order: list[bool] = []

    def enter_after_five(_: object) -> None:
        if len(bench.referees.finished) == 5:
            hand_in(bench, "new", "1")

    bench.referees.after = enter_after_five
    real = bench.ladder.journal.add_all

    def add_all(games: Sequence[GameRecord]) -> list[Outcome]:
        order.extend(any(seat.bot == "new@1" for seat in game.seats) for game in games)
        return real(games)

    bench.journal.add_all = add_all  # type: ignore[method-assign]
    ended = bench.run()
    assert ended.complete and ended.games == FILE_GAMES + 24
    assert order == [False] * 5 + [True] * 24 + [False] * (FILE_GAMES - 5)


@pytest.mark.slow
def test_the_same_games_come_of_it_however_often_the_run_is_cut_short(tmp_path: Path) -> None:
    def play(bench: Bench, *, cut: bool) -> dict[str, str]:
        for text in ("1", "2"):
            hand_in(bench, "new", text)
            hand_in(bench, "last", f"other {text}") if text == "2" else None
            ended = None
            while ended is None or not ended.complete:
                left = [7]

                def stop(_: object, left: list[int] = left) -> None:
                    left[0] -= 1
                    if cut and left[0] == 0:
                        raise MtrefError("cut short")

                bench.referees.after = stop
                try:
                    ended = bench.run()
                except MtrefError:
                    ended = None
        assert not bench.journal.conflicts()
        results = bench.results()
        bench.journal.close()
        return results

    whole = play(Bench(tmp_path / "whole"), cut=False)
    assert play(Bench(tmp_path / "pieces"), cut=True) == whole
    assert len(whole) == FILE_GAMES + 24 + 24 + 30


def test_a_version_that_is_replaced_keeps_its_results_and_plays_no_more(bench: Bench) -> None:
    bench.run()
    old = hand_in(bench, "new", "1")

    def replace_it(_: object) -> None:
        if len(games_of(bench, old)) == 10 and bench.journal.register.state() == (1, 0):
            hand_in(bench, "new", "2")

    bench.referees.after = replace_it
    ended = bench.run()
    assert ended.complete and ended.open == 0
    assert len(games_of(bench, old)) == 10
    assert {deal for deal, _ in games_of(bench, "new@2")} == {7, 8, 9}
    assert not any({old, "new@2"} <= set(seats) for _, seats in games_of(bench, "new@2"))
    assert {deal.deal for deal in bench.journal.deals() if not deal.seed} == set(), (
        "nobody waits for its games"
    )
    assert bench.run().complete

    listing = read_listing(bench.journal)
    assert listing.label("new") == "new@2" and listing.labels("new") == [old, "new@2"]
    rows = {row.bot: row for row in counted(bench.journal)[1].rows}
    assert set(rows) == {"first", "last", "first2", "first3", "new@2"}
    assert sum(row.rating.points for row in rows.values()) == pytest.approx(0), (
        "zero is the mean of those listed"
    )
    assert rows["first"].games == sum("first" in seats for _, seats in games_of(bench, "first"))


def test_a_version_that_fails_several_times_running_is_parked_with_the_reason_until_the_next_one(
    bench: Bench,
) -> None:
    bench.run()
    bad = hand_in(bench, "new", "1")
    bench.referees.not_ready = {bad}
    ended = bench.run()
    assert ended.complete, "its games are nobody's to wait for"
    assert ended.played == 0 and ended.parked == (bad,)
    assert bench.of(Parked) == [Parked(bad, "no game was played: it did not start", lasting=True)]
    [version] = bench.journal.register.versions()
    assert version.parked == "no game was played: it did not start"
    bench.referees.not_ready = set()
    assert bench.run().played == 0, "parked it stays"
    hand_in(bench, "new", "1")
    assert bench.run().played == 24
    assert len(games_of(bench, "new@2")) == 24 and not games_of(bench, bad)


def test_a_version_that_forfeits_several_games_running_is_parked(bench: Bench) -> None:
    bench.run()
    bad = hand_in(bench, "new", "1")
    real = bench.referees._game

    def crash(job: object, game: object) -> object:
        from dataclasses import replace  # noqa: PLC0415

        answer = real(job, game)  # type: ignore[arg-type]
        seats = [
            replace(seat, forfeited=True, faults={"crash": 1}) if seat.bot == bad else seat
            for seat in answer.seats
        ]
        return replace(answer, seats=tuple(seats))

    bench.referees._game = crash  # type: ignore[method-assign, assignment]
    assert bench.run().complete
    assert len(games_of(bench, bad)) == 3
    [version] = bench.journal.register.versions()
    assert version.parked is not None and version.parked.endswith(": crash 1")


@pytest.mark.slow
def test_authors_stay_apart_and_nobody_sits_with_an_older_self(tmp_path: Path) -> None:
    bench = Bench(tmp_path, TEXT.replace("seats: 2", "seats: 3"))
    hand_in(bench, "one", "1", "ann")
    hand_in(bench, "two", "2", "ann")
    hand_in(bench, "three", "3", "bob")
    assert bench.run().complete
    met = {
        pair
        for game in bench.journal.games()
        for pair in combinations(sorted(seat.bot for seat in game.seats), 2)
    }
    assert ("one@1", "two@1") not in met
    assert ("one@1", "three@1") in met and ("three@1", "two@1") in met
    for stage in stages(bench):
        assert all(stage.bot in table for table in stage.tables)
    deals = [deal for stage in stages(bench) for deal in stage.deal_range]
    assert deals == sorted(set(deals)) and deals[0] == 4, "no deal is used twice"
    bench.journal.close()


def test_more_deals_for_the_file_are_refused_once_they_are_taken(bench: Bench) -> None:
    hand_in(bench, "new", "1")
    bench.run()
    more = config_of(TEXT.replace("deals: 3", "deals: 4"), bench.config.path.parent)
    bench.journal.begin(contract_of(more), entered_bots(more), bytes(32))
    bench.config = more
    with pytest.raises(ConfigError, match="deals: deals from 4 on are those of bots that were handed in"):
        bench.run()


def test_a_bot_that_is_no_longer_in_the_store_as_it_was_ends_the_run(bench: Bench) -> None:
    label = hand_in(bench, "new", "1")
    place = Store(bench.config.store).place(bench.journal.register.versions()[0].bot.content)
    (place / "bot.py").chmod(0o600)
    (place / "bot.py").write_text("changed")
    with pytest.raises(MtrefError, match="is missing, or not the bot that was handed in"):
        bench.run()
    assert games_of(bench, label) == []


def test_a_ladder_without_end_goes_on_with_neighbours_until_they_are_told_apart(tmp_path: Path) -> None:
    bench = Bench(tmp_path, TEXT.replace("deals: 3", "deals: 2"))

    def stop_after_a_stage_or_two(_: object) -> None:
        if sum(bench.referees.finished.values()) >= 40:
            bench.ladder.stop()

    bench.referees.after = stop_after_a_stage_or_two
    ended = bench.run(endless=True)
    assert ended.stopped and ended.games >= 40
    found = stages(bench)
    assert found and all(stage.kind == "separation" and stage.bot is None for stage in found)
    assert found[0].deal_range == range(3, 5)
    equal = {"first", "first2"}
    assert not any(equal == set(table) for stage in found for table in stage.tables), (
        "nothing tells equals apart"
    )
    bench.referees.after = lambda _: None
    assert bench.run().complete, "what was begun is finished by any run"
    bench.journal.close()


def test_a_ladder_without_end_waits_for_somebody_to_come(tmp_path: Path) -> None:
    text = TEXT.replace("  - {command: b, name: last}\n", "").replace("  - {command: c, name: first3}\n", "")
    bench = Bench(tmp_path, text)

    async def come_later() -> None:
        run = asyncio.ensure_future(bench.ladder.run())
        while bench.ladder.tally.games < 6:
            await asyncio.sleep(0.01)
        hand_in(bench, "new", "1")
        bench.referees.after = lambda _: bench.ladder.stop()
        assert (await run).stopped

    bench.ladder = bench._new(endless=True)
    asyncio.run(come_later())
    assert len(games_of(bench, "new@1")) == 1
    bench.journal.close()

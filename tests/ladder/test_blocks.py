"""Sums that are kept in the journal give the very table that adding up every game gives, whatever happens to the games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from mtref.ladder import count
from mtref.ladder.count import STATISTICS, keep_block
from mtref.ladder.listing import counted, read_listing
from mtref.ladder.records import Bot, GameRecord
from mtref.ladder.sqljournal import SqlJournal
from mtref.ladder.standings import crosstable
from tests.ladder.journalplaces import Place, PostgresPlace
from tests.ladder.journals import contract, game, not_played, some_bots
from tests.ladder.ladders import make_config

SEATS = 3
BOTS = [
    *(Bot(bot.name, bot.content, None, bot.command, deterministic=bot.name != "b4") for bot in some_bots(5)),
    Bot("twin", some_bots(1)[0].content, None, "./b0"),
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "BLOCK_GAMES", 12)
    monkeypatch.setattr(count, "_AT_ONCE", 3)


@pytest.fixture
def journal(place: Place) -> Iterator[SqlJournal]:
    journal = place.open(create=True)
    journal.begin(contract(make_config(6, SEATS)), BOTS, bytes(32))
    yield journal
    journal.close()


def some_games(rng: random.Random, bots: Sequence[Bot], deals: Sequence[int], most: int) -> list[GameRecord]:
    """Games on some of the deals, from none to `most` on each: ties, forfeits, faults, and twins that differ now and then."""
    contents = {bot.name: bot.content for bot in bots}
    games = []
    for deal in deals:
        for number in range(rng.randint(0, most)):
            table = rng.sample(sorted(contents), SEATS)
            totals = {bot: rng.choice((0, 7, rng.randint(0, 90))) for bot in table}
            gone = [bot for bot in table if rng.random() < 0.1]
            faults = {bot: {"timeout": rng.randint(1, 3), "crash": 1} for bot in gone}
            digest = f"{rng.randint(0, 2):064x}"
            found = game(
                deal * 1000 + number,
                deal,
                totals,
                forfeited=gone,
                contents=contents,
                digest=digest,
                faults=faults,
            )
            seats = tuple(
                replace(seat, time_ms=rng.uniform(0, 99), longest_ms=rng.random()) for seat in found.seats
            )
            games.append(replace(found, seats=seats, seconds=rng.random()))
        games.extend(
            game(
                deal * 1000 + 900 + number,
                deal,
                dict.fromkeys((name, "b1", "b2"), 5),
                contents=contents,
                digest=f"{rng.randint(0, 1):064x}",
            )
            for number, name in enumerate(("b0", "twin"))
        )
    return games


def check(journal: SqlJournal) -> None:
    """By way of blocks, twice, and without: all the same, to the last digit."""
    sums, table, selftest = counted(journal, recompute=True)
    order = [row.bot for row in table.rows]
    for _ in range(2):
        again, same, tested = counted(journal)
        assert same == table
        assert again == sums
        assert crosstable(again, order) == crosstable(sums, order)
        assert (tested.compared, tested.discrepancies()) == (selftest.compared, selftest.discrepancies())


def ranges(journal: SqlJournal) -> list[tuple[int, int]]:
    return [(block.first, block.last) for block in journal.blocks.kept(STATISTICS)]


@pytest.mark.parametrize("seed", range(6))
def test_kept_sums_and_added_up_games_give_the_same(journal: SqlJournal, seed: int) -> None:
    rng = random.Random(seed)
    bots = list(BOTS)
    games = some_games(rng, bots, range(1, 60), 6)
    rng.shuffle(games)
    late = [games.pop() for _ in range(20)]
    journal.add_all(games)
    journal.add_not_played(not_played(10**6, 5))
    check(journal)
    assert len(ranges(journal)) > 3
    selftest = counted(journal)[2]
    assert selftest.compared > len(selftest.discrepancies()) > 0
    contents = ("1" * 64, "2" * 64, BOTS[1].content)  # the last one is a twin of a bot of the file
    bots.extend(journal.register.enter("new", Bot("", content, None, "new")).bot for content in contents)
    journal.register.park("new@1", "it crashed")
    journal.add_all(some_games(rng, bots, range(60, 90), 3))
    check(journal)
    while late:  # into the midst of blocks
        journal.add_all([late.pop() for _ in range(4)])
        check(journal)


def filled(journal: SqlJournal) -> list[tuple[int, int]]:
    """Four games on each of 20 deals, and blocks made of them."""
    rng = random.Random(1)
    journal.add_all(
        [
            game(deal * 1000 + n, deal, {bot.name: rng.randint(0, 50) for bot in rng.sample(BOTS, SEATS)})
            for deal in range(1, 21)
            for n in range(4)
        ]
    )
    counted(journal)
    found = ranges(journal)
    assert found == [(1, 3), (4, 6), (7, 9), (10, 12), (13, 15), (16, 18)], "two deals wait for a third"
    return found


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("UPDATE games SET seats = (SELECT seats FROM games WHERE id = ?) WHERE id = ?", (2000, 5000)),
        ("UPDATE games SET deal = 30 WHERE id = ?", (5000,)),
        ("DELETE FROM games WHERE id = ?", (5000,)),
    ],
)
def test_a_block_is_dropped_when_one_of_its_games_is_corrected_moved_or_removed_by_hand(
    journal: SqlJournal, statement: str, values: tuple[int, ...]
) -> None:
    before = filled(journal)
    old = counted(journal)[1]
    journal._database.run(statement, [f"{value:064x}" for value in values])
    assert ranges(journal) == [found for found in before if found != (4, 6)]
    check(journal)
    assert counted(journal)[1] != old
    assert (4, 6) in ranges(journal)


def test_a_game_that_moves_into_a_block_drops_it_too(journal: SqlJournal) -> None:
    filled(journal)
    journal._database.run("UPDATE games SET deal = 8 WHERE id = ?", [f"{5000:064x}"])
    assert {(4, 6), (7, 9)}.isdisjoint(ranges(journal))
    check(journal)


def test_a_block_whose_number_of_games_is_wrong_is_not_believed(journal: SqlJournal) -> None:
    filled(journal)
    journal._database.run("UPDATE blocks SET games = games + 1 WHERE first_deal = 4")
    check(journal)


def test_sums_of_another_version_of_the_statistics_are_not_seen(journal: SqlJournal) -> None:
    before = filled(journal)
    journal._database.run("UPDATE blocks SET statistics = 0, sums = 'nonsense'")
    assert ranges(journal) == []
    check(journal)
    assert ranges(journal) == before


def test_recomputing_does_not_look_at_what_is_kept_nor_changes_it(journal: SqlJournal) -> None:
    before = filled(journal)
    table = counted(journal)[1]
    journal._database.run("UPDATE blocks SET sums = 'nonsense'")
    assert counted(journal, recompute=True)[1] == table
    assert ranges(journal) == before


def test_a_game_that_comes_while_its_block_is_added_up_keeps_the_block_from_being_kept(
    journal: SqlJournal, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(journal)
    journal._database.run("DELETE FROM blocks")
    other = place.open()
    real = journal.games_of

    def slowly(first: int, last: int) -> Iterator[GameRecord]:
        yield from real(first, last)
        if first == 7:
            other.add(game(999, 8, {"b0": 1, "b1": 2, "b2": 3}))

    monkeypatch.setattr(journal, "games_of", slowly)
    counted(journal)
    monkeypatch.undo()
    monkeypatch.setattr(count, "BLOCK_GAMES", 12)
    assert ranges(journal) == [(1, 3), (4, 6), (10, 12), (13, 15), (16, 18)]
    check(journal)
    other.close()


def test_a_claim_that_another_reader_took_over_keeps_nothing(journal: SqlJournal) -> None:
    filled(journal)
    [block, *_] = journal.blocks.kept(STATISTICS)
    first = journal.blocks.claim([(1, 3)], STATISTICS)
    second = journal.blocks.claim([(2, 4)], STATISTICS)
    assert first is not None and second is not None
    journal.blocks.keep(first, [block])
    assert ranges(journal)[0] == (7, 9), "what overlaps is gone"
    journal.blocks.keep(second, [replace(block, first=2, last=4)])
    assert ranges(journal)[0] == (2, 4)


def test_a_hole_between_blocks_is_closed_however_few_games_it_has(journal: SqlJournal) -> None:
    filled(journal)
    journal._database.run("DELETE FROM blocks")
    bots = read_listing(journal).bots
    keep_block(journal, bots, 1, 3)
    keep_block(journal, bots, 5, 8)
    check(journal)
    assert ranges(journal)[:3] == [(1, 3), (4, 4), (5, 8)]


def test_a_shared_journal_can_be_read_by_a_role_that_may_not_write(postgres_server: object) -> None:
    url = postgres_server.url  # type: ignore[attr-defined]
    journal = PostgresPlace(url, "readers").open(create=True)
    journal.begin(contract(make_config(6, SEATS)), BOTS, bytes(32))
    filled(journal)
    journal._database.run("DELETE FROM blocks")
    for statement in (
        "CREATE ROLE looker LOGIN",
        "GRANT USAGE ON SCHEMA mtref_readers_state TO looker",
        "GRANT SELECT ON ALL TABLES IN SCHEMA mtref_readers_state TO looker",
    ):
        journal._database.run(statement)
    reader = PostgresPlace(url.replace("mtref@", "looker@"), "readers").open()
    assert counted(reader)[1] == counted(journal, recompute=True)[1]
    assert ranges(reader) == []
    reader.close()
    journal.close()

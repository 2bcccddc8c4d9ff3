"""What authors may have of a ladder: who they are, how often they may ask, and which logs."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.ladder.authors import AUTHORS_FILE, Authors
from mtref.ladder.listing import read_listing
from mtref.portal import answers
from mtref.portal.gate import Allowance, AskError
from mtref.portal.unrated import choose_table
from mtref.server.wiring import grpc
from mtref_sdk.errors import ConfigError, MtrefError
from tests.ladder.bench import TEXT, Bench, hand_in


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "ladder", TEXT.replace("deals: 3", "deals: 2"))
    yield bench
    bench.journal.close()


def test_a_token_is_known_by_its_hash_alone_and_opens_until_it_is_replaced(tmp_path: Path) -> None:
    authors = Authors(tmp_path / "state")
    assert authors.names() == [] and authors.owner("") is None
    token, other = authors.add("ann"), authors.add("bob")
    path = tmp_path / "state" / AUTHORS_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token not in path.read_text() and len(token) >= 43
    assert (authors.owner(token), authors.owner(other), authors.owner(token[:-1])) == ("ann", "bob", None)
    fresh = authors.add("ann")
    assert (authors.owner(token), authors.owner(fresh)) == (None, "ann")
    authors.remove("ann")
    assert authors.names() == ["bob"] and authors.owner(fresh) is None
    with pytest.raises(ConfigError, match="ann: is no author; there are: bob"):
        authors.remove("ann")
    with pytest.raises(ConfigError, match="cannot be a name"):
        authors.add("a b")
    path.write_text("{")
    with pytest.raises(MtrefError, match="cannot be read"):
        authors.owner(other)


def test_an_allowance_is_each_author_s_own_and_comes_back_with_time() -> None:
    now = [0.0]
    allowance = Allowance(2, 60, lambda: now[0])
    for author in ("ann", "ann", "bob"):
        allowance.take(author)
    with pytest.raises(AskError, match="at most 2 in 60 s; try again in 60 s") as caught:
        allowance.take("ann")
    assert caught.value.status is grpc.StatusCode.RESOURCE_EXHAUSTED
    now[0] = 60.0
    allowance.take("ann")


def test_logs_are_for_those_who_played_and_only_when_the_deal_is_over(bench: Bench) -> None:
    bench.run()
    hand_in(bench, "new", "1", "ann")
    hand_in(bench, "other", "2", "bob")

    def stop_within_the_second_deal(_: object) -> None:
        if len([game for game in bench.journal.games() if game.deal == 4]) == 3:
            bench.ladder.stop()

    bench.referees.after = stop_within_the_second_deal
    bench.run()
    games = {game.deal: game.id for game in bench.journal.games()}
    path = answers.log_path(bench.config, bench.journal, "ann", games[3])
    assert path.is_file()
    for author, game, status, why in (
        ("ann", games[4], grpc.StatusCode.FAILED_PRECONDITION, "deal 4 is still being played"),
        ("bob", games[3], grpc.StatusCode.PERMISSION_DENIED, "none of your bots"),
        ("ann", games[1], grpc.StatusCode.PERMISSION_DENIED, "none of your bots"),
        ("ann", "../journal", grpc.StatusCode.PERMISSION_DENIED, "none of your bots"),
    ):
        with pytest.raises(AskError, match=why) as caught:
            answers.log_path(bench.config, bench.journal, author, game)
        assert caught.value.status is status
    listed = answers.games(bench.config, "ann", "", "").games
    assert [(game.deal, game.log) for game in listed] == [(3, True)] * 8 + [(4, False)] * 3
    assert not answers.games(bench.config, "bob", "", "").games


def test_games_come_in_pages_that_go_on_where_the_last_one_ended(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(bench, "new", "1", "ann")
    bench.run()
    monkeypatch.setattr(answers, "PAGE", 5)
    found, after = [], ""
    for _ in range(4):
        page = answers.games(bench.config, "ann", "new", after)
        found += [game.id for game in page.games]
        after = page.more
    assert after == "" and len(found) == len(set(found)) == 16


def test_an_unrated_table_is_filled_with_others_of_the_ladder(bench: Bench) -> None:
    hand_in(bench, "new", "1", "ann")
    hand_in(bench, "new", "2", "ann")
    hand_in(bench, "bad", "3", "bob")
    bench.journal.register.park("bad@1", "it did not start")
    listing = read_listing(bench.journal)
    assert choose_table(listing, "ann", "new", ["last"], 3) == ["new@2", "last", "first"]
    assert choose_table(listing, "ann", "new@1", [], 2) == ["new@1", "first"]
    assert choose_table(listing, "bob", "bad", [], 8) == [
        *("bad@1", "first", "last", "first2", "first3", "new@2", "bad@1", "bad@1")
    ]
    for author, bot, others, status in (
        ("bob", "new", [], grpc.StatusCode.PERMISSION_DENIED),
        ("ann", "first", [], grpc.StatusCode.PERMISSION_DENIED),
        ("ann", "new", ["first", "last"], grpc.StatusCode.INVALID_ARGUMENT),
        ("ann", "new", ["new@1"], grpc.StatusCode.FAILED_PRECONDITION),
    ):
        with pytest.raises(AskError) as caught:
            choose_table(listing, author, bot, others, 2)
        assert caught.value.status is status
    with pytest.raises(ConfigError, match="nobody: takes no part"):
        choose_table(listing, "ann", "new", ["nobody"], 2)

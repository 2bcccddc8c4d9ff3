"""Identical deterministic bots on the same seats of the same deal play the same game, or something is broken."""

from __future__ import annotations

from mtref.ladder.records import Bot, GameRecord
from mtref.ladder.selftest import SelfTest
from tests.ladder.journals import game

TWINS = [Bot("a", "x", None, ""), Bot("a2", "x", None, ""), Bot("c", "y", None, "")]
CONTENTS = {"a": "x", "a2": "x", "c": "y"}


def one(
    number: int, bots: list[str], digest: str, deal: int = 1, faults: dict[str, dict[str, int]] | None = None
) -> GameRecord:
    return game(number, deal, dict.fromkeys(bots, 5), contents=CONTENTS, digest=digest, faults=faults)


def check(*games: GameRecord, bots: list[Bot] | None = None) -> SelfTest:
    test = SelfTest(bots or TWINS)
    for found in games:
        test.add(found)
    return test


def test_twins_that_played_alike_pass() -> None:
    test = check(one(1, ["a", "c"], "same"), one(2, ["a2", "c"], "same"), one(3, ["c", "a"], "other"))
    assert (test.compared, test.discrepancies()) == (1, [])


def test_twins_that_played_differently_are_reported_whatever_the_order() -> None:
    games = [one(1, ["a", "a2"], "d1"), one(2, ["a2", "a"], "d2")]
    for order in (games, games[::-1]):
        [found] = check(*order).discrepancies()
        assert (found.deal, found.one, found.two) == (1, games[0].id, games[1].id)
        assert found.bots == (("a", "a2"), ("a2", "a"))


def test_other_deals_other_seats_and_other_bots_are_not_compared() -> None:
    test = check(one(1, ["a", "c"], "d1"), one(2, ["c", "a2"], "d2"), one(3, ["a2", "c"], "d3", deal=2))
    assert (test.compared, test.discrepancies()) == (0, [])


def test_games_with_faults_and_bots_that_are_not_deterministic_prove_nothing() -> None:
    late = one(2, ["a2", "c"], "d2", faults={"c": {"timeout": 1}})
    assert check(one(1, ["a", "c"], "d1"), late).discrepancies() == []
    unsure = [*TWINS[:2], Bot("c", "y", None, "", deterministic=False)]
    assert check(one(1, ["a", "c"], "d1"), one(2, ["a2", "c"], "d2"), bots=unsure).discrepancies() == []

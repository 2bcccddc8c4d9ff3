"""A ladder of honest bots with each villain of the pack, in the strongest sandbox there is: nobody notices, and nothing is left."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mtref.server.drill import Outcome, drill
from mtref.server.isolation import Isolation, unprotected
from mtref.server.leftovers import left_behind, marked, new_mark
from mtref.server.pack import FOLDER, VILLAINS, program
from mtref.server.sandbox.choose import choose_sandbox
from mtref_sdk.ruleset import preset
from tests.bots.villains import bot
from tests.e2e.commands import mtref
from tests.server.playing import play


@pytest.fixture(scope="module")
def isolation() -> Iterator[Isolation]:
    box = choose_sandbox()
    yield Isolation(box)
    box.close()


RULES = preset("playboard")


@pytest.fixture(scope="module")
def drilled(isolation: Isolation) -> Outcome:
    return asyncio.run(drill(list(VILLAINS.values()), RULES, "drill", isolation))


@pytest.mark.slow
@pytest.mark.parametrize("name", VILLAINS, ids=lambda name: re.sub(r"[^a-z0-9-]+", "?", name))
def test_nobody_notices_a_villain(name: str, drilled: Outcome) -> None:
    (done,) = [done for done in drilled.drilled if done.villain.name == name]
    assert (done.problems, done.left_out) == ((), "")


@pytest.mark.slow
def test_every_honest_bot_has_the_games_it_has_without_villains(drilled: Outcome) -> None:
    assert drilled.problems == () and drilled.failed == 0
    assert len(drilled.honest) >= 3
    for score in drilled.honest:
        assert score.games == score.equal > len(VILLAINS) // 2
        assert score.with_villains == score.without
    assert len({score.without for score in drilled.honest}) == len(drilled.honest)


def test_the_drill_itself_notices_a_villain_that_is_not_what_it_is_said_to_be(isolation: Isolation) -> None:
    false = replace(VILLAINS["illegal"], honest=0, faults=frozenset({"crash"}))
    outcome = asyncio.run(drill([false], RULES, "drill", isolation))
    assert outcome.drilled[0].problems == (
        "the game is not the control game",
        "was not charged with crash",
        "was charged with illegal_move",
    )
    assert outcome.failed == 1 and outcome.problems == ()
    assert any(score.equal < score.games for score in outcome.honest)


def test_the_drill_itself_notices_honest_bots_that_play_otherwise_the_second_time(
    isolation: Isolation,
) -> None:
    moody = [program("moody", "own_chance.py")] * 3
    outcome = asyncio.run(drill([VILLAINS["killed"]], RULES, "drill", isolation, honest=moody))
    assert outcome.problems == ("the game is not the control game",)
    assert "the game is not the control game" in outcome.drilled[0].problems


def test_without_limits_nobody_is_let_loose_on_the_memory() -> None:
    outcome = asyncio.run(drill([VILLAINS["eats-memory"]], RULES, "drill", unprotected()))
    assert outcome.drilled[0].left_out == "nothing would stop it at this level"
    assert outcome.games == 0 and outcome.failed == 0


def test_processes_are_found_by_their_mark() -> None:
    mark = new_mark()
    assert left_behind(mark) == ()
    played = play([bot("greedy"), marked(bot("first_legal"), mark)], rules="playboard", rounds="1")
    assert played.faults() == [] and left_behind(mark) == ()


def test_the_pack_is_listed_and_every_program_of_it_is_there() -> None:
    done = mtref("drill", "--list")
    assert done.returncode == 0 and "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == len(VILLAINS)
    assert all((FOLDER / villain.words.split()[0]).is_file() for villain in VILLAINS.values())


def test_the_command_prints_a_line_for_each_villain_and_each_honest_bot() -> None:
    done = mtref("drill", "illegal", "exits-0-at-once", "--sandbox", "rlimits")
    assert done.returncode == 0, done.stdout
    line, *lines = done.stdout.splitlines()
    assert line.startswith("sandbox: rlimits")
    assert {tuple(text.split()[:2]) for text in lines[:2]} == {
        ("passed", "illegal"),
        ("passed", "exits-0-at-once"),
    }
    assert [text.split()[0] for text in lines[2:-1]] == ["honest", "heavy", "light", "doubles", "high"]
    assert lines[-1] == "2 villains, 0 of them made a difference; 2 games compared"
    assert mtref("drill", "nosuch").returncode == 2


def test_the_command_says_the_same_as_json() -> None:
    done = mtref("drill", "garbage", "--sandbox", "rlimits", "--rules", "cubano", "--json")
    assert done.returncode == 0, done.stdout
    facts = json.loads(done.stdout)
    assert facts["sandbox"].startswith("sandbox: rlimits")
    assert [(entry["villain"], entry["faults"]) for entry in facts["drilled"]] == [
        ("garbage", {"malformed_reply": 3})
    ]
    assert all(bot["games"] == bot["equal"] for bot in facts["honest"])
    assert (facts["games"], facts["problems"], facts["failed"]) == (2, [], 0)

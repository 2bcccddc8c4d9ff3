"""Each villain of the drill, in the strongest sandbox there is: nobody notices it, and nothing of it is left."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mtref.server.drill import FOLDER, VILLAINS, drill
from mtref.server.isolation import Isolation
from mtref.server.leftovers import left_behind, marked, new_mark
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


@pytest.mark.slow
@pytest.mark.parametrize("name", VILLAINS, ids=lambda name: re.sub(r"[^a-z0-9-]+", "?", name))
def test_nobody_notices_a_villain(name: str, isolation: Isolation) -> None:
    done = asyncio.run(drill(VILLAINS[name], preset("playboard"), "drill", isolation))
    assert done.problems == ()


def test_the_drill_itself_notices_when_somebody_is_not_what_he_is_said_to_be(isolation: Isolation) -> None:
    false = replace(VILLAINS["illegal"], honest=0, faults=frozenset({"crash"}))
    done = asyncio.run(drill(false, preset("playboard"), "drill", isolation))
    assert done.problems == (
        "the game is not the control game",
        "was not charged with crash",
        "was charged with illegal_move",
    )


def test_processes_are_found_by_their_mark() -> None:
    mark = new_mark()
    assert left_behind(mark) == ()
    played = play([bot("greedy"), marked(bot("first_legal"), mark)], rules="playboard", rounds="1")
    assert played.faults() == [] and left_behind(mark) == ()


def test_the_pack_is_listed_and_every_program_of_it_is_there() -> None:
    done = mtref("drill", "--list")
    assert done.returncode == 0 and "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == len(VILLAINS)
    assert all((FOLDER / villain.argv[0]).is_file() for villain in VILLAINS.values())


def test_the_command_prints_a_line_for_each_villain() -> None:
    done = mtref("drill", "illegal", "exits-at-once", "--sandbox", "rlimits")
    assert done.returncode == 0, done.stdout
    line, *lines = done.stdout.splitlines()
    assert line.startswith("sandbox: rlimits")
    assert [text.split()[:2] for text in lines[:2]] == [["passed", "illegal"], ["passed", "exits-at-once"]]
    assert lines[2] == "2 villains, 0 of them made a difference"
    assert mtref("drill", "nosuch").returncode == 2

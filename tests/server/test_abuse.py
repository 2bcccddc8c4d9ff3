"""Each abuse of HTTP/2 by a bot at its own socket: it may lose its own game by it, and nobody else notices."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from mtref.server.pack import VILLAINS
from tests.bots.villains import HERE, bot
from tests.server.playing import play

RULES = {"rules": "traditional", "rounds": "1"}

TOGETHER = 5
"""So many abusers at one table."""


def attacks() -> list[str]:
    """Read, for the file is a program that plays."""
    for statement in ast.parse((HERE / "abuser.py").read_text("utf-8")).body:
        if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "ATTACKS":
            assert isinstance(statement.value, ast.Dict)
            return [ast.literal_eval(key) for key in statement.value.keys if key is not None]
    raise AssertionError


def groups() -> list[list[str]]:
    known = attacks()
    return [known[start : start + TOGETHER] for start in range(0, len(known), TOGETHER)]


@cache
def control(bots: int) -> str:
    return play([bot("greedy"), *[bot("first_legal")] * bots], **RULES).game.digest


@pytest.mark.parametrize("group", groups(), ids=" ".join)
def test_abuses_cost_nobody_else_anything(group: list[str]) -> None:
    played = play([bot("greedy"), *[bot("abuser", attack) for attack in group]], **RULES)
    assert played.game.digest == control(len(group))
    for seat, kind, _ in played.faults():
        assert seat and kind in VILLAINS["abuses-http2"].perhaps, group[seat - 1]


@pytest.mark.parametrize("way", ["connects", "frames"])
def test_a_bot_that_abuses_its_socket_forfeits_by_it(way: str) -> None:
    played = play([bot("greedy"), bot("mischief", way)], **RULES)
    assert played.faults() == [(1, "flood", "forfeit")]
    assert played.game.digest == control(1)

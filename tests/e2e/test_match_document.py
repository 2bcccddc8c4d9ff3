"""docs/match.md names every fault, every option and every key of the result."""

from __future__ import annotations

import re

import click

from mtref.cli.match import command
from mtref.match.fault import LENIENT, STRICT, FaultKind, Treatment
from tests.bots.villains import bot
from tests.e2e.commands import ROOT
from tests.server.playing import play_here

TEXT = (ROOT / "docs" / "match.md").read_text("utf-8")


def test_every_fault_is_listed_with_what_it_costs() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| (\w+)", TEXT, re.MULTILINE))
    costs = {
        kind.value: LENIENT.treatment(kind).value for kind in FaultKind if kind is not FaultKind.START_FAILURE
    }
    assert {kind: rows[kind] for kind in costs} == costs
    assert "`start_failure`" in TEXT
    assert set(STRICT.treatments.values()) == {Treatment.FORFEIT}


def test_every_option_is_listed() -> None:
    options = {
        name for parameter in command.params if isinstance(parameter, click.Option) for name in parameter.opts
    }
    assert {option for option in options if f"`{option}" not in TEXT} == set()


def test_every_key_of_the_result_is_listed() -> None:
    result = play_here([bot("greedy"), bot("random_bot")], rounds="1").result.to_dict()
    keys = {
        *result,
        *result["bots"][0],
        *result["games"][0],
        *result["games"][0]["seats"][0],
        *result["policy"],
        *result["margins"][0],
    }
    keys |= {*result["bots"][0]["times_ms"]}
    assert {key for key in keys if f"`{key}`" not in TEXT} == set()

"""Nothing that a seat is sent depends on tiles it cannot see, as long as nothing that it may know does."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.match.plan import plan_games
from mtref.rules import fairdeal, projection
from mtref.server.processes import make_run_directory
from mtref.server.twins import Compared, compare_worlds
from mtref_sdk.events import HandDealt
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_run_directory()
    yield path
    shutil.rmtree(path)


def compared(rules: RuleSet, seat: int, seed: str, folder: Path, *, views: bool = False) -> Compared:
    fewest, most = rules.seats
    seats = min(max(fewest, 3), most)
    planned = plan_games(fairdeal.master_seed(seed), seats, 1)[0]
    return asyncio.run(compare_worlds(rules, planned, seat % seats, folder, views=views))


@pytest.mark.parametrize("views", [False, True], ids=["events", "views"])
@pytest.mark.parametrize("name", PRESET_NAMES)
def test_what_a_seat_is_sent_depends_only_on_what_it_may_know(name: str, views: bool, folder: Path) -> None:
    decisions = 0
    for seat in range(3):
        place = folder / str(seat)
        place.mkdir()
        found = compared(preset(name), seat, f"twins {name}", place, views=views)
        assert found.leak is None
        assert found.messages > 0
        decisions += found.decisions
    assert decisions >= 3


def test_a_leak_would_be_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = projection.project

    def leaky(event: object, viewer: int) -> object:
        return event if isinstance(event, HandDealt) else honest(event, viewer)  # type: ignore[arg-type]

    monkeypatch.setattr("mtref.match.hearing.project", leaky)
    found = compared(preset("playboard"), 0, "leak", folder)
    assert found.leak is not None
    assert found.leak.first != found.leak.second


def test_two_tiles_change_places_and_neither_is_the_seat_s_own(folder: Path) -> None:
    found = compared(preset("playboard"), 0, "swap", folder)
    assert found.swapped is not None and found.swapped[0] != found.swapped[1]

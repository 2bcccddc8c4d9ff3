"""The page folds events by itself, in another language. What it shows is what the SDK's fold says, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mtref.replay.moment import Moment, moment_at
from mtref.replay.reader import LogReader
from mtref_sdk.events import BoneyardStacked, HandDealt, RoundStarted
from tests.browser.viewing import Page

pytestmark = pytest.mark.slow

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "mtref-log-1").glob("*.jsonl*"))


def expected(moment: Moment, shown: dict[str, Any]) -> dict[str, Any]:
    """What the page should show; of the Mexican trains that could be begun only those it does show."""
    table = moment.table
    trains = {id_: train for id_, train in table.trains.items() if train.links or id_ in shown["trains"]}
    hands = zip(moment.hands, table.hand_sizes, table.totals, strict=True)
    return {
        "trains": {id_: [f"{a}-{b}" for a, b in train.links] for id_, train in trains.items()},
        "ends": {id_: train.end for id_, train in trains.items()},
        "hands": {
            str(seat): {
                "size": size,
                "total": total,
                "tiles": None if hand is None else list(map(str, hand)),
            }
            for seat, (hand, size, total) in enumerate(hands)
        },
        "marked": list(table.marked),
        "forgotten": list(table.forgotten),
        "unsatisfied": sorted(table.unsatisfied, key=list(trains).index),
        "turn": None if table.turn is None else str(table.turn),
        "boneyard": table.boneyard,
        "yard": None if moment.boneyard is None or not table.boneyard else list(map(str, moment.boneyard)),
    }


def lines_to_look_at(log: Path, *, every: int) -> list[int]:
    """Some lines of a log from the first deal on; the lines of a deal are one step, so of them only the last."""
    with LogReader(log) as reader:
        kinds = {line.number: type(line.record) for line in reader}
    dealing = (RoundStarted, HandDealt, BoneyardStacked)
    inside = [n for n in kinds if n > 2 and not (kinds[n] in dealing and kinds.get(n + 1) in dealing[1:])]
    return inside[::every] + inside[-1:]


@pytest.mark.parametrize("log", GOLDEN, ids=lambda path: path.name)
def test_every_rule_set_is_shown_as_it_was(page: Page, log: Path) -> None:
    page.open(log)
    for number in lines_to_look_at(log, every=17):
        page.go(f"#n={number}")
        with LogReader(log) as reader:
            moment = moment_at(reader, number)
        shown = page.table
        assert shown == expected(moment, shown), f"line {number}"


def test_the_view_of_a_seat_is_what_that_seat_knew(page: Page) -> None:
    log = next(path for path in GOLDEN if path.name.startswith("cubano.jsonl"))
    page.open(log)
    for number in lines_to_look_at(log, every=29):
        page.go(f"#n={number}&seat=1")
        with LogReader(log) as reader:
            moment = moment_at(reader, number, 1)
        shown = page.table
        assert shown == expected(moment, shown), f"line {number}"

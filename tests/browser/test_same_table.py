"""The page folds events by itself, in another language. What it shows is what the SDK's fold says, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mtref.replay.moment import Moment
from mtref.replay.reader import LogReader
from mtref.replay.tape import Tape
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


@pytest.mark.parametrize(
    ("log", "seat"),
    [(log, None) for log in GOLDEN] + [(log, 1) for log in GOLDEN[::5]],
    ids=lambda value: value.name if isinstance(value, Path) else f"seat {value}",
)
def test_the_page_shows_what_the_sdk_folds(page: Page, log: Path, seat: int | None) -> None:
    with LogReader(log) as reader:
        tape = Tape(reader)
    page.open(log, "" if seat is None else f"#seat={seat}")
    steps = [at for at in range(2, len(tape.steps), 7) if tape.record(at, seat) is not None]
    for at, table in zip(steps, page.tables(steps), strict=True):
        assert table == expected(tape.moment(at, seat), table), f"line {tape.steps[at].number}"

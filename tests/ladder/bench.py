"""A ladder in a folder that tests run again and again, with referees that play in this process."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mtref.ladder.config import LadderConfig
from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.course import Course
from mtref.ladder.happenings import Ended, Happening
from mtref.ladder.journal import Journal, open_journal
from mtref.ladder.runner import LadderRun
from mtref.match.plan import draw_master_seed
from tests.ladder.handin import enter
from tests.ladder.ladders import config_of
from tests.ladder.tablereferees import TableReferees

__all__ = ["TEXT", "Bench", "hand_in", "planned_ids", "reference"]

TEXT = """\
name: test
rules: {preset: cubano, rounds: 1}
seats: 2
deals: 3
seed: repeatable
bots:
  - {command: a, name: first}
  - {command: b, name: last}
  - {command: a, name: first2}
  - {command: c, name: first3}
"""


class Bench:
    """A ladder in a folder, which can be run again and again."""

    def __init__(self, folder: Path, text: str = TEXT) -> None:
        self.config = config_of(text, folder)
        self.journal: Journal = open_journal(self.config, create=True)
        self.journal.begin(
            contract_of(self.config), entered_bots(self.config), draw_master_seed(self.config.seed)
        )
        self.heard: list[Happening] = []
        self.referees = TableReferees()
        self.ladder = self._new()

    def _new(self, *, endless: bool = False) -> LadderRun:
        return LadderRun(self.config, self.journal, self.referees, self.heard.append, endless=endless)

    def run(self, *, endless: bool = False) -> Ended:
        self.heard.clear()
        self.ladder = self._new(endless=endless)
        return asyncio.run(self.ladder.run())

    def of(self, *kinds: type[Happening]) -> list[Happening]:
        return [found for found in self.heard if isinstance(found, kinds)]

    def results(self) -> dict[str, str]:
        return {game.id: game.digest for game in self.journal.games()}


def hand_in(bench: Bench, name: str, text: str, author: str | None = None) -> str:
    """Enter a version in a bench's ladder; its label."""
    return enter(bench.journal, bench.config.store, name, text, author)


def planned_ids(config: LadderConfig, journal: Journal) -> set[str]:
    course = Course(config, journal.bots(), journal.master())
    stage = next(course.stages(lambda _: []))
    return {course.id(game) for batch in course.batches(stage) for game in batch.games}


def reference(folder: Path, text: str = TEXT) -> dict[str, str]:
    """The results of a run that nothing disturbed."""
    bench = Bench(folder / "reference", text)
    assert bench.run().complete
    results = bench.results()
    bench.journal.close()
    return results

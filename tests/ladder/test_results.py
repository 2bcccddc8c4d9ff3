"""A run keeps what it hears in groups, tells nothing before it is kept, and leaves sums of blocks behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from mtref.ladder import count, results
from mtref.ladder.count import STATISTICS
from mtref.ladder.happenings import Happening, Played
from mtref.ladder.journal import Outcome
from mtref.ladder.listing import counted
from mtref.ladder.records import GameRecord
from mtref_sdk.errors import MtrefError
from tests.ladder.bench import TEXT, Bench

DEALS = TEXT.replace("deals: 3", "deals: 6")


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (count, results):
        monkeypatch.setattr(module, "BLOCK_GAMES", 20)  # two deals of twelve games


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "ladder", DEALS + "concurrency: 4\n")
    yield bench
    bench.journal.close()


def ranges(bench: Bench) -> list[tuple[int, int]]:
    return [(block.first, block.last) for block in bench.journal.blocks.kept(STATISTICS)]


def test_a_run_keeps_the_sums_of_deals_that_are_over(bench: Bench) -> None:
    assert bench.run().complete
    assert ranges(bench) == [(1, 2), (3, 4), (5, 6)]
    assert bench.ladder.table() == counted(bench.journal)[1] == counted(bench.journal, recompute=True)[1]


@pytest.mark.parametrize("stop_at", [7, 20, 33, 47])
def test_a_run_goes_on_over_blocks_with_deals_that_were_not_over(bench: Bench, stop_at: int) -> None:
    def stop(_: object) -> None:
        if len(bench.referees.finished) >= stop_at:
            bench.ladder.stop()

    bench.referees.after = stop
    assert not bench.run().complete
    counted(bench.journal)  # a reader makes blocks of all there is
    bench.referees.after = lambda _: None
    assert bench.run().complete
    assert bench.ladder.table() == counted(bench.journal)[1] == counted(bench.journal, recompute=True)[1]


def test_a_table_that_is_drawn_again_reads_no_game(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def draw(_: object) -> None:
        drawn.append(bench.ladder.table().games)

    with monkeypatch.context() as patched:
        for name in ("game", "games", "games_of"):
            patched.setattr(bench.journal, name, None)
        patched.setattr(results, "keep_block", lambda *_: None)
        bench.referees.after = draw
        assert bench.run().complete
    assert drawn[0] < drawn[-1] == len(bench.journal.ids())


def test_results_that_come_together_are_kept_together_and_told_when_they_are_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[int] = []
    real = bench.journal.add_all

    def add_all(games: Sequence[GameRecord]) -> list[Outcome]:
        groups.append(len(games))
        return real(games)

    def tell(happening: Happening) -> None:
        if isinstance(happening, Played):
            assert bench.journal.game(happening.game.id) == happening.game
            assert happening.game.log is not None and (bench.config.state / happening.game.log).is_file()

    monkeypatch.setattr(bench.journal, "add_all", add_all)
    bench.heard = _Telling(tell)
    assert bench.run().complete
    assert sum(groups) == 72 and max(groups) == 4


class _Telling(list[Happening]):
    """A list that is also told."""

    def __init__(self, tell: Callable[[Happening], None]) -> None:
        super().__init__()
        self._tell = tell

    def append(self, happening: Happening) -> None:
        self._tell(happening)
        super().append(happening)


def test_what_was_heard_when_a_run_is_cut_short_is_kept(bench: Bench) -> None:
    heard: set[str] = set()

    class CutError(Exception):
        pass

    def cut(game: object) -> None:
        heard.add(game.id)  # type: ignore[attr-defined]
        if len(bench.referees.finished) >= 10:
            raise CutError

    bench.referees.after = cut
    with pytest.raises(ExceptionGroup):
        bench.run()
    assert bench.journal.ids() == set(bench.referees.finished) >= heard


def test_a_disk_that_fails_ends_the_run_and_nothing_counts_that_is_not_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = bench.journal.add_all

    def add_all(games: Sequence[GameRecord]) -> list[Outcome]:
        if len(bench.referees.finished) > 20:
            raise MtrefError("the disk is full")
        return real(games)

    monkeypatch.setattr(bench.journal, "add_all", add_all)
    with pytest.raises(MtrefError, match="the disk is full"):
        bench.run()
    assert bench.ladder.tally.games == len(bench.of(Played)) == len(bench.journal.ids())
    monkeypatch.undo()
    assert bench.run().complete

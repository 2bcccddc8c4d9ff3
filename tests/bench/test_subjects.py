"""What the parts of the benchmark measure still is what they say: a first decision, whole ladders, honest records."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from mtref.bench import driver, journal, start
from mtref.bench.alone import play_alone
from mtref.ladder.listing import counted
from mtref.ladder.sqlite import JOURNAL_FILE, open_sqlite
from mtref.match.logs import GameLog
from mtref.replay.verify import verify_log
from mtref.server.sandbox.levels import Level


def test_a_game_of_13_rounds_with_4_seats_is_kept_in_21_kilobytes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    with closing(GameLog(path)) as log:
        decisions = play_alone(0, log.take, "playboard-13", 4)
    assert decisions > 800
    assert path.stat().st_size < 21_500


def test_the_game_whose_log_is_measured_verifies(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    with closing(GameLog(path)) as log:
        assert play_alone(0, log.take) > 100
    assert verify_log(path).seed_revealed


def test_the_first_decision_comes_after_the_start() -> None:
    assert start._first_decision(Level.NONE)["ms"] > 0


def test_a_kept_bot_is_not_started_again_for_the_next_game() -> None:
    assert start._next_game()["ms"] > 0


def test_the_driver_plays_a_whole_ladder(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    with closing(GameLog(path)) as log:
        play_alone(0, lambda records: log.take(driver._without_seed(records)))
    used = driver._driven(1, path.read_bytes(), 3)
    assert used["wall ms"] > used["CPU ms"] * 0.5 > 0


def test_made_up_results_make_standings(tmp_path: Path) -> None:
    with closing(open_sqlite(tmp_path, create=True)) as results:
        made = journal._fill(results, tmp_path / JOURNAL_FILE, journal.MADE + 1)
        sums, table, _ = counted(results)
    assert sums.games == table.games == made == (journal.MADE + 1) * 495
    assert all(re.fullmatch(r"bot\d+", row.bot) for row in table.rows)

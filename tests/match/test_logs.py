"""What a game's log has of a game that is still being played."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from mtref.match.logs import LOG_DELAY, GameLog
from mtref.replay.digest import GameDigest
from mtref.replay.records import LogFault, Record
from tests.replay.games import play, short


def faulty_game() -> list[Record]:
    records: list[Record] = []
    play(short(), records.append, faulty=True)
    return records


def test_a_fault_and_all_before_it_are_written_at_once_even_where_lines_are_kept_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = []
    with closing(GameLog(path, delay=LOG_DELAY)) as log:
        for number, record in enumerate(faulty_game(), 1):
            log.take([record])
            if isinstance(record, LogFault):
                lines.append((number, len(path.read_bytes().splitlines())))
    assert lines and all(number == written for number, written in lines)


def test_the_digest_is_the_same_with_a_file_and_without_however_often_it_is_asked_for(tmp_path: Path) -> None:
    meant = GameDigest()
    with closing(GameLog(tmp_path / "a.jsonl", delay=LOG_DELAY)) as log, closing(GameLog(None)) as none:
        for record in faulty_game():
            meant.add(record)
            log.take([record])
            none.take([record])
            if isinstance(record, LogFault):
                assert log.game_digest == none.game_digest == meant.hexdigest()
        assert log.game_digest == none.game_digest == meant.hexdigest()
        assert log.line == none.line

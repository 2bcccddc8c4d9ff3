"""The journal in one file: who may read it, what is refused, and that it does not slow down."""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.ladder import count
from mtref.ladder.count import STATISTICS, keep_block
from mtref.ladder.listing import counted
from mtref.ladder.records import Bot
from mtref.ladder.sqlite import JOURNAL_FILE, open_sqlite
from mtref.ladder.sqljournal import SqlJournal
from mtref_sdk.errors import ConfigError, MtrefError
from tests.ladder.journals import contract, game, some_bots


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqlJournal]:
    journal = open_sqlite(tmp_path / "state", create=True)
    journal.begin(contract(), some_bots(3), bytes(32))
    yield journal
    journal.close()


def test_the_file_with_the_seeds_is_for_its_owner_alone(journal: SqlJournal, tmp_path: Path) -> None:
    for path in (tmp_path / "state").glob(f"{JOURNAL_FILE}*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_there_is_no_journal_before_the_first_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no journal yet; start with: mtref ladder run"):
        open_sqlite(tmp_path, create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_journal_of_another_version_is_refused(journal: SqlJournal, tmp_path: Path) -> None:
    journal.close()
    with sqlite3.connect(tmp_path / "state" / JOURNAL_FILE) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    connection.close()
    with pytest.raises(MtrefError, match="the journal has format 99, and this version reads 3"):
        open_sqlite(tmp_path / "state", create=False)


def test_a_file_that_is_no_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).write_text("something else " * 99)
    with pytest.raises(MtrefError, match=r"journal.sqlite: file is not a database"):
        open_sqlite(tmp_path, create=False)


@pytest.mark.slow
def test_fifty_thousand_games_do_not_slow_it_down(journal: SqlJournal) -> None:
    seats = {"a": 1, "b": 2, "c": 3, "d": 4}
    times = []
    for part in range(10):
        began = time.process_time()
        for number in range(part * 5000, part * 5000 + 5000):
            journal.add(game(number * 7919 % 50_000, 1 + number, seats))
        times.append(time.process_time() - began)
    assert max(times[5:]) < 3 * min(times[:5])
    assert len(journal.ids()) == 50_000


def test_a_journal_of_an_older_version_is_read_and_gets_what_it_lacks(
    journal: SqlJournal, tmp_path: Path
) -> None:
    journal.add(game(1, 1, {"b0": 3, "b1": 5}))
    journal.close()
    lacking = {
        "1": ("DROP TABLE versions", "DROP TABLE stages"),
        "2": ("DROP TRIGGER blocks_after_INSERT", "DROP TABLE blocks", "DROP INDEX games_of_deal"),
    }
    for version, statements in lacking.items():
        with sqlite3.connect(tmp_path / "state" / JOURNAL_FILE) as connection:
            for statement in (*statements, f"UPDATE meta SET value = '{version}' WHERE key = 'schema'"):
                connection.execute(statement)
        connection.close()
        again = open_sqlite(tmp_path / "state", create=False)
        assert len(again.ids()) == 1
        assert counted(again)[1].games == 1
        again.close()
    again = open_sqlite(tmp_path / "state", create=False)
    assert again.register.enter("new", Bot("new", "0" * 64, None, "bot.py")).label == "new@1"
    keep_block(again, again.bots(), 1, 1)
    again.add(game(2, 1, {"b0": 3, "b2": 5}))
    assert again.blocks.kept(STATISTICS) == []
    again.close()


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Root may write everywhere, and then this is somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


def test_a_journal_that_may_only_be_read_gives_its_tables(request: pytest.FixtureRequest) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal = open_sqlite(folder, create=True)
        journal.begin(contract(), some_bots(3), bytes(32))
        journal.add_all([game(n, n, {"b0": n, "b1": 9}) for n in range(count.BLOCK_GAMES + 5)])
        table = counted(journal, recompute=True)[1]
        journal.close()
        (folder / JOURNAL_FILE).chmod(0o444)
        folder.chmod(0o555)
        request.getfixturevalue("unprivileged")
        reader = open_sqlite(folder, create=False)
        assert counted(reader)[1] == table
        assert reader.blocks.kept(STATISTICS) == []
        with pytest.raises(MtrefError, match="attempt to write a readonly database"):
            reader.add(game(10**6, 1, {"b0": 1, "b1": 2}))
        reader.close()
        if os.getuid() == 0:
            os.seteuid(0)
        folder.chmod(0o755)

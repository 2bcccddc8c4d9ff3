"""The journal in a shared database: its lock, its server's crashes, and what is said when it cannot be reached."""

from __future__ import annotations

import secrets
import signal
import threading
from pathlib import Path

import pytest

from mtref.ladder.configfile import load_config
from mtref.ladder.journal import HeldError, open_journal
from mtref.ladder.postgres import open_postgres
from mtref_sdk.errors import MtrefError
from tests.e2e.commands import mtref
from tests.ladder.journals import contract, game, some_bots
from tests.ladder.postgresserver import Server, running_server
from tests.ladder.smallladder import BOTS, games_of, small_ladder


def test_results_survive_a_crash_of_the_server() -> None:
    with running_server() as server:
        journal = open_postgres(server.url, "crash", create=True)
        journal.begin(contract(), some_bots(3), bytes(32))
        for number in range(20):
            journal.add(game(number, 1, {"a": 1, "b": 2}))
        server.stop(signal.SIGKILL)
        with pytest.raises(MtrefError, match=r"^postgresql://local/postgres \(mtref_crash\): "):
            journal.add(game(20, 1, {"a": 1, "b": 2}))
        journal.close()
        server.start()
        again = open_postgres(server.url, "crash", create=False)
        assert len(again.ids()) == 20
        again.close()


def test_several_that_create_the_same_journal_at_once_do_not_collide(postgres_server: Server) -> None:
    name, errors = secrets.token_hex(4), []

    def begin() -> None:
        try:
            journal = open_postgres(postgres_server.url, name, create=True)
            journal.begin(contract(), some_bots(3), bytes(32))
            journal.close()
        except MtrefError as error:
            errors.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_a_lock_ends_with_its_connection(postgres_server: Server) -> None:
    name = secrets.token_hex(4)
    one = open_postgres(postgres_server.url, name, create=True)
    two = open_postgres(postgres_server.url, name, create=True)
    other = open_postgres(postgres_server.url, name + "x", create=True)
    with one.hold():
        with pytest.raises(HeldError), two.hold():
            pass
        with other.hold():
            pass
    with two.hold():
        pass
    for journal in (one, two, other):
        journal.close()


def test_a_database_that_cannot_be_reached_is_named_without_its_password() -> None:
    with pytest.raises(MtrefError) as caught:
        open_postgres("postgresql://someone:secret@localhost:1/nothing", "x", create=True)
    assert str(caught.value).startswith("postgresql://localhost:1/nothing (mtref_x): ")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://:::bad",
        "postgresql://[bad",
        "postgresql://a:secret@127.0.0.1:1,127.0.0.1:2/x",
        "postgresql://h/x?y=1",
    ],
)
def test_whether_a_url_is_one_is_for_the_driver_to_say(url: str) -> None:
    with pytest.raises(MtrefError, match=r"postgresql://") as caught:
        open_postgres(url, "x", create=True)
    assert "secret" not in str(caught.value)


def test_a_ladder_runs_on_it_as_on_a_file(postgres_server: Server, tmp_path: Path) -> None:
    in_file = small_ladder(tmp_path / "file", "seats: 2\n" + BOTS)
    shared = small_ladder(tmp_path / "shared", f"seats: 2\njournal: {postgres_server.url}\n" + BOTS)
    results = []
    for path in (in_file, shared):
        done = mtref("ladder", "run", path)
        assert done.returncode == 0, done.stderr
        results.append({game.id: game.digest for game in games_of(path)[1]})
        assert "6 are played" in mtref("ladder", "plan", path).stdout
    assert results[0] == results[1] and len(results[0]) == 6
    assert not list((tmp_path / "shared" / "ladder-state").glob("journal*"))
    journal = open_journal(load_config(shared), create=False)
    with journal.hold():
        assert mtref("ladder", "run", shared).returncode == 4
    journal.close()

"""What is made for a bot before it starts, and that nothing of it is left after."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mtref.server.processes import make_run_directory
from mtref.server.processtree import below
from mtref.server.sandbox import users
from mtref.server.sandbox.freeze import NoFreezer, SignalFreezer, born
from mtref.server.sandbox.levels import Bot, Level, Limits
from mtref.server.sandbox.prepare import Workshop
from mtref_sdk.errors import MtrefError
from tests.sandbox.ways import until

ROOT = os.geteuid() == 0
IDLE = "import signal; print('here', flush=True); signal.pause()"


@pytest.fixture
def seat() -> Iterator[Path]:
    """The folder of a seat in a run directory, with a bound socket."""
    run = make_run_directory()
    (run / "1").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(run / "1" / "s"))
        yield run / "1"
    shutil.rmtree(run)


def bot(seat: Path, *command: str) -> Bot:
    return Bot(command or ("python",), seat, seat / "s", "t", seat / "scratch", cwd=Path("/"))


@pytest.mark.parametrize("level", [Level.RLIMITS, Level.LANDLOCK])
def test_what_was_made_is_gone_after_release(level: Level, seat: Path) -> None:
    workshop = Workshop(level, Limits())
    prepared = workshop.prepare(bot(seat))
    assert (seat / "scratch").is_dir()
    assert (seat / "scratch").stat().st_mode & 0o777 == 0o700
    assert all(Path(folder).is_dir() for folder in prepared.cgroups)
    assert bool(prepared.cgroups) == (workshop.place is not None)
    prepared.release()
    assert not (seat / "scratch").exists()
    assert not any(Path(folder).exists() for folder in prepared.cgroups)
    prepared.release()  # may be repeated
    workshop.close()


def test_a_bot_of_root_can_reach_its_socket_and_nobody_elses(seat: Path) -> None:
    workshop = Workshop(Level.BWRAP, Limits())
    prepared = workshop.prepare(bot(seat))
    file = (seat / "s").stat()
    if ROOT:
        assert file.st_uid == file.st_gid and file.st_uid in users.SEAT_USERS
        assert file.st_mode & 0o777 == 0o600
        assert [folder.stat().st_mode & 0o777 for folder in (seat, seat.parent)] == [0o711, 0o711]
    else:
        assert file.st_uid == os.getuid()
    prepared.release()
    workshop.close()


def test_a_bot_that_cannot_be_prepared_leaves_nothing_behind(
    seat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = Workshop(Level.RLIMITS, Limits())
    (seat / "scratch").mkdir()
    with pytest.raises(MtrefError, match=r"cannot be prepared: .*File exists"):
        workshop.prepare(bot(seat))
    if workshop.place is not None:
        made = [name for folder in workshop.place.folders.values() for name in folder.glob("mtref-*")]
        (seat / "scratch").rmdir()
        with pytest.raises(MtrefError, match=r"cannot be prepared: .*No such file"):
            workshop.prepare(
                Bot(("x",), seat / "none", seat / "s", "t", seat / "scratch", hidden=(seat / "none/x",))
            )
        left = [name for folder in workshop.place.folders.values() for name in folder.glob("mtref-*")]
        assert set(left) <= set(made)
        assert not (seat / "scratch").exists()
    workshop.close()


def test_elsewhere_than_on_linux_there_is_only_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    Workshop(Level.NONE, Limits()).close()
    for level in (Level.RLIMITS, Level.LANDLOCK, Level.BWRAP):
        with pytest.raises(MtrefError, match="needs Linux"):
            Workshop(level, Limits())


def test_the_status_is_that_of_the_bot_and_not_of_bubblewrap(seat: Path) -> None:
    for level, expected in ((Level.BWRAP, -signal.SIGKILL), (Level.NONE, 137)):
        workshop = Workshop(level, Limits())
        prepared = workshop.prepare(bot(seat))
        assert [prepared.status(status) for status in (0, 1, 128, None, -9)] == [0, 1, 128, None, -9]
        assert prepared.status(128 + signal.SIGKILL) == expected
        prepared.release()
        workshop.close()


def stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "T"


def test_all_below_a_keeper_is_paused_and_the_keeper_is_not() -> None:
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {IDLE!r}])"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout and keeper.stdout.readline() == b"here\n"
        (child,) = below(keeper.pid)
        freezer = SignalFreezer(keeper.pid)
        freezer.freeze()
        until(lambda: stopped(child))
        assert not stopped(keeper.pid)
        freezer.thaw()
        until(lambda: not stopped(child))
        os.kill(child, signal.SIGKILL)


def test_a_keeper_whose_number_was_given_to_another_is_left_alone() -> None:
    with subprocess.Popen([sys.executable, "-c", IDLE], stdout=subprocess.PIPE) as stranger:
        assert stranger.stdout and stranger.stdout.readline() == b"here\n"
        freezer = SignalFreezer(os.getpid())
        freezer._born -= 1
        freezer.freeze()
        assert not stopped(stranger.pid)
        stranger.kill()


def test_a_bot_that_is_gone_is_not_looked_for(seat: Path) -> None:
    workshop = Workshop(Level.NONE, Limits())
    prepared = workshop.prepare(bot(seat))
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], check=True, capture_output=True
    )
    assert isinstance(prepared.freezer(int(ended.stdout)), NoFreezer)
    assert born(int(ended.stdout)) == 0
    prepared.release()

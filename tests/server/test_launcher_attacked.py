"""Programs that turn against the launcher or their keeper: they are ended all the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mtref.server.processes import Launcher
from tests.e2e.commands import alive
from tests.server.launchers import DAEMON, python, until, with_launcher


def test_a_program_that_kills_its_keeper_gains_nothing() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        code = DAEMON.strip().rsplit("\n", 1)[0]
        code += (
            "\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.001)"
            "\nos.kill(os.getppid(), 9)\ntime.sleep(600)"
        )
        process = await python(launcher, directory, code, str(mark))
        assert await process.exited is None
        assert not alive(process.pid)
        assert not alive(int(mark.read_text().split()[0]))

    with_launcher(body)


STOPPED = "import os, signal, sys, time; os.kill({}, signal.SIGSTOP); open(sys.argv[1], 'w').close(); {}"
KEEPER = "os.getppid()"
LAUNCHER = "int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1])"


@pytest.mark.parametrize("whom", [KEEPER, LAUNCHER], ids=["keeper", "launcher"])
@pytest.mark.parametrize("then", ["time.sleep(600)", "os._exit(3)"], ids=["lives", "ends"])
def test_a_program_that_stops_who_is_to_end_it_is_ended(whom: str, then: str) -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        process = await python(launcher, directory, STOPPED.format(whom, then), str(mark))
        await until(mark.exists)
        process.kill()
        await asyncio.wait_for(process.exited, 10)
        assert not alive(process.pid)

    with_launcher(body)


@pytest.mark.parametrize("whom", [KEEPER, LAUNCHER], ids=["keeper", "launcher"])
def test_who_is_stopped_over_and_over_is_given_up(whom: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtref.server.processes.PATIENCE_S", 0.5 if whom == LAUNCHER else 30)

    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        code = STOPPED.format(f"(pid := {whom})", "") + "\nwhile True: os.kill(pid, signal.SIGSTOP)"
        process = await python(launcher, directory, code, str(mark))
        await until(mark.exists)
        process.kill()
        await asyncio.wait_for(process.exited, 20)
        assert whom == LAUNCHER or not launcher.lost.done()
        await until(lambda: not alive(process.pid))

    assert not with_launcher(body).exists()


def test_a_stopped_launcher_is_left() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        process = await python(launcher, directory, STOPPED.format(LAUNCHER, "time.sleep(600)"), str(mark))
        await until(mark.exists)
        pids.append(process.pid)

    pids: list[int] = []
    directory = with_launcher(body)
    assert not alive(pids[0])
    assert not directory.exists()

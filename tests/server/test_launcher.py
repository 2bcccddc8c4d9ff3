"""The launcher: starting programs, hearing of their ends, and leaving nothing behind however the referee ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mtref.server.processes import Launcher, SpawnError, ended_text
from mtref_sdk.errors import MtrefError
from tests.e2e.commands import alive
from tests.server.launchers import DAEMON, python, until, with_launcher


def test_exit_codes_and_signals_are_reported_with_what_was_printed() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        code = await python(
            launcher, directory, "import sys; print('to out'); print('to err', file=sys.stderr); sys.exit(3)"
        )
        killed = await python(launcher, directory, "import os; os.kill(os.getpid(), 11)")
        assert await code.exited == 3
        assert sorted(code.output().splitlines()) == [b"to err", b"to out"]
        assert await killed.exited == -signal.SIGSEGV

    directory = with_launcher(body)
    assert not directory.exists()


def test_a_program_that_does_not_exist_is_an_error_that_says_so() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        with pytest.raises(SpawnError, match="No such file or directory"):
            await launcher.spawn(["/no/such/program"], {}, directory / "out")

    with_launcher(body)


@pytest.mark.parametrize("program", [sys.executable, "/no/such/program"])
def test_a_program_nobody_waits_for_any_more_is_ended_and_disturbs_nobody(program: str) -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        wrong: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        start = launcher.spawn([program, "-c", "import time; time.sleep(600)"], {}, directory / "out")
        starting = asyncio.create_task(start)
        await asyncio.sleep(0)  # the order is out
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        await until(lambda: not launcher._processes)
        assert wrong == []

    with_launcher(body)


def test_the_environment_is_extended_and_argv_stays_as_given() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        code = (
            "import os, sys; print(os.environ['SECRET'], os.environ['HOME'], sys.argv[1:], sys.stdin.read())"
        )
        process = await launcher.spawn(
            [sys.executable, "-c", code, "a b"], {"SECRET": "x"}, directory / "out"
        )
        assert await process.exited == 0
        assert process.output().decode() == f"x {os.environ['HOME']} ['a b'] \n"

    with_launcher(body)


def test_a_flood_of_output_neither_blocks_the_program_nor_fills_the_disk() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        code = "import sys\nprint('first')\nfor _ in range(3000): print('x' * 10000)\nprint('last')"
        process = await python(launcher, directory, code)
        assert await process.exited == 0
        output = process.output()
        assert len(output) < 200_000
        assert output.startswith(b"first\n") and output.endswith(b"last\n") and b"bytes left out" in output

    with_launcher(body)


def test_closing_its_output_does_not_end_a_program() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        code = "import os, time; os.close(1); os.close(2); open(os.environ['MARK'], 'w').close(); time.sleep(600)"
        mark = directory / "mark"
        process = await launcher.spawn([sys.executable, "-c", code], {"MARK": str(mark)}, directory / "out")
        await until(mark.exists)
        assert alive(process.pid) and not process.exited.done()
        process.kill()
        assert await process.exited == -signal.SIGKILL

    with_launcher(body)


def test_killing_one_program_takes_its_daemon_and_spares_the_others() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        other = await python(launcher, directory, "import time; time.sleep(600)")
        process = await python(launcher, directory, DAEMON, str(mark))
        await until(mark.exists)
        daemon = int(mark.read_text().split()[0])
        assert alive(daemon)
        process.kill()
        assert await process.exited == -signal.SIGKILL
        assert not alive(daemon)
        assert alive(other.pid) and not other.exited.done()

    with_launcher(body)


def test_the_daemon_of_a_program_that_ended_by_itself_is_gone_when_its_end_is_reported() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        code = (
            DAEMON.strip().rsplit("\n", 1)[0] + "\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.001)\n"
        )
        process = await python(launcher, directory, code, str(mark))
        assert await process.exited == 0
        assert not alive(int(mark.read_text().split()[0]))

    with_launcher(body)


def test_leaving_the_launcher_ends_everything() -> None:
    pids: list[int] = []

    async def body(launcher: Launcher, directory: Path) -> None:
        mark = directory / "mark"
        process = await python(launcher, directory, DAEMON, str(mark))
        await until(mark.exists)
        pids.extend([process.pid, int(mark.read_text().split()[0])])
        assert all(map(alive, pids))

    directory = with_launcher(body)
    assert not any(map(alive, pids))
    assert not directory.exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_referee_that_is_killed_leaves_no_process_behind(number: signal.Signals, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    referee = textwrap.dedent(
        f"""
        import asyncio, signal, sys
        from mtref.server.launching import make_run_directory, start_launcher
        from mtref.server.processes import Launcher
        # Whoever starts the tests in the background lets them ignore some signals, and that is inherited.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        async def go():
            directory = make_run_directory()
            async with Launcher(start_launcher(directory)) as launcher:
                process = await launcher.spawn(
                    [sys.executable, "-c", {DAEMON!r}, {str(mark)!r}], {{}}, directory / "out")
                print(process.pid, launcher._process.child.pid, directory, flush=True)
                await asyncio.sleep(600)
        asyncio.run(go())
        """
    )
    with subprocess.Popen([sys.executable, "-c", referee], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        bot, launcher, directory = process.stdout.readline().split()

        async def wait() -> None:
            await until(mark.exists)
            daemon, _ = mark.read_text().split()
            assert alive(int(bot)) and alive(int(daemon)) and alive(int(launcher))
            process.send_signal(number)
            await until(lambda: not any(alive(int(pid)) for pid in (bot, daemon, launcher)))
            await until(lambda: not Path(directory).exists())

        asyncio.run(wait())


def test_ends_are_told_in_words() -> None:
    assert ended_text(0) == "ended with exit code 0"
    assert ended_text(-9) == "was killed by SIGKILL"
    assert ended_text(-200) == "was killed by signal 200"
    assert ended_text(None) == "was killed"


def test_when_the_launcher_itself_is_killed_the_bots_die_and_it_is_noticed() -> None:
    async def body(launcher: Launcher, directory: Path) -> None:
        process = await python(launcher, directory, "import time; time.sleep(600)")
        os.kill(launcher._process.child.pid, signal.SIGKILL)
        await asyncio.wait_for(launcher.lost, 10)
        assert await process.exited is None
        await until(lambda: not alive(process.pid))
        with pytest.raises(MtrefError, match="cannot be reached"):
            await python(launcher, directory, "pass")

    with_launcher(body)

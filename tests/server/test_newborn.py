"""A bot that is a fork of a preloaded Python sees and does what it would in a Python of its own, at every level that forks."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mtref.match.entry import Entry
from mtref.server.ahead import can_be_forked, launcher_for
from mtref.server.isolation import Isolation, unprotected
from mtref.server.launching import LauncherProcess, make_run_directory, start_launcher
from mtref.server.processes import Launcher
from mtref.server.sandbox.choose import choose_sandbox
from mtref.server.sandbox.levels import Level

MIRROR = Path(__file__).with_name("mirror.py")
"""A program that prints everything it can find out about itself."""

FORKING = [Level.NONE, Level.RLIMITS, Level.LANDLOCK]

ENDS = {
    "returns": "print('out'); import sys; sys.stderr.write('err')",
    "exits": "import sys; sys.exit(3)",
    "exits with words": "raise SystemExit('words')",
    "raises": "def inner():\n    raise ValueError('x')\ninner()",
    "raises from": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise KeyError('y') from error",
    "raises with a hook": "import sys\nsys.excepthook = lambda *a: print(a[0], a[1], a[2].tb_frame.f_code.co_name)\nraise OSError(5)",
    "raises a group": "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])",
    "is interrupted": "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True:\n    pass",
    "is terminated": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nwhile True:\n    pass",
    "leaves at once": "import os\nprint('lost?', flush=True)\nos._exit(7)",
    "cleans up": "import atexit\natexit.register(print, 'at exit')\nclass Last:\n    def __del__(self):\n        print('gone')\nlast = Last()",
    "leaves a thread": "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('thread'))).start()\nprint('main')",
    "cannot be compiled": "x = (\n",
    "holds a null": "x = 1\0",
    "warns": "import warnings\nwarnings.warn('careful')",
    "looks up": "import queue, secret_helper\nprint(queue.mine, secret_helper.__file__)",
    "pickles": "import pickle\nclass A:\n    pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A, A.__module__)",
    "spawns": "import multiprocessing, os\ndef work(n):\n    return n + 1\nif __name__ == '__main__':\n    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(pool.map(work, [1]))",
    "reads": "import sys\nprint(sys.stdin.read() == '', __doc__, __spec__, __builtins__)",
}
"""Programs by how they end."""


THREADS = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder everybody may read, for bots of other users."""
    path = Path(tempfile.mkdtemp(prefix="mtref-newborn-", dir="/tmp"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def entry_of(script: Path) -> Entry:
    return Entry(script.stem, str(script), (sys.executable, str(script)), script, None)


def run(level: Level, script: Path, process: LauncherProcess) -> tuple[int | None, bytes]:
    """The status and the output of a file as a bot of this level."""

    async def body() -> tuple[int | None, bytes]:
        isolation = unprotected() if level is Level.NONE else Isolation(choose_sandbox(level))
        seat = process.directory / "1"
        seat.mkdir()
        (seat / "s").touch()
        prepared = isolation.prepare(entry_of(script), [], seat / "s", "token", seat / "scratch")
        async with Launcher(process) as launcher:
            bot = await launcher.spawn(prepared.argv, prepared.env, seat / "out", forked=True)
            async with asyncio.timeout(60):
                await bot.ended()
            status, output = bot.exited.result(), bot.output()
        prepared.release()
        isolation.sandbox.close()
        return status, output.replace(str(process.directory).encode(), b"RUN")

    return asyncio.run(body())


def both(level: Level, script: Path) -> list[tuple[int | None, bytes]]:
    """As a fork of a preloaded Python, and as a Python of its own."""
    entries = [entry_of(script)]
    return [
        run(level, script, launcher_for(level, entries)),
        run(level, script, start_launcher(make_run_directory())),
    ]


@pytest.mark.parametrize("level", FORKING, ids=str)
def test_a_fork_finds_what_a_python_of_its_own_finds(level: Level, folder: Path) -> None:
    script = folder / "mirror.py"
    shutil.copy(MIRROR, script)
    (folder / "__main__.py").touch()  # as in a folder that can be run
    outputs = both(level, script)
    assert [status for status, _ in outputs] == [0, 0], outputs
    fork, own = (json.loads(output) for _, output in outputs)
    assert fork.pop("preloaded") and not own.pop("preloaded"), "what is compared are two different things"
    differing = {key: (fork[key], own[key]) for key in own if fork[key] != own[key]}
    assert fork.keys() == own.keys()
    for key, (one, other) in differing.items():
        assert one == other, key


@pytest.mark.parametrize("name", ENDS)
def test_a_fork_ends_as_a_python_of_its_own_does(name: str, folder: Path) -> None:
    script = folder / "bot.py"
    script.write_text(ENDS[name], "utf-8")
    if name == "looks up":
        (folder / "queue.py").write_text("mine = True", "utf-8")
        (folder / "secret_helper.py").touch()
    fork, own = both(Level.NONE, script)
    assert fork == own


def test_a_file_that_is_gone_is_complained_about_in_the_same_words(folder: Path) -> None:
    fork, own = both(Level.NONE, folder / "gone.py")
    assert fork == own and b"can't open file" in own[1]


def test_a_fork_has_no_descriptor_and_no_secret_of_another_bot(folder: Path) -> None:
    """The second bot looks through its own memory for the token of the first, which was started by the same launcher."""
    token = os.urandom(16).hex()
    script = folder / "searcher.py"
    half = len(token) // 2
    script.write_text(
        f"word = {token[:half]!r}.encode() + {token[half:]!r}.encode()\n"
        "found = 0\n"
        "with open('/proc/self/mem', 'rb', 0) as memory:\n"
        "    for line in open('/proc/self/maps'):\n"
        "        begin, end = (int(part, 16) for part in line.split()[0].split('-'))\n"
        "        try:\n"
        "            memory.seek(begin)\n"
        "            found += memory.read(end - begin).count(word)\n"
        "        except (OSError, OverflowError, ValueError):\n"
        "            pass\n"
        "print(found)\n",
        "utf-8",
    )
    idle = folder / "idle.py"
    idle.write_text("import time\nprint('here', flush=True)\ntime.sleep(60)", "utf-8")

    async def body() -> bytes:
        process = launcher_for(Level.NONE, [entry_of(script)])
        async with Launcher(process) as launcher, asyncio.timeout(60):
            words = {"MTREF_TOKEN": token}
            first = await launcher.spawn(
                (sys.executable, str(idle)), words, process.directory / "first", forked=True
            )
            second = await launcher.spawn(
                (sys.executable, str(script)), {}, process.directory / "second", forked=True
            )
            await second.ended()
            assert token.encode() not in environment(first.pid), (
                "a fork's is what its launcher was started with"
            )
            return second.output()

    # The one that is found is the word it put together itself.
    assert asyncio.run(body()).strip() in {b"1", b"2"}


def environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.parametrize(
    ("module", "can_fork"),
    [("import json", True), ("raise RuntimeError", False), ("import absent_module", False), (THREADS, False)],
)
def test_a_python_that_cannot_import_or_has_threads_makes_no_forks(
    module: str, can_fork: bool, folder: Path
) -> None:
    (folder / "imported.py").write_text(f"import os\nos.environ['SET'] = '1'\n{module}", "utf-8")
    code = "from mtref.server.newborn import preload; import os; print(preload(['imported']), 'SET' in os.environ)"
    env = {**os.environ, "PYTHONPATH": str(folder)}
    told = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    assert told.stdout.split() == [str(can_fork), "False"]


def test_who_is_forked() -> None:
    entry = entry_of(MIRROR)
    assert can_be_forked(entry)
    assert not can_be_forked(replace(entry, env=(("A", "b"),)))
    assert not can_be_forked(replace(entry, file=None))

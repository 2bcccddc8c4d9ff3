"""A launcher to start programs with, and what tests of it ask of the machine."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path

from mtref.server.launching import make_run_directory, start_launcher
from mtref.server.processes import Launcher, Process

__all__ = ["DAEMON", "python", "until", "with_launcher"]

Body = Callable[[Launcher, Path], Awaitable[None]]

DAEMON = textwrap.dedent(
    """
    import os, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open(sys.argv[1] + ".part", "w") as file:
                file.write(f"{os.getpid()} {os.getppid()}")
            os.rename(sys.argv[1] + ".part", sys.argv[1])
            time.sleep(600)
        os._exit(0)
    time.sleep(600)
    """
)
"""A program that leaves a daemon behind, in a session of its own, which tells its pid in a file."""


async def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


def with_launcher(body: Body) -> Path:
    directory = make_run_directory()

    async def go() -> None:
        async with Launcher(start_launcher(directory)) as launcher:
            await body(launcher, directory)

    asyncio.run(go())
    return directory


async def python(launcher: Launcher, directory: Path, code: str, *args: str) -> Process:
    return await launcher.spawn([sys.executable, "-c", code, *args], {}, directory / f"{len(code)}.out")

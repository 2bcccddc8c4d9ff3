"""A stand-in for the referee: a launcher, a sandbox, and a folder with the files of a referee and of some bots."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mtref.server.launching import make_run_directory, start_launcher
from mtref.server.processes import Launcher, Process
from mtref.server.processtree import below
from mtref.server.sandbox.choose import Sandbox, choose_sandbox
from mtref.server.sandbox.levels import MIB, Bot, Level, Limits
from mtref.server.sandbox.preload import preload_environment
from mtref.server.sandbox.prepare import Prepared

VILLAINS = Path(__file__).parent / "villains"
LIMITS = Limits(memory=192 * MIB)


@dataclass(slots=True)
class Started:
    """A bot that was started, and how to end it."""

    bot: Bot
    prepared: Prepared
    process: Process
    server: socket.socket

    async def printed(self) -> str:
        """Its first line."""
        async with asyncio.timeout(30):
            while b"\n" not in (output := self.process.output()):
                if self.process.exited.done():
                    raise RuntimeError(f"ended with {self.process.exited.result()}: {output.decode()}")
                await asyncio.sleep(0.005)
        return output.decode().splitlines()[0]

    async def finished(self) -> tuple[int | None, str]:
        """Its status and all it printed, when it has ended by itself."""
        async with asyncio.timeout(60):
            await self.process.ended()
        return self.prepared.status(self.process.exited.result()), self.process.output().decode()

    def host_pid(self) -> int:
        """The number the bot's own program has outside."""
        family = {self.process.pid, *below(self.process.pid)}
        commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in sorted(family)}
        found = [pid for pid, words in commands.items() if words[0] == os.fsencode(sys.executable)]
        return found[-1]


@dataclass(slots=True)
class Arena:
    """A folder with a referee's and two bots' files in it, a launcher, and a sandbox."""

    folder: Path
    run: Path
    launcher: Launcher
    sandbox: Sandbox
    forked: bool = False
    started: list[Started] = field(default_factory=list)
    seats: int = 0

    async def start(self, name: str, *words: str, targets: dict[str, Any] | None = None) -> Started:
        """Start a villain, from a folder of its own, with a seat of its own."""
        self.seats += 1
        seat = self.run / str(self.seats)
        seat.mkdir()
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(seat / "s"))
        server.listen()
        script = self.folder / name / f"{name}.py"
        bot = Bot(
            command=("python", str(script), *words),
            folder=script.parent,
            socket=seat / "s",
            token=secrets.token_hex(32),
            scratch=seat / "tmp",
            hidden=(script.parent / "hidden", self.folder / "games"),
            env={"MTREF_TARGETS": json.dumps(targets or {})},
        )
        prepared = self.sandbox.prepare(bot)
        process = await self.launcher.spawn(
            prepared.argv,
            prepared.env,
            seat / "out",
            thaw=prepared.thaw,
            remove=prepared.cgroups,
            forked=self.forked,
        )
        self.started.append(Started(bot, prepared, process, server))
        return self.started[-1]

    async def clear(self) -> None:
        """End what runs and release it."""
        for started in self.started:
            started.process.kill()
            await started.process.ended()
            started.server.close()
            started.prepared.release()
        self.started.clear()


@contextlib.asynccontextmanager
async def arena(level: str, limits: Limits = LIMITS, *, forked: bool = False) -> AsyncIterator[Arena]:
    os.environ["MTREF_TEST_SECRET"] = "secret"
    sandbox = choose_sandbox(level, limits=limits)
    folder = Path(tempfile.mkdtemp(prefix="mtref-arena-", dir="/tmp"))
    run = make_run_directory()
    try:
        build(folder)
        preload = preload_environment(Level(level)) if forked else None
        async with Launcher(start_launcher(run, preload=preload)) as launcher:
            place = Arena(folder, run, launcher, sandbox, forked)
            yield place
            await place.clear()
        sandbox.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build(folder: Path) -> None:
    """Everything may be read by everybody, except one file: only the sandbox keeps bots from it."""
    folder.chmod(0o755)
    for name in ("attacker", "victim", "bomber", "honest", "daemon"):
        (folder / name).mkdir()
        shutil.copy(VILLAINS / f"{name}.py", folder / name)
        (folder / name / "hidden").write_text("hidden", "ascii")
    shutil.copy(VILLAINS / "sibling.py", folder / "honest")
    (folder / "games").mkdir()
    (folder / "open").mkdir()
    for name in ("victim/secret", "games/log", "games/journal", "games/seed", "games/private"):
        (folder / name).write_text("secret", "ascii")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    (folder / "open").chmod(0o777)
    (folder / "games" / "private").chmod(0o600)

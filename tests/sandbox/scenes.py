"""Scenes with villains, run as a script by `ways.py` as root or as an ordinary user.

``scenes.py LEVEL own|forked SCENE...`` prints one JSON object: what is in force, and by the name of each scene what came of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mtref
from mtref.server.processtree import below
from mtref.server.sandbox.levels import Bot
from tests.sandbox.arena import Arena, Started, arena

IPC_RMID = 0
READABLE = sorted(Path(mtref.__file__).parent.rglob("*.py"))
"""Files that every bot can read. Each run takes one of them, as others may be locking the same ones at the same time."""

BOMBS = ("forks", "memory", "families", "disk", "shared", "big_file", "descriptors")


@contextlib.contextmanager
def targets(place: Arena) -> Iterator[dict[str, Any]]:
    """What there is to attack, before the victim has told where its own things are."""
    tag = secrets.token_hex(8)
    shared_memory = secrets.randbelow(1 << 30) + 1
    files = {name: str(place.folder / "games" / name) for name in ("log", "journal", "seed", "private")}
    service = place.folder / "open" / "service"
    with (
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        named.bind(str(service))
        service.chmod(0o666)
        named.listen()
        abstract.bind(f"\0mtref-referee-{tag}")
        abstract.listen()
        yield {
            **files,
            "referee": os.getpid(),
            "launcher": place.launcher._process.child.pid,
            "port": port.getsockname()[1],
            "service": str(service),
            "abstract": f"mtref-referee-{tag}",
            "rival_abstract": f"mtref-rival-{tag}",
            "rival_file": str(place.folder / "victim" / "secret"),
            "hidden": str(place.folder / "attacker" / "hidden"),
            "open_folder": str(place.folder / "open"),
            "tmp_file": f"/tmp/mtref-channel-{tag}",
            "shm_file": f"/dev/shm/mtref-channel-{tag}",
            "shm_key": shared_memory,
            "shared": str(secrets.choice(READABLE)),
        }
    for name in (f"/tmp/mtref-channel-{tag}", f"/dev/shm/mtref-channel-{tag}"):
        with contextlib.suppress(OSError):
            Path(name).unlink()
    libc = ctypes.CDLL(None)
    libc.shmctl(libc.shmget(shared_memory, 0, 0), IPC_RMID, None)


async def attack(place: Arena) -> dict[str, Any]:
    """Which attacks on a rival, the referee and the machine come off, and whether the token was on a command line."""
    with targets(place) as aims:
        victim = await place.start("victim", targets=aims)
        told = json.loads(await victim.printed())
        found = (
            aims
            | told
            | {
                "rival": victim.host_pid(),
                "rival_token": victim.bot.token,
                "rival_socket": str(victim.bot.socket),
            }
        )
        exposed = [pid for pid in below(os.getpid()) if victim.bot.token.encode() in command_line(pid)]
        attacker = await place.start("attacker", targets=found)
        status, printed = await attacker.finished()
    results = json.loads(printed.splitlines()[-1])
    # A folder inside can be a private copy: what counts is what is there outside.
    results["write to its own folder"] = (place.folder / "attacker" / "written").exists()
    results["write where everybody may"] = (place.folder / "open" / "written").exists()
    return {"status": status, "exposed": exposed, "results": results}


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


async def bombs(place: Arena) -> dict[str, Any]:
    """How much a bomber gets of each thing; None when it was ended. And what the referee then knows."""
    got: dict[str, Any] = {}
    for kind in BOMBS:
        bomber = await place.start("bomber", kind)
        status, printed = await bomber.finished()
        got[kind] = {
            "status": status,
            "got": int(printed) if printed else None,
            "ended_by_memory": bomber.prepared.ended_by_memory(),
        }
    return got


async def honest(place: Arena) -> dict[str, Any]:
    """What an honest bot sees."""
    bot = await place.start("honest", "mtref_sdk", "mtref.rules.game", "grpc")
    greeting = asyncio.create_task(asyncio.to_thread(answer, bot.server))
    status, printed = await bot.finished()
    assert not status, printed
    facts: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return facts | {"token": await greeting == bot.bot.token}


def answer(server: socket.socket) -> str:
    server.settimeout(30)
    caller, _ = server.accept()
    with caller:
        token = caller.recv(256).decode()
        caller.sendall(b"ok")
    return token


async def daemon(place: Arena) -> dict[str, Any]:
    """Whether a daemon survives the bot that left it behind and ended."""
    mark = str(secrets.randbelow(10**9) + 10**9)
    bot = await place.start("daemon", mark)
    await bot.printed()
    seen = marked(mark)
    os.kill(bot.host_pid(), signal.SIGTERM)
    await bot.finished()
    return {"seen": len(seen), "left": len(marked(mark))}


def marked(mark: str) -> list[int]:
    """The processes that sleep for so many seconds."""
    pids = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [pid for pid in pids if command_line(pid).startswith(f"sleep\0{mark}".encode())]


async def hold(place: Arena) -> dict[str, Any]:
    """Hold a bot with a daemon, paused, until this process is killed. Tells what should be gone then."""
    mark = str(secrets.randbelow(10**9) + 10**9)
    bot = await place.start("daemon", mark)
    await bot.printed()
    bot.prepared.freezer(bot.process.pid).freeze()
    facts = {
        "mark": mark,
        "cgroups": bot.prepared.cgroups,
        "run": str(place.run),
        "folder": str(place.folder),
    }
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
    signal.pause()
    return {}


async def freeze(place: Arena) -> dict[str, Any]:
    """Whether a bot with busy children runs at first and again later, and how many ticks it ran while it was paused."""
    bot = await place.start("daemon", "busy")
    await bot.printed()
    freezer = bot.prepared.freezer(bot.process.pid)
    runs = await moves(bot)
    freezer.freeze()
    freezer.freeze()
    await asyncio.sleep(0.05)
    before = ticks(bot)
    await asyncio.sleep(0.5)
    paused = ticks(bot) - before
    freezer.thaw()
    freezer.thaw()
    again = await moves(bot)
    freezer.freeze()
    bot.process.kill()  # a paused bot can be ended
    await bot.process.ended()
    freezer.thaw()
    kind = type(freezer).__name__
    facts = place.sandbox.in_force
    return {"in_force": facts.freezer, "kind": kind, "runs": runs, "paused": paused, "again": again}


async def moves(bot: Started) -> bool:
    """Whether the bot gets processor time within some seconds."""
    before = ticks(bot)
    async with asyncio.timeout(10):
        while ticks(bot) <= before:
            await asyncio.sleep(0.01)
    return True


def ticks(bot: Started) -> int:
    total = 0
    for pid in {bot.process.pid, *below(bot.process.pid)}:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total


async def cost(place: Arena) -> dict[str, Any]:
    """Milliseconds, least of 40: making ready for a Python that does nothing, its run, and the processor time of both."""
    prepares, runs, processor = [], [], []
    for number in range(40):
        spent = time.process_time(), children_time()
        begun = time.perf_counter()
        seat = place.run / f"cost-{number}"
        seat.mkdir()
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(seat / "s"))
            command = (sys.executable, "-I", "-S", "-c", "pass")
            bot = Bot(command, place.folder / "honest", seat / "s", secrets.token_hex(32), seat / "tmp")
            prepared = place.sandbox.prepare(bot)
            ready = time.perf_counter()
            env = {**os.environ, **prepared.env}
            await asyncio.to_thread(subprocess.run, prepared.argv, env=env, check=True)
            runs.append(time.perf_counter() - ready)
            prepares.append(ready - begun)
            prepared.release()
        processor.append(time.process_time() - spent[0] + children_time() - spent[1])
    return {
        name: min(times) * 1000 for name, times in (("prepare", prepares), ("run", runs), ("cpu", processor))
    }


def children_time() -> float:
    times = os.times()
    return times.children_user + times.children_system


SCENES = {scene.__name__: scene for scene in (attack, bombs, honest, daemon, hold, freeze, cost)}


async def play(level: str, how: str, names: list[str]) -> dict[str, Any]:
    """The scenes, one after the other, in one arena."""
    async with arena(level, forked=how == "forked") as place:
        outcome: dict[str, Any] = {"in_force": place.sandbox.in_force.to_mapping()}
        for name in names:
            outcome[name] = await SCENES[name](place)
            await place.clear()
    return outcome


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(play(sys.argv[1], sys.argv[2], sys.argv[3:]))) + "\n")

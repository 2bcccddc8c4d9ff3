"""Finding out what a level does on this machine by running a canary in it. Neither versions nor files like /.dockerenv tell."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mtref.server.launching import make_run_directory
from mtref.server.sandbox import canary
from mtref.server.sandbox.levels import Bot, Level
from mtref.server.sandbox.prepare import Workshop
from mtref_sdk.errors import MtrefError

__all__ = ["OPENINGS", "Finding", "try_level"]

OPENINGS: Final = {
    "files": "read your files",
    "write": "write outside its folder",
    "processes": "see your processes",
    "memory": "read your processes' memory",
    "signals": "end your processes",
    "network": "use the network",
    "abstract": "reach abstract sockets",
    "namespaces": "make namespaces",
    "locks": "talk through file locks",
}
"""What the canary tries, in words that follow "bots can"."""

TIMEOUT: Final = 30.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What a canary found at one level: what it could do (in the order of `OPENINGS`), and how long that took."""

    openings: tuple[str, ...]
    seconds: float


def promised(level: Level, landlock: int) -> set[str]:
    """What a level must not leave open, or it is not that level. Old versions of Landlock close less (and say so)."""
    if level.strength < Level.LANDLOCK.strength:
        return set()
    every = set(OPENINGS)
    return every - {"signals", "abstract"} if level is Level.LANDLOCK and landlock < 6 else every


def try_level(workshop: Workshop) -> Finding:
    """Run a canary as the bots will be run. Raises MtrefError when it cannot be run, or when the level fails to hold."""
    started = time.perf_counter()
    folder = make_run_directory()
    workshop.announce([str(folder)])
    with _targets(folder) as (targets, referee):
        bot = Bot(
            command=(sys.executable, canary.__file__, json.dumps(targets)),
            folder=Path(canary.__file__).parent,
            socket=folder / "0" / "s",
            token=secrets.token_hex(32),
            scratch=folder / "0" / "tmp",
            cwd=Path("/"),
        )
        prepared = workshop.prepare(bot)
        try:
            could = _run(prepared.argv, {**os.environ, **prepared.env})
        finally:
            prepared.release()
        if not (could.pop("greets", False) and _greeting(referee) == bot.token):
            raise MtrefError("a bot cannot reach the referee from inside")
    openings = tuple(name for name in OPENINGS if could[name])
    broken = promised(workshop.level, workshop.landlock).intersection(openings)
    if broken:
        raise MtrefError(
            f"it does not hold here: bots can {', '.join(OPENINGS[name] for name in sorted(broken))}"
        )
    return Finding(openings, time.perf_counter() - started)


@contextlib.contextmanager
def _targets(folder: Path) -> Iterator[tuple[dict[str, Any], socket.socket]]:
    """Things to attack, made in `folder`: a file, a folder, this process, a port, an abstract socket; and the referee's socket."""
    name = f"mtref-canary-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        (folder / "0").mkdir()
        (folder / "open").mkdir()
        (folder / "open").chmod(0o777)
        secret = folder / "open" / "secret"
        secret.write_text("secret", "ascii")
        secret.chmod(0o644)
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{name}")
        abstract.listen()
        referee = stack.enter_context(socket.socket(socket.AF_UNIX))
        referee.bind(str(folder / "0" / "s"))
        referee.listen()
        port = 0
        with contextlib.suppress(OSError):  # a machine without a network has none to be kept from
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            port = server.getsockname()[1]
        targets = {"file": str(secret), "folder": str(secret.parent), "pid": os.getpid(), "port": port}
        yield targets | {"abstract": name}, referee


def _run(argv: tuple[str, ...], env: dict[str, str]) -> dict[str, bool]:
    try:
        run = subprocess.run(
            argv,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MtrefError(f"a program inside did not end within {TIMEOUT:.0f} s") from error
    except OSError as error:
        raise MtrefError(f"{argv[0]}: {error.strerror}") from error
    complaint = run.stderr.decode("utf-8", "replace").strip().splitlines()
    if run.returncode or not run.stdout:
        raise MtrefError(complaint[-1] if complaint else f"a program inside ended with {run.returncode}")
    could: dict[str, bool] = json.loads(run.stdout)
    return could


def _greeting(referee: socket.socket) -> str:
    referee.settimeout(TIMEOUT)
    caller, _ = referee.accept()
    with caller:
        return caller.recv(256).decode("ascii", "replace")

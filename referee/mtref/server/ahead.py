"""What gets under way while the referee imports what it needs: the launcher, with a Python for the bots, and the trial of the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtref.match.entry import Entry
from mtref.server.launching import LauncherProcess, make_run_directory, start_launcher
from mtref.server.sandbox.levels import AUTO, Level, Limits
from mtref.server.sandbox.preload import preload_environment

if TYPE_CHECKING:
    from concurrent.futures import Future

    from mtref.server.sandbox.choose import Sandbox

__all__ = ["begin", "can_be_forked", "launcher_for"]


def can_be_forked(entry: Entry) -> bool:
    """Whether a bot is a Python file that starts as any other does, so that a fork of a Python can become it."""
    return entry.file is not None and not entry.env


def launcher_for(level: Level, entries: Sequence[Entry], *, live: bool = False) -> LauncherProcess:
    """Start a launcher for these bots, one that forks them where that is possible.

    Bots that are watched as they print, to be debugged, are programs of their own, as their author starts them.
    """
    forks = not live and any(map(can_be_forked, entries))
    preload = preload_environment(level) if forks else None
    return start_launcher(make_run_directory(), live=live, preload=preload)


def begin(
    sandbox: str, require: str | None, limits: Limits, entries: Sequence[Entry], *, live: bool = False
) -> Future[tuple[Sandbox, LauncherProcess]]:
    """Begin to choose the sandbox, as `choose_sandbox` does, and to start a launcher for these bots in it. The caller closes both."""
    launcher = None if sandbox == AUTO else launcher_for(Level(sandbox), entries, live=live)
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - the launcher need not wait for these

    from mtref.server.sandbox.choose import choose_sandbox  # noqa: PLC0415

    def finish() -> tuple[Sandbox, LauncherProcess]:
        try:
            box = choose_sandbox(sandbox, require=require, limits=limits)
        except BaseException:
            if launcher is not None:
                launcher.close()
            raise
        return box, launcher or launcher_for(box.in_force.level, entries, live=live)

    pool = ThreadPoolExecutor(1)  # it waits for programs
    chosen = pool.submit(finish)
    pool.shutdown(wait=False)
    return chosen

"""How the bots of a match are kept apart: the sandbox they run in, what each may read, and whether it may think on others'
moves. What a sandbox is made of is `mtref.server.sandbox`'s business.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mtref.match.entry import Entry
from mtref.server.affinity import only_core
from mtref.server.processes import SpawnError
from mtref.server.sandbox.choose import Sandbox
from mtref.server.sandbox.levels import Bot, InForce, Level, Limits
from mtref.server.sandbox.prepare import Prepared, Workshop
from mtref.server.sandbox.runtime import program

__all__ = ["Isolation", "files_of", "folder_of", "unprotected"]


@dataclass(frozen=True, slots=True)
class Isolation:
    """A sandbox for every bot. Without `pondering` a bot is paused from each answer to its next decision.

    ``secret`` are files and folders that no bot may read, wherever they lie: the logs of the match.
    """

    sandbox: Sandbox
    pondering: bool = True
    secret: tuple[Path, ...] = ()

    @property
    def in_force(self) -> InForce:
        """What holds."""
        return self.sandbox.in_force

    def facts(self, outside: Sequence[int] = (), bots: int = 0) -> dict[str, object]:
        """The same for the result and the log: JSON-able, with the ``line`` for people.

        ``core`` is the one that this process shares with all bots, None if there are more. `outside` are indexes of those of the
        `bots` that others start, and that nobody isolates.
        """
        facts = self.in_force.to_mapping()
        line = str(facts["line"])
        if outside and len(outside) == bots:
            line = "sandbox: none - the bots run elsewhere, started by others"
        elif outside:
            line += f"; bots not isolated, as others start them: {', '.join(str(bot + 1) for bot in outside)}"
        if not self.pondering:
            line += f"; bots that are not on move are paused by {self.in_force.freezer}"
        core = None if outside else only_core()
        if core is not None:
            line += "; referee and bots share one core"
        return {**facts, "pondering": self.pondering, "core": core, "line": line}

    def with_secret(self, target: str | None) -> Isolation:
        """The same, and no bot may read what lies at `target`, which need not exist yet."""
        return self if target is None else replace(self, secret=(*self.secret, Path(target).absolute()))

    def prepare(
        self, entry: Entry, rivals: Sequence[Entry], socket: Path, token: str, scratch: Path
    ) -> Prepared:
        """Make a bot ready to be started. Raises SpawnError for a program that is not there, and MtrefError."""
        path = program(entry.argv, Path.cwd())
        if not os.access(path, os.X_OK):
            number = errno.EACCES if os.path.exists(path) else errno.ENOENT
            raise SpawnError(f"cannot be started: {os.strerror(number)}")
        own = files_of(entry)
        # What lies around a bot's own folder is not shown to it anyway.
        secret = [path for path in self.secret if entry.folder is None or path not in entry.folder.parents]
        others = {path for rival in rivals for path in files_of(rival)}
        return self.sandbox.prepare(
            Bot(
                command=entry.argv,
                folder=folder_of(entry),
                socket=socket,
                token=token,
                scratch=scratch,
                hidden=(*sorted(others - set(own)), *secret),
                env=dict(entry.env),
                cwd=entry.folder or Path.cwd(),
            )
        )


def unprotected() -> Isolation:
    """No isolation at all, without trying anything out: for tests, and for bots that are the user's own."""
    users = "root" if os.geteuid() == 0 else "your user"
    in_force = InForce(Level.NONE, users, "unlimited", "unlimited", "signals")
    return Isolation(Sandbox(in_force, None, Workshop(Level.NONE, Limits())))


def files_of(entry: Entry) -> tuple[Path, ...]:
    """The files a bot's command names besides its program: what its owner wrote."""
    paths = [Path(word).absolute() for word in entry.argv[1:]]
    return tuple(path for path in paths if path.is_file())


def folder_of(entry: Entry) -> Path:
    """The folder a bot may read: its own if it has one, of the first file among its arguments, of its program, or the current one.

    A program found on the PATH belongs to the system and says nothing about where the bot is.
    """
    if entry.folder is not None:
        return entry.folder
    files = files_of(entry)
    if files:
        return files[0].parent
    if "/" in entry.argv[0] and shutil.which(entry.argv[0]):
        return Path(entry.argv[0]).absolute().parent
    return Path.cwd()

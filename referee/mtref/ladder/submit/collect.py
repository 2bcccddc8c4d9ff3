"""Collects the files of one bot, whatever they come from, and refuses what is too much or out of place. No archive is known here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mtref.ladder.submit.limits import MIB, RefusedError, SubmissionLimits
from mtref.text import escape

__all__ = ["PIECE", "BotFile", "BotFiles", "Collector", "path_parts"]

PIECE = 64 * 1024
"""Bytes read at a time."""

_LONGEST_NAME = 255
"""Bytes of a part of a path that a file system takes."""


@dataclass(frozen=True, slots=True)
class BotFile:
    """What is in a file, and whether it is a program."""

    data: bytes
    executable: bool = False


BotFiles = dict[str, BotFile]
"""Files by their path, whose parts are separated by slashes. No path is a folder of another one."""


def path_parts(name: str, limits: SubmissionLimits) -> tuple[str, ...] | None:
    """The parts of a path within a bot's folder, or None for what is left out: hidden files, and Python's compiled ones.

    Raises RefusedError for a path that leads elsewhere, or is no path anybody gives a file.
    """
    if name.startswith("/"):
        raise RefusedError("an absolute path", name)
    if "\\" in name or "\0" in name or name != escape(name, 1_000_000):
        raise RefusedError("a name with a character that no file's name needs", name)
    parts = tuple(part for part in name.rstrip("/").split("/") if part != ".")
    if ".." in parts:
        raise RefusedError("a path that leads out of the bot's folder", name)
    if "" in parts and parts != ("",):
        raise RefusedError("a path with an empty part", name)
    if len(parts) > limits.depth:
        raise RefusedError(f"a path of {len(parts)} parts; at most {limits.depth}", name)
    for part in parts:
        if len(part) > limits.name_length or len(part.encode()) > _LONGEST_NAME:
            raise RefusedError(f"a name of {len(part)} characters; at most {limits.name_length}", name)
    if any(part.startswith(".") or part == "__pycache__" for part in parts):
        return None
    return parts if parts != ("",) else ()


@dataclass(slots=True)
class Collector:
    """The files so far. ``most`` is how many bytes there may be in all."""

    limits: SubmissionLimits
    most: int
    files: BotFiles = field(default_factory=dict)
    _entries: int = 0
    _bytes: int = 0

    def entry(self, name: str) -> tuple[str, ...] | None:
        """One more file or folder, which must not be one too many; its `path_parts`."""
        self._entries += 1
        if self._entries > self.limits.files:
            raise RefusedError(f"more than {self.limits.files} files and folders")
        return path_parts(name, self.limits)

    def file(self, parts: tuple[str, ...], read: Callable[[int], bytes], *, executable: bool) -> None:
        """Take a file in. `read` gives at most so many bytes more of it, and none at its end."""
        path = "/".join(parts)
        if not path:
            raise RefusedError("a file without a name")
        if path in self.files:
            raise RefusedError("is there twice", path)
        pieces: list[bytes] = []
        while piece := read(PIECE):
            self._bytes += len(piece)
            if self._bytes > self.most:
                raise self.too_much()
            pieces.append(piece)
        self.files[path] = BotFile(b"".join(pieces), executable)

    def done(self) -> BotFiles:
        """All files; if they all lie in one folder, as they lie in that. Raises RefusedError when they make no folder."""
        if not self.files:
            raise RefusedError("there is no file in it")
        for path in self.files:
            for folder in _folders(path):
                if folder in self.files:
                    raise RefusedError("is a file and a folder", folder)
        files = self.files
        while len(tops := {path.partition("/")[0] for path in files}) == 1 and tops.isdisjoint(files):
            files = {path.partition("/")[2]: file for path, file in files.items()}
        return files

    def too_much(self) -> RefusedError:
        """The refusal of a bot that is too large."""
        if self.most == self.limits.unpacked_bytes:
            return RefusedError(f"the files are more than {self.limits.unpacked_mb} MiB")
        return RefusedError(
            f"the files are more than {self.limits.ratio} times the archive, and more than {self.most // MIB} MiB"
        )


def _folders(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path

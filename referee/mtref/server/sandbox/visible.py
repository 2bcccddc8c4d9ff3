"""Making files that only root can reach visible to a bot that is another user: which folders to cover, and with what.

A Python in root's home is such a case: nobody but root may enter that folder. In private mounts it is covered by an
empty folder that everybody may enter, and there the Python appears at its own path.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

__all__ = ["Covers", "covers_for"]

Covers = list[tuple[str, list[tuple[str, bool]]]]
"""For each folder to be covered, the paths below it that must remain, and whether they may be written to."""


def covers_for(readable: Iterable[Path], writable: Iterable[Path] = ()) -> Covers:
    """What to cover so that a user who owns nothing and is in no group reaches these paths, as far as modes go."""
    covers: dict[Path, dict[Path, bool]] = {}
    for paths, writes in ((readable, False), (writable, True)):
        for path in paths:
            closed = _closed(path, writes=writes)
            if closed is not None:
                covers.setdefault(closed, {}).update(dict.fromkeys(_open_parts(path, writes=writes), writes))
    inner = [folder for folder in covers if any(other in folder.parents for other in covers)]
    for folder in inner:  # everything below an outer cover hangs on that one
        outer = next(other for other in covers if other in folder.parents and other not in inner)
        covers[outer] |= covers.pop(folder)
    return [
        (str(folder), [(str(path), how) for path, how in kept.items()]) for folder, kept in covers.items()
    ]


def _closed(path: Path, *, writes: bool) -> Path | None:
    """The outermost folder on the way to `path`, or that folder itself, that others may not use; None: all is open."""
    for folder in reversed(path.parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return path if not writes and _is_closed_folder(path) else None


def _is_closed_folder(path: Path) -> bool:
    needed = stat.S_IROTH | stat.S_IXOTH
    return path.is_dir() and path.stat().st_mode & needed != needed


def _open_parts(path: Path, *, writes: bool) -> list[Path]:
    """`path`, or what is in it when the folder itself is closed to others: it will be made anew, and open."""
    if writes or not _is_closed_folder(path):
        return [path] if path.exists() else []
    return [part for entry in sorted(path.iterdir()) for part in _open_parts(entry, writes=writes)]

"""Text files whole: reading one that a person wrote, and writing one so that it is never there by half."""

from __future__ import annotations

from pathlib import Path

from mtref_sdk.errors import ConfigError

__all__ = ["decoded", "read_text", "write_whole"]


_MOST_BYTES = 1 << 24
"""A person writes less; ``/dev/zero`` has no end."""


def read_text(path: str | Path) -> str:
    """The text of the UTF-8 file at `path`. Raises ConfigError with the path when it cannot be read, is too long or something else."""
    try:
        with Path(path).open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except ValueError:
        raise ConfigError("cannot be the name of a file", where=str(path)) from None
    if len(raw) > _MOST_BYTES:
        raise ConfigError(f"is too long; allowed: {_MOST_BYTES} bytes", where=str(path))
    return decoded(raw, str(path))


def decoded(raw: bytes, where: str) -> str:
    """The text that UTF-8 bytes stand for, without a byte order mark; raises ConfigError with `where` they came from."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", where=where) from None


def write_whole(path: Path, text: str) -> None:
    """Make `path` hold `text`, or leave it as it was: it is written beside, and takes its place when it is on the disk.

    What is there and no ordinary file, such as a pipe, is written to. Raises OSError.
    """
    target = path.resolve()  # not in the place of a symbolic link
    if target.exists() and not target.is_file():
        target.write_text(text, "utf-8")
        return
    unfinished = target.with_name(target.name + ".unfinished")
    try:
        unfinished.write_text(text, "utf-8")
        unfinished.replace(target)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise

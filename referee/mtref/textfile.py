"""Reading a small file that a person wrote: settings, a position. What the text means is for others."""

from __future__ import annotations

from pathlib import Path

from mtref_sdk.errors import ConfigError

__all__ = ["decoded", "read_text"]


def read_text(path: str | Path) -> str:
    """The text of the UTF-8 file at `path`. Raises ConfigError with the path when it cannot be read or is something else."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except ValueError:
        raise ConfigError("cannot be the name of a file", where=str(path)) from None
    return decoded(raw, str(path))


def decoded(raw: bytes, where: str) -> str:
    """The text that UTF-8 bytes stand for, without a byte order mark; raises ConfigError with `where` they came from."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", where=where) from None

"""The authors who may hand bots in from elsewhere, and the hashes of their tokens: a small file in the ladder's state folder."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mtref.ladder.configbots import NAME_PATTERN
from mtref.text import escape
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["AUTHORS_FILE", "Authors"]

AUTHORS_FILE: Final = "authors.json"
_TOKEN_BYTES: Final = 32


class Authors:
    """Who may call. A token is random and long, so that its SHA-256 gives nothing away; it is kept nowhere."""

    def __init__(self, state: Path) -> None:
        self._path = state / AUTHORS_FILE

    def names(self) -> list[str]:
        """All authors, sorted. Raises MtrefError when the file cannot be read."""
        return sorted(self._read())

    def add(self, name: str) -> str:
        """Let an author in; the token. One who is there gets a new one, and the old one opens nothing any more."""
        if not re.fullmatch(NAME_PATTERN, name):
            raise ConfigError(
                "cannot be a name: letters, digits and . _ + - only, 40 at most, a letter or digit first",
                key=escape(name),
            )
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._changing() as authors:
            authors[name] = _digest(token)
        return token

    def remove(self, name: str) -> None:
        """Let an author in no more; bots stay. Raises ConfigError when there is no such author."""
        with self._changing() as authors:
            if name not in authors:
                known = ", ".join(sorted(authors)) or "none"
                raise ConfigError(f"is no author; there are: {known}", key=escape(name))
            del authors[name]

    def owner(self, token: str) -> str | None:
        """Whose token this is. How long it takes says nothing about how much of it is right."""
        given = _digest(token)
        found = None
        for name, digest in self._read().items():
            if hmac.compare_digest(given, digest):
                found = name
        return found

    def _read(self) -> dict[str, str]:
        try:
            found: dict[str, str] = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise MtrefError(f"{self._path}: cannot be read: {error}") from error
        return found

    @contextmanager
    def _changing(self) -> Iterator[dict[str, str]]:
        """The authors, written back whole or not at all; one change at a time."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.with_suffix(".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                authors = self._read()
                yield authors
                fresh = self._path.with_suffix(".new")
                descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    json.dump(authors, file, indent=1, sort_keys=True)
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(self._path)
        except OSError as error:
            raise MtrefError(f"{self._path}: cannot be written: {error.strerror}") from error


def _digest(token: str) -> str:
    return hashlib.sha256(b"mtref/author/v1\0" + token.encode("utf-8", "surrogateescape")).hexdigest()

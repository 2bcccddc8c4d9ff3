"""The store of bots that were handed in: a folder for each, called after the hash of what is in it. Nothing in it ever changes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from mtref.ladder.reveal import sync_folder
from mtref.ladder.submit.collect import BotFile, BotFiles
from mtref.ladder.submit.source import MAIN
from mtref_sdk.errors import MtrefError

__all__ = ["Store", "content_of"]


def content_of(files: BotFiles) -> str:
    """What a bot is, as a SHA-256 in hex: of its one Python file, or of the list of its files with the SHA-256 of each."""
    if files.keys() == {MAIN}:
        return hashlib.sha256(files[MAIN].data).hexdigest()
    listed = sorted(
        [path, hashlib.sha256(file.data).hexdigest(), file.executable] for path, file in files.items()
    )
    return hashlib.sha256(b"mtref/bot-files/v1\0" + json.dumps(listed).encode()).hexdigest()


class Store:
    """The bots in a folder, which is made when the first one comes. Raises MtrefError when the disk fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, content: str) -> Path:
        """Where the files of a bot lie."""
        return self.folder / content

    @contextlib.contextmanager
    def staged(self, files: BotFiles) -> Iterator[Path]:
        """The folder of a bot that is not in the store yet, to try it out there; it is gone afterwards unless `keep` was called."""
        fresh = self.folder / f".new-{secrets.token_hex(8)}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for path, file in files.items():
                _write(fresh / path, file)
            for folder in (fresh, *(found for found in fresh.rglob("*") if found.is_dir())):
                folder.chmod(0o755)  # whoever plays it may be another user
                sync_folder(folder)
        except OSError as error:
            shutil.rmtree(fresh, ignore_errors=True)
            raise MtrefError(f"{self.folder}: a bot cannot be kept: {error.strerror}") from error
        try:
            yield fresh
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def keep(self, staged: Path, content: str) -> None:
        """Keep a bot that is staged; one of the same content stays as it is."""
        try:
            with contextlib.suppress(FileExistsError):
                if not self.place(content).exists():
                    staged.rename(self.place(content))
            sync_folder(self.folder)
        except OSError as error:
            raise MtrefError(f"{self.folder}: a bot cannot be kept: {error.strerror}") from error

    def files(self, content: str) -> BotFiles:
        """The files of a bot. Raises MtrefError when they are not there, or not what they were."""
        place = self.place(content)
        try:
            files = {
                path.relative_to(place).as_posix(): BotFile(
                    path.read_bytes(), bool(path.stat().st_mode & 0o100)
                )
                for path in place.rglob("*")
                if path.is_file() and "__pycache__" not in path.parts
            }
        except OSError as error:
            raise MtrefError(f"{place}: cannot be read: {error.strerror}") from error
        if content_of(files) != content:
            raise MtrefError(f"{place}: is missing, or not the bot that was handed in")
        return files


def _write(path: Path, file: BotFile) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(file.data)
        stream.flush()
        os.fsync(stream.fileno())
    path.chmod(0o555 if file.executable else 0o444)

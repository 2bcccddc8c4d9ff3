"""A job and its bots' files in a form that means the same on another machine. Files are known by their content."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from mtref.ladder.config import BotEntry
from mtref.ladder.job import Job, JobBot
from mtref.ladder.submit.collect import BotFiles
from mtref.ladder.submit.store import Store, content_of
from mtref_sdk.errors import ConfigError, MtrefError

__all__ = ["blobs_of", "pack", "store_blobs", "store_folders", "unpack"]

_PYTHON: Final = "{python}"
_FILE: Final = "{file}"
_FOLDERS: Final = "folders"
_FOLDER: Final = "{folder}"


def blobs_of(bots: Iterable[BotEntry]) -> dict[str, bytes]:
    """The files of all bots by the SHA-256 of their contents. Raises ConfigError when one cannot be read."""
    blobs: dict[str, bytes] = {}
    for bot in bots:
        for path in bot.files:
            try:
                data = path.read_bytes()
            except OSError as error:
                raise ConfigError(
                    f"cannot be read: {error.strerror}", key=str(path), where=bot.where
                ) from error
            blobs[_name(data)] = data
    return blobs


def pack(job: Job, bots: Iterable[BotEntry], blobs: Mapping[str, bytes]) -> str:
    """The job as text, in which bots' files, and folders, are named by content and Python is the one over there."""
    names = {str(path): _name_of(path, blobs) for bot in bots for path in bot.files}
    portable = tuple(
        replace(
            bot,
            argv=tuple(_portable(word, names, bot) for word in bot.argv),
            folder=None if bot.folder is None else _FOLDER + bot.content,
        )
        for bot in job.bots
    )
    return replace(job, bots=portable, secret=()).to_json()


def unpack(text: str, folder: Path, logs: Path) -> Job:
    """The job of such a text, with files and folders in `folder` (see `store_blobs`, `store_folders`) and logs in the folder `logs`."""
    job = Job.from_json(text)
    bots = tuple(
        replace(
            bot,
            argv=tuple(_local(word, folder) for word in bot.argv),
            folder=None if bot.folder is None else _local(bot.folder, folder),
        )
        for bot in job.bots
    )
    games = tuple(replace(game, log=str(logs / f"{n}.jsonl.zst")) for n, game in enumerate(job.games))
    return replace(job, bots=bots, games=games)


def store_blobs(blobs: Mapping[str, bytes], folder: Path) -> None:
    """Write files to where `unpack` looks for them, each whole or not at all. Raises MtrefError for a damaged one."""
    for name, data in blobs.items():
        if _name(data) != name:
            raise MtrefError(f"a bot's file arrived damaged: {name[:12]}")
        place = folder / name / "bot"
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_suffix(".new")
        temporary.write_bytes(data)
        temporary.chmod(0o755)
        temporary.replace(place)


def store_folders(folders: Mapping[str, BotFiles], folder: Path) -> None:
    """Keep bots that are folders, by their contents, each whole or not at all. Raises MtrefError for a damaged one."""
    store = Store(folder / _FOLDERS)
    for name, files in folders.items():
        if content_of(files) != name:
            raise MtrefError(f"a bot arrived damaged: {name[:12]}")
        with store.staged(files) as place:
            store.keep(place, name)


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _name_of(path: Path, blobs: Mapping[str, bytes]) -> str:
    """The name of a file as it was when the run began; it must not have changed since."""
    name = _name(path.read_bytes())
    if name not in blobs:
        raise MtrefError(f"{path}: has changed since the run began")
    return name


def _portable(word: str, names: Mapping[str, str], bot: JobBot) -> str:
    if word == sys.executable:
        return _PYTHON
    if bot.folder is not None and word.startswith(f"{bot.folder}/"):
        return _FOLDER + bot.content + word.removeprefix(bot.folder)
    return _FILE + names[word] if word in names else word


def _local(word: str, folder: Path) -> str:
    if word == _PYTHON:
        return sys.executable
    if word.startswith(_FOLDER):
        return str(folder / _FOLDERS / word.removeprefix(_FOLDER))
    return str(folder / word.removeprefix(_FILE) / "bot") if word.startswith(_FILE) else word

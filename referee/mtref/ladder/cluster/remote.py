"""What a machine of the cluster does: it keeps bots' files, and plays a job in a referee process like any other."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from distributed import Worker, WorkerPlugin, get_worker

from mtref.ladder.cluster.parcel import store_blobs, store_folders, unpack
from mtref.ladder.job import read_answer
from mtref.ladder.submit.collect import BotFiles as BotFolder

__all__ = ["BotFiles", "Played", "play_there"]

Played = tuple[list[str], dict[str, bytes]]
"""The answers of a referee as JSON, the last one being the end of the job; and the logs of the games, by game."""

_FOLDER: Final = "mtref-bots"


class BotFiles(WorkerPlugin):  # type: ignore[misc, unused-ignore]
    """Brings bots' files, and folders, to every worker once, also to those that join later."""

    def __init__(
        self, name: str, blobs: Mapping[str, bytes], folders: Mapping[str, BotFolder] | None = None
    ) -> None:
        self.name, self.blobs, self.folders = name, dict(blobs), dict(folders or {})

    def setup(self, worker: Worker) -> None:
        """Store them in the worker's own folder."""
        folder = Path(worker.local_directory) / _FOLDER
        store_blobs(self.blobs, folder)
        store_folders(self.folders, folder)


def play_there(text: str) -> Played:
    """Play a packed job in a process of its own. Raises RuntimeError when that process dies."""
    folder = Path(get_worker().local_directory) / _FOLDER
    logs = Path(tempfile.mkdtemp(prefix="mtref-logs-"))
    try:
        job = unpack(text, folder.absolute(), logs)
        answers = _converse(job.to_json())
        played = {answer.game for answer in map(read_answer, answers) if answer.game is not None}
        return answers, {game.id: Path(game.log).read_bytes() for game in job.games if game.id in played}
    finally:
        shutil.rmtree(logs, ignore_errors=True)


def _converse(line: str) -> list[str]:
    """The answers of a fresh referee to one job. It ends, with its bots, when this process does."""
    command = [sys.executable, "-m", "mtref.ladder.worker"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, cwd="/"
    )
    assert process.stdin is not None and process.stdout is not None
    answers: list[str] = []
    try:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        for text in process.stdout:
            answers.append(text.decode())
            if read_answer(text).game is None:
                return answers
        raise RuntimeError(f"the referee process died on {os.uname().nodename}")
    finally:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

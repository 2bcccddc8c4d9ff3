"""Makes one file of a bot, to be sent to a ladder elsewhere."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import zstandard

from mtref.ladder.submit.limits import SubmissionLimits
from mtref.ladder.submit.source import MAIN, read_bot

__all__ = ["to_send"]

_GENEROUS = SubmissionLimits(
    archive_mb=1024, unpacked_mb=1024, files=100_000, depth=64, name_length=255, ratio=10_000
)
"""What is too much is for the ladder to say."""


def to_send(bot: Path) -> tuple[str, bytes]:
    """The name and the contents of a file that holds the bot: its Python file, or an archive of what belongs to it.

    Raises RefusedError for what no ladder takes, such as links.
    """
    files = read_bot(bot, _GENEROUS)
    if files.keys() == {MAIN} and bot.suffix == ".py":
        return bot.name, files[MAIN].data
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for path, file in sorted(files.items()):
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(file.data), 0o755 if file.executable else 0o644
            archive.addfile(info, io.BytesIO(file.data))
    name = bot.absolute().name if bot.is_dir() else bot.name.partition(".")[0]
    return f"{name}.tar.zst", zstandard.ZstdCompressor().compress(stream.getvalue())

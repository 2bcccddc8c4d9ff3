"""Why a bot, or several, could not be played with. Errors only."""

from __future__ import annotations

from collections.abc import Sequence

from mtref.match.entry import Entry
from mtref.match.incident import last_lines
from mtref.text import escape
from mtref_sdk.errors import MtrefError

__all__ = ["NotReadyError", "StartError"]


class StartError(MtrefError):
    """A bot was not ready before the deal. ``output`` is the last of what it printed."""

    def __init__(self, reason: str, output: bytes) -> None:
        super().__init__(reason)
        self.output = output


class NotReadyError(MtrefError):
    """One or more bots were not ready before the deal, so no game was played. Each with its reason and last output.

    ``bots`` are their positions among the entries, ``reasons`` is the whole text but its beginning.
    """

    def __init__(self, failures: Sequence[tuple[int, Entry, StartError]]) -> None:
        self.bots = tuple(index for index, _, _ in failures)
        parts: list[str] = []
        for index, entry, error in failures:
            lines = last_lines(error.output)
            who = f"bot {index + 1}, {escape(entry.name, 60)} ({escape(entry.command, 100)}),"
            parts.append(f"{who} {error}" + ("; the last it printed:" if lines else ""))
            parts += [f"  | {line}" for line in lines]
        self.reasons = "\n".join(parts)
        super().__init__(f"no game was played: {self.reasons}")

"""Entering versions in a journal as `mtref submit` does, but without trying the bots out."""

from __future__ import annotations

from pathlib import Path

from mtref.ladder.journal import Journal
from mtref.ladder.records import Bot
from mtref.ladder.submit.collect import BotFile
from mtref.ladder.submit.store import Store, content_of

__all__ = ["enter"]


def enter(journal: Journal, store_folder: Path, name: str, text: str, author: str | None = None) -> str:
    """Enter a bot of one Python file; its label."""
    files = {"bot.py": BotFile(text.encode())}
    store, content = Store(store_folder), content_of(files)
    with store.staged(files) as place:
        store.keep(place, content)
    return journal.register.enter(name, Bot(name, content, author, "bot.py")).label

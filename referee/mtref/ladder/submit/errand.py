"""A process that takes one bot in, or plays one unrated game, for a ladder that is served: strangers' archives and bots stay out of that
process. It reads one JSON object from stdin and answers on stdout, an object a line. Run as ``python -m``.

It ends when stdin does, and its bots with it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtref.ladder.config import LadderConfig
from mtref.ladder.configfile import load_config
from mtref.ladder.journal import open_journal
from mtref.ladder.reveal import reveal_in_logs
from mtref.ladder.roster import Roster
from mtref.ladder.submit.admission import admit, default_name, friendly_game
from mtref.ladder.submit.source import read_sent
from mtref.ladder.worker import Sandboxes
from mtref_sdk.errors import MtrefError

__all__ = ["main"]

Say = Callable[[Mapping[str, Any]], None]


async def _submit(config: LadderConfig, order: Mapping[str, Any], say: Say) -> None:
    """Answers ``{"step": …}`` for each step, then ``{"admitted": …}``."""
    journal = open_journal(config, create=False)
    try:
        data = await asyncio.to_thread(Path(order["file"]).read_bytes)
        files = read_sent(order["file_name"], data, config.submissions.limits)
        admitted = await admit(
            config,
            journal,
            files,
            order["name"] or None,
            order["author"],
            lambda step: say({"step": asdict(step)}),
            default_name(order["file_name"]),
        )
    finally:
        journal.close()
    say({"admitted": asdict(admitted)})


async def _unrated(config: LadderConfig, order: Mapping[str, Any], say: Say) -> None:
    """Answers ``{"seats": […]}`` once the log is where it was ordered, its seed in it."""
    journal = open_journal(config, create=False)
    sandboxes = Sandboxes()
    log = Path(order["log"])
    try:
        roster = Roster(config, journal)
        table = [roster.index(label) for label in order["bots"]]
        seated = [(roster.entry(bot), roster.bots[bot].content) for bot in table]
        answer, seed = await friendly_game(config, seated, log, sandboxes)
    finally:
        sandboxes.close()
        journal.close()
    if answer.game is None:
        raise MtrefError(answer.reason.partition("\n")[0])
    reveal_in_logs([(log, seed)])
    say({"seats": [asdict(seat) for seat in answer.seats]})


async def _run(say: Say) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    order = json.loads(await reader.readline())
    task = {"submit": _submit, "unrated": _unrated}[order["task"]]
    job = asyncio.ensure_future(task(load_config(Path(order["ladder"])), order, say))
    end = asyncio.ensure_future(reader.read())
    await asyncio.wait({job, end}, return_when=asyncio.FIRST_COMPLETED)
    end.cancel()
    if not job.done():
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        return
    job.result()


def main() -> None:
    """Do what stdin says. What cannot be done is answered as ``{"refused": reason}``."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints by accident is no answer

    def say(answer: Mapping[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")

    try:
        asyncio.run(_run(say))
    except MtrefError as error:
        say({"refused": str(error)})


if __name__ == "__main__":
    main()

"""Runs errands (`mtref.ladder.submit.errand`) in processes of their own, a few at a time, and ends those nobody waits for any more."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from mtref.ladder.referees import end_process

__all__ = ["Errands"]

_TOGETHER: Final = 1
"""Errands at a time: they take processors from the ladder's games."""

_LIMIT_SECONDS: Final = 600.0
_LINE_LIMIT: Final = 1024 * 1024


class Errands:
    """Starts errands in turn."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_TOGETHER)

    async def run(self, order: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to an order, the last of which is no step. Close it to end the errand."""
        async with self._slots:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "mtref.ladder.submit.errand"),
                stdin=PIPE,
                stdout=PIPE,
                limit=_LINE_LIMIT,
                start_new_session=True,
            )
            try:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps(order).encode() + b"\n")
                until = asyncio.get_running_loop().time() + _LIMIT_SECONDS
                answer: dict[str, Any] = {"step": None}
                while "step" in answer:
                    answer = await _answer(process.stdout, until)
                    yield answer
            finally:
                await end_process(process)


async def _answer(stream: asyncio.StreamReader, until: float) -> dict[str, Any]:
    try:
        async with asyncio.timeout_at(until):
            line = await stream.readline()
    except TimeoutError:
        return {"refused": f"it took more than {_LIMIT_SECONDS / 60:.0f} minutes"}
    if not line:
        return {"refused": "the referee failed, which is not the bot's fault; try again"}
    found: dict[str, Any] = json.loads(line)
    return found

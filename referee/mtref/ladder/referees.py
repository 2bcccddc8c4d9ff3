"""Who plays jobs: a port of two methods, and its implementation with referee processes on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Final, Protocol

from mtref.ladder.job import Answer, Job, read_answer
from mtref.server.affinity import Cores, pin
from mtref_sdk.errors import MtrefError

__all__ = ["LocalReferees", "LostError", "Referees", "end_process"]

_LINE_LIMIT: Final = 16 * 1024 * 1024
_LEAVE_SECONDS: Final = 5.0


class LostError(MtrefError):
    """Who played the job is gone, and nobody knows how far it got beyond what was said."""


class Referees(Protocol):
    """Plays jobs, several at the same time. The same job may be handed in again after it was lost."""

    async def play(self, job: Job, hear: Callable[[Answer], None]) -> Answer:
        """Play a job; `hear` is told of each finished game. The last answer. Raises LostError.

        When cancelled, the job ends at once.
        """

    async def close(self) -> None:
        """End everything that still runs."""


class LocalReferees:
    """Referee processes on this machine, started when needed and used again; each plays one job at a time.

    With `pinned` each has a core for itself and its bots, as far as there are enough.
    """

    def __init__(self, *, pinned: bool = False) -> None:
        self._cores = Cores() if pinned else None
        self._idle: list[Process] = []
        self._all: dict[Process, int | None] = {}

    async def play(self, job: Job, hear: Callable[[Answer], None]) -> Answer:
        """See the port."""
        process = self._idle.pop() if self._idle else await self._start()
        try:
            answer = await self._converse(process, job, hear)
        except BaseException:
            await self._end(process)
            raise
        self._idle.append(process)
        return answer

    async def close(self) -> None:
        """See the port."""
        await asyncio.gather(*(self._end(process) for process in list(self._all)))

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "mtref.ladder.worker",
            stdin=PIPE,
            stdout=PIPE,
            limit=_LINE_LIMIT,
            start_new_session=True,
        )
        self._all[process] = core = self._cores.take() if self._cores else None
        if core is not None:
            pin(core, process.pid)  # it has no thread and no bot before it has a job
        return process

    async def _converse(self, process: Process, job: Job, hear: Callable[[Answer], None]) -> Answer:
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(job.to_json().encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                answer = read_answer(line)
                if answer.game is None:
                    return answer
                hear(answer)
        except ConnectionError:
            pass
        raise LostError("the referee process died")

    async def _end(self, process: Process) -> None:
        core = self._all.pop(process, None)
        if process in self._idle:
            self._idle.remove(process)
        await end_process(process)
        if self._cores and core is not None:
            self._cores.give_back(core)


async def end_process(process: Process) -> None:
    """Close the stdin of a process that plays, at which it ends its bots and itself; by force if it does not."""
    assert process.stdin is not None
    with contextlib.suppress(ConnectionError):
        process.stdin.close()
    try:
        async with asyncio.timeout(_LEAVE_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()

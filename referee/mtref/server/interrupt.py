"""Runs the referee's coroutine so that a signal ends it in good order: bots are ended and logs closed first."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

__all__ = ["Interrupted", "run_until_signal"]

Result = TypeVar("Result")

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal ended the run; ``number`` says which. Like KeyboardInterrupt it is no error of the program."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def run_until_signal(job: Coroutine[Any, Any, Result]) -> Result:
    """The result of `job`, run in a loop of its own. Raises Interrupted when a signal came, after `job` cleaned up."""
    caught: list[int] = []

    async def main() -> Result:
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(job)

        def interrupt(number: int) -> None:
            caught.append(number)
            task.cancel()

        for number in _SIGNALS:
            loop.add_signal_handler(number, interrupt, number)
        return await task

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        if not caught:
            raise
        raise Interrupted(caught[0]) from None

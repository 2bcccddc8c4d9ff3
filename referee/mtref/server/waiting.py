"""Two ways to wait that asyncio has not: for the first of several things, and for one thing whatever happens to the waiter."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine

__all__ = ["first", "to_the_end"]


async def first(*jobs: Awaitable[object], timeout: float | None = None) -> bool:
    """Wait for the first of these, or so many seconds, and drop the rest. Whether one of them came."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        done, _ = await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return bool(done)


async def to_the_end(job: Coroutine[object, object, None]) -> None:
    """Do this, all of it, also when the caller is cancelled meanwhile, however often: that is raised afterwards."""
    task = asyncio.ensure_future(job)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled

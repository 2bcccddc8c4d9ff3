"""Playing at several tables over one stream: the bot chooses in the main thread while another one reads and writes.

Answers made within a millisecond travel together; none waits longer, however long the bot thinks about the next table.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from queue import SimpleQueue
from threading import Thread
from typing import Final, Protocol

from mtref_sdk._proto import mtref_pb2 as pb
from mtref_sdk.messages import handle
from mtref_sdk.session import BotSession

__all__ = ["Crowd"]

TOGETHER: Final = 0.001
"""Seconds an answer may wait for others to travel with."""

SWITCH: Final = 0.0005
"""Seconds after which a choosing bot lets the other thread look; Python's own default is five times `TOGETHER`."""


class Carrier(Protocol):
    """The stream to the referee, as the thread sees it that reads and writes."""

    async def read(self) -> pb.FromReferee | None:
        """The next message of the referee; None when there are no more."""

    async def write(self, answers: bytes) -> bool:
        """Send answers, as a serialised ``FromBot``; False when the stream has ended, perhaps just now."""

    async def leave(self) -> None:
        """End the stream from our side in good order, if it has not ended."""


class Crowd:
    """Carries messages between a stream, run by `loop` in a thread of its own, and `session` in this one."""

    def __init__(self, session: BotSession, loop: asyncio.AbstractEventLoop, stream: Carrier) -> None:
        self._session, self._loop, self._stream = session, loop, stream
        self._messages: SimpleQueue[pb.FromReferee | None] = SimpleQueue()
        self._answers: deque[bytes] = deque()
        self._delivered = 1  # messages, counted by the carrying thread; `play` has the first
        self._handled = 0  # messages, counted by the choosing thread
        self._done = asyncio.Event()
        self._wake = asyncio.Event()

    def play(self, message: pb.FromReferee | None) -> None:
        """Play from the first message until the stream ends. Raises what the bot raises, its answers sent before."""
        sys.setswitchinterval(SWITCH)
        carrier = Thread(target=self._loop.run_until_complete, args=(self._carry(),), daemon=True)
        carrier.start()
        try:
            while message is not None:
                for answer in handle(self._session, message):
                    self._answers.append(answer)
                self._handled += 1
                self._loop.call_soon_threadsafe(self._wake.set)
                message = self._messages.get()
        finally:
            self._loop.call_soon_threadsafe(self._done.set)
            self._loop.call_soon_threadsafe(self._wake.set)
            carrier.join()

    async def _carry(self) -> None:
        """Read and write until one of the two ends; then the main thread is told that no more messages come."""
        reader = asyncio.ensure_future(self._deliver())
        try:
            await self._send()
            await self._stream.leave()  # a reader that is cancelled cancels the call
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            self._messages.put(None)

    async def _deliver(self) -> None:
        """Hand every message to the main thread, and None at the end of the stream."""
        message: pb.FromReferee | None = pb.FromReferee()
        while message is not None:
            message = await self._stream.read()
            self._delivered += 1
            self._messages.put(message)
            self._wake.set()

    async def _send(self) -> None:
        """Write answers when a message has been worked through, and every `TOGETHER` while one is."""
        while not self._done.is_set() or self._answers:
            self._wake.clear()
            answers = b"".join([self._answers.popleft() for _ in range(len(self._answers))])
            if answers and not await self._stream.write(answers):
                return
            if self._handled < self._delivered and not self._done.is_set():
                await _either(self._wake, TOGETHER)
            elif not self._answers and not self._done.is_set():
                await self._wake.wait()


async def _either(event: asyncio.Event, seconds: float) -> None:
    """Wait for `event`, but not longer than `seconds`."""
    timer = asyncio.get_running_loop().call_later(seconds, event.set)
    await event.wait()
    timer.cancel()

"""Playing at several tables over one stream: answers made within a millisecond travel together, and none waits longer, however
long the bot thinks about the next table.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from threading import Event, Lock, Thread
from typing import Final, Protocol

__all__ = ["Crowd"]

TOGETHER: Final = 0.001
"""Seconds an answer may wait for others to travel with."""

SWITCH: Final = 0.0005
"""Seconds after which a choosing bot lets the other thread look; Python's own default is five times `TOGETHER`."""


class Carrier(Protocol):
    """The stream to the referee."""

    def write(self, *messages: bytes) -> None:
        """Send messages."""


class Crowd:
    """Sends the answers to one message of the referee together: `add` each, then `flush`; a thread sends those that have waited."""

    def __init__(self, stream: Carrier) -> None:
        self._stream = stream
        self._answers: deque[bytes] = deque()
        self._sending = Lock()
        self._waiting = Event()
        sys.setswitchinterval(SWITCH)
        Thread(target=self._send_in_time, daemon=True).start()

    def add(self, answer: bytes) -> None:
        """An answer, as a serialised ``FromBot``."""
        self._answers.append(answer)
        if not self._waiting.is_set():
            self._waiting.set()

    def flush(self) -> None:
        """Send all of them."""
        with self._sending:
            answers = b"".join([self._answers.popleft() for _ in range(len(self._answers))])
            if answers:
                self._stream.write(answers)

    def _send_in_time(self) -> None:
        while True:
            self._waiting.wait()
            time.sleep(TOGETHER)
            self._waiting.clear()  # before: what is added from now on wakes us again
            self.flush()

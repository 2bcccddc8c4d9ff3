"""One timer for every decision of every bot: it looks at whose time is over, and sleeps until the next may be."""

from __future__ import annotations

import asyncio
import time

from mtref.server.link import Link

__all__ = ["Watchdog"]


class Watchdog:
    """Watches links. Tell it by `look` when a link's deadline may have come nearer; later ones it finds by itself."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._links: set[Link] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def watch(self, link: Link) -> None:
        """Look after this link too."""
        self._links.add(link)

    def forget(self, link: Link) -> None:
        """Do not look after this link any more."""
        self._links.discard(link)

    def look(self, link: Link) -> None:
        """A decision was sent to this link, or answered by it."""
        deadline = link.queue.deadline()
        if deadline is not None and (self._timer is None or deadline < self._due):
            self._sleep_until(deadline)

    def close(self) -> None:
        """Never wake again."""
        self._links.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _sleep_until(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        # The loop's clock is time.monotonic, and a timer may be a little early.
        self._timer = self._loop.call_later(max(0.0, due - time.monotonic()) + 0.001, self._wake)

    def _wake(self) -> None:
        self._timer = None
        for link in list(self._links):
            while link.expire(time.monotonic()):
                pass
        for link in self._links:
            self.look(link)

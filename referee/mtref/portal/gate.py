"""Who calls, and whether that is too often. Tokens are checked before anything of a call is read."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from mtref.ladder.authors import Authors
from mtref.server.wiring import grpc
from mtref_sdk.errors import MtrefError

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]

__all__ = ["Allowance", "AskError", "Gate"]

_PREFIX = "Bearer "


class AskError(MtrefError):
    """A request that is not granted: the status of the call, and why."""

    def __init__(self, status: grpc.StatusCode, why: str) -> None:
        self.status = status
        super().__init__(why)


class Allowance:
    """So many calls of each author in so many seconds."""

    def __init__(self, count: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._count, self._seconds, self._now = count, seconds, now
        self._taken: dict[str, deque[float]] = {}

    def take(self, author: str) -> None:
        """One call more. Raises AskError when it is one too many."""
        now = self._now()
        taken = self._taken.setdefault(author, deque())
        while taken and taken[0] <= now - self._seconds:
            taken.popleft()
        if len(taken) >= self._count:
            wait = taken[0] + self._seconds - now
            raise AskError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"at most {self._count} in {self._seconds:.0f} s; try again in {wait:.0f} s",
            )
        taken.append(now)


class Gate:
    """Lets authors in."""

    def __init__(self, authors: Authors) -> None:
        self._authors = authors

    def author(self, context: Context) -> str:
        """Who calls. Raises AskError when the token is nobody's."""
        given = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
        texts = [value if isinstance(value, str) else value.decode("latin-1") for value in given]
        owner = None
        if len(texts) == 1 and texts[0].startswith(_PREFIX):
            owner = self._authors.owner(texts[0].removeprefix(_PREFIX))
        if owner is None:
            raise AskError(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong")
        return owner

"""What the next message to a bot process will say, while it is gathered."""

from __future__ import annotations

from mtref.server.place import Place
from mtref.server.queue import Waiting
from mtref_sdk._proto import mtref_pb2 as pb

__all__ = ["Outgoing"]


class Outgoing:
    """The next message: serialised ``updates``, `others` of its parts, and the decisions in it, whose time has not begun (``asked``)."""

    def __init__(self) -> None:
        self.updates: list[bytes] = []
        self.asked: list[Waiting[Place]] = []
        self._others: pb.FromReferee | None = None

    @property
    def others(self) -> pb.FromReferee:
        """All parts but updates; there seldom are any."""
        if self._others is None:
            self._others = pb.FromReferee()
        return self._others

    def compose(self, now: float) -> bytes | None:
        """The message, after which the next one is empty; None if there is nothing to say. The time of its decisions begins at `now`."""
        parts = self.updates
        if self._others is not None:
            parts = [
                self._others.SerializeToString(),
                *parts,
            ]  # serialised messages one after another are one
            self._others = None
        if not parts:
            return None
        self.updates = []
        for waiting in self.asked:
            waiting.sent = now
        self.asked.clear()
        return b"".join(parts)

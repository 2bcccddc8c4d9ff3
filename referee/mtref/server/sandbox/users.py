"""One user id for each running bot, when the referee is root: no two bots, of this referee or another, share one."""

from __future__ import annotations

import os
import socket
from typing import Final

from mtref_sdk.errors import MtrefError

__all__ = ["SEAT_USERS", "SeatUsers"]

SEAT_USERS: Final = range(60600, 61100)
"""Ids that neither distributions nor systemd give to anybody, and that containers with 16-bit maps have too."""


class SeatUsers:
    """Hands out user ids of `SEAT_USERS`.

    An id is held by binding an abstract socket of its name, so the kernel gives it back when this process ends.
    """

    def __init__(self) -> None:
        self._held: dict[int, socket.socket] = {}

    def take(self) -> int:
        """An id nobody holds. Raises MtrefError when all are held."""
        for number in SEAT_USERS:
            if number in self._held:
                continue
            holder = socket.socket(socket.AF_UNIX)
            try:
                holder.bind(f"\0mtref-user-{number}")
            except OSError:
                holder.close()
                continue
            self._held[number] = holder
            return number
        raise MtrefError(f"all {len(SEAT_USERS)} user ids for bots are in use on this machine")

    def give_back(self, number: int) -> None:
        """Nothing runs under this id any more."""
        self._held.pop(number).close()

    def close(self) -> None:
        """Give all back."""
        for number in list(self._held):
            self.give_back(number)

    @staticmethod
    def needed() -> bool:
        """Whether we may, and therefore do, run bots under ids of their own."""
        return os.geteuid() == 0

"""Runs one table over links: passes its questions to the bots and their answers back, until the game is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from mtref.match.fault import FaultKind
from mtref.match.table import TableRun
from mtref.server.link import Link
from mtref.server.place import Place

__all__ = ["Host"]


class Host:
    """One table on its links, one for each seat. ``done`` is set when the game is over and every bot has been told.

    ``unready`` are the seats whose bots failed before the deal, and how: such a game is not to begin, but to be abandoned.
    """

    def __init__(
        self, run: TableRun, links: Sequence[Link], now: Callable[[], float] = time.monotonic
    ) -> None:
        self.run = run
        self._now = now
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.unready: dict[int, str] = {}
        self._dealt = False
        self._asked = 0  # the decision somebody was asked last
        self._gone = 0  # how many seats had forfeited when somebody was let go last
        self._links = links
        self._places = [link.seat(self, seat) for seat, link in enumerate(links)]
        run.on_fault = self._tell_fault

    def begin(self) -> None:
        """Deal. Every bot has been seated, and told the commitment, before."""
        self._dealt = True
        self._step(self.run.start)

    def abandon(self) -> None:
        """There will be no game."""
        for place, link in zip(self._places, self._links, strict=True):
            link.abandon(place)

    def answered(self, code: int, elapsed_ms: float, sent: bytes | None = None) -> None:
        """The bot that was asked answered with the move of this code."""
        if self.done.done():
            return
        try:  # as `_step` does; this is what every decision needs
            self.run.answer(code, elapsed_ms, sent)
            self._go_on()
        except Exception as error:  # noqa: BLE001 - raised again where `done` is awaited
            self.broken(error)

    def failed(
        self,
        place: Place,
        kind: FaultKind,
        message: str,
        elapsed_ms: float | None = None,
        sent: bytes | None = None,
    ) -> None:
        """The bot at `place` failed. One whose stream is lost before the deal may be back when it is asked."""
        if not self._dealt:
            if kind is not FaultKind.DISCONNECT:
                self.unready.setdefault(place.seat, message)
            return
        self._step(self.run.fail, place.seat, kind, message, elapsed_ms, sent)

    def broken(self, error: Exception) -> None:
        """What goes wrong on our side, such as a full disk, ends the match by way of ``done``."""
        if not self.done.done():
            self.done.set_exception(error)

    def _step(self, step: Callable[..., object], *facts: object) -> None:
        if self.done.done():
            return
        try:
            step(*facts)
            self._go_on()
        except Exception as error:  # noqa: BLE001 - raised again where `done` is awaited
            self.broken(error)

    def _go_on(self) -> None:
        """After every change: let go of who forfeited, then ask, or end, or make more default moves in a while."""
        run = self.run
        ask = run.ask
        if run.finished or run.forfeits != self._gone:
            self._let_go()
        if run.finished:
            if not self.done.done():
                self.done.set_result(None)
        elif ask is None:
            asyncio.get_running_loop().call_soon(self._step, self.run.advance)
        elif ask.id != self._asked:
            self._asked = ask.id
            self._links[ask.seat].ask(self._places[ask.seat], ask, self._now())

    def _let_go(self) -> None:
        """Tell the bots that are through with this table."""
        run, now = self.run, self._now()
        self._gone = run.forfeits
        for place, link in zip(self._places, self._links, strict=True):
            gone = run.finished or run.seats[place.seat].forfeited
            if gone and link.places.get(place.number) is place:
                link.finish(place, now)

    def _tell_fault(self, seat: int, kind: FaultKind, message: str, decision: int) -> None:
        self._links[seat].tell_fault(self._places[seat], decision, kind, message)

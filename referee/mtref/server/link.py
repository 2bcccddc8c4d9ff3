"""What goes out to one bot process and what its answers mean, without a stream: bytes and times are passed in."""

from __future__ import annotations

from collections.abc import Callable

from mtref.match.fault import FaultKind
from mtref.match.options import MatchOptions
from mtref.match.question import Ask
from mtref.rules.native import mypyc_attr
from mtref.server.byhand import SECOND_HELLO, Answer, decision_bytes, read_answers, update_bytes
from mtref.server.messages import ask_of, end_part, fault_part, start_part, view_update_bytes
from mtref.server.outgoing import Outgoing
from mtref.server.place import Place, TableHost
from mtref.server.queue import DecisionQueue, Waiting
from mtref_sdk.books import Books
from mtref_sdk.errors import ProtocolError
from mtref_sdk.observation import Observation
from mtref_sdk.varint import numbers

__all__ = ["Link"]


@mypyc_attr(allow_interpreted_subclasses=True)
class Link:
    """One bot process as its tables see it.

    `changed` is called when there is something to write, `hung` when the process is busy with a table that is over
    while others wait. To repeat a decision after a restart it has as long as for a start.
    """

    def __init__(self, changed: Callable[[], None], hung: Callable[[], None], options: MatchOptions) -> None:
        self.places: dict[int, Place] = {}
        self.queue: DecisionQueue[Place] = DecisionQueue()
        self.full_views = False
        self.tables = options.tables  # at most at once
        self._changed, self._hung, self._options = changed, hung, options
        self._out = Outgoing()
        self._told = False  # that there is something to write
        self._suspended = False
        self._numbers = 0
        self._useless = 0
        self._recent: Place | None = None

    def seat(self, host: TableHost, seat: int) -> Place:
        """The bot takes a seat at a table, and is told so."""
        self._numbers += 1
        place = self.places[self._numbers] = Place(host, seat, self._numbers)
        self._start(place)
        self._change()
        return place

    def ask(self, place: Place, ask: Ask, now: float) -> None:
        """Tell the bot what happened at a table, and ask it for a decision there.

        Its time begins when that is written, and now if it never is because the bot does not read.
        """
        seat = place.host.run.seats[place.seat]
        news = seat.take_news()
        asked = decision_bytes(ask)
        place.remember(seat.told, asked)
        if not self._suspended:  # else `resume` tells it
            self._update(place, news, asked)
            allowed_ms = seat.clock.allowed_ms
            self._put_in_line(Waiting(ask.id, place, now, None if allowed_ms is None else allowed_ms / 1000))
            self._change()

    def finish(self, place: Place, now: float) -> None:
        """A table is over for the bot: it forfeited, or the game has ended."""
        run = place.host.run
        del self.places[place.number]
        self.queue.drop_table(place, now)
        if self._suspended:
            return
        if run.seats[place.seat].forfeited:
            self._out.others.ends.append(end_part(place.number, "forfeited"))
        else:
            self._update(place, run.seats[place.seat].take_news(), None)
            self._out.others.ends.append(end_part(place.number, "finished", run.game.totals, run.places))
        self._change()

    def abandon(self, place: Place) -> None:
        """A table will not be played after all."""
        del self.places[place.number]
        if not self._suspended:
            self._out.others.ends.append(end_part(place.number, "aborted"))
            self._change()

    def tell_fault(self, place: Place, decision: int, kind: FaultKind, text: str) -> None:
        """Tell the bot what was wrong with an answer."""
        part = fault_part(place.number, decision, kind, text)
        if part is not None:
            self._out.others.faults.append(part)
            self._change()

    @property
    def idle(self) -> bool:
        """Whether the bot has answered everything that was written."""
        return len(self.queue) <= len(self._out.asked)

    def suspend(self) -> None:
        """The process is gone and another one will come: no time runs until `resume`."""
        self._suspended = True
        self.queue.clear()

    def resume(self, now: float) -> None:
        """A new stream has begun: tell the bot everything it was told before, decisions included.

        The old decisions are answered again, and the answers count for nothing; so a bot that depends on what it is
        told and on its private seed alone is afterwards what it was before.
        """
        since = self.queue.clear()
        self._suspended = self._told = False
        self._out, self._useless = Outgoing(), 0
        for place in self.places.values():
            self._start(place)
            seat, told = place.host.run.seats[place.seat], 0
            pending = place.asked
            for until, asked in place.remembered():
                ask = ask_of(asked, place.seat)
                self._update(place, seat.hearing.of(place.seat, told, until), asked)
                told = until
                repeated = pending is None or ask.id != pending.id
                allowed_ms = self._options.clock.startup_ms if repeated else seat.clock.allowed_ms
                allowed = None if allowed_ms is None else allowed_ms / 1000
                self._put_in_line(
                    Waiting(ask.id, place, now, allowed, repeated=repeated, since=since.get(ask.id))
                )
        self._change()

    def compose(self, now: float) -> bytes | None:
        """The next message to the bot, None if there is nothing to say. The time of its decisions begins at `now`."""
        self._told = False
        return self._out.compose(now)

    def _change(self) -> None:
        """There is something to write, which is told once for each message; besides whenever another decision's time may have begun."""
        first = self.queue.first
        if not self._told or first is None or first.expired or len(self.queue) == 1:
            self._told = True
            self._changed()

    def _put_in_line(self, waiting: Waiting[Place]) -> None:
        self._out.asked.append(waiting)
        self.queue.send(waiting)

    def _start(self, place: Place) -> None:
        run = place.host.run
        place.books = Books(run.options.rules, len(run.seats), place.seat) if self.full_views else None
        self._out.others.starts.append(start_part(place.number, run, place.seat))

    def _update(self, place: Place, news: bytes, asked: bytes | None) -> None:
        """Tell what happened at a table, or how it stands, and what is asked there."""
        if place.books is not None:
            place.books.tell(numbers(news))
            news = b""
        if place.books is None or asked is None:
            update = update_bytes(place.number, news, asked)
        else:
            place.books.catch_up()
            update = view_update_bytes(place.number, Observation.of(place.books.copy()), asked)
        self._out.updates.append(update)

    def received(self, data: bytes, now: float) -> None:
        """The bot sent a message. Answers go to their tables; everything else is somebody's fault."""
        try:
            answers = read_answers(data)
        except ProtocolError as error:
            kind = FaultKind.PROTOCOL if str(error) == SECOND_HELLO else FaultKind.MALFORMED_REPLY
            self._blame_current(kind, str(error), now, data)
            return
        self._take(answers, now, data)

    def _take(self, answers: list[Answer], now: float, sent: bytes) -> None:
        for table, decision, move in answers:
            taken = self.queue.answer(decision, now)
            if taken is None:
                self._stale(table, decision, now, sent)
                if self._useless > self._options.limits.flood and not self.places:
                    return  # nobody is left to blame for the rest, and there may be thousands
                continue
            waiting, elapsed = taken
            self._recent = place = waiting.table
            if waiting.repeated:
                continue
            ask = place.host.run.ask
            if waiting.expired or ask is None or ask.id != waiting.id:
                text = f"decision {waiting.id:016x} was over when its answer came"
                place.host.failed(place, FaultKind.STALE_REPLY, text, sent=sent)
                continue
            self._useless = 0
            if table != place.number:
                text = f"decision {waiting.id:016x} is of table {place.number}, not {table}"
                place.host.failed(place, FaultKind.MALFORMED_REPLY, text, elapsed * 1000, sent)
            else:
                place.host.answered(move, elapsed * 1000, sent)

    def _stale(self, table: int, decision: int, now: float, sent: bytes) -> None:
        """An answer to a decision that is not in line: answered before, or never asked."""
        place = self.places.get(table) or self.current
        self._useless += 1
        if place is None:
            return
        most = self._options.limits.flood
        if self._useless > most:
            self._blame_current(FaultKind.FLOOD, f"more than {most} answers to no decision", now, sent)
        else:
            text = f"no decision {decision:016x} is pending"
            place.host.failed(place, FaultKind.STALE_REPLY, text, sent=sent)

    def _blame_current(self, kind: FaultKind, message: str, now: float, sent: bytes) -> None:
        """Blame the table the process is busy with, and take that decision as answered."""
        place, waiting = self.current, self.queue.first
        if place is None:
            return
        elapsed_ms = None
        if waiting is not None:
            if not (waiting.expired or waiting.repeated):
                elapsed_ms = max(0.0, self.queue.elapsed(waiting, now) * 1000)  # it may be younger than `now`
            self.queue.drop(waiting, now)
        place.host.failed(place, kind, message, elapsed_ms, sent)

    def expire(self, now: float) -> bool:
        """Deal with one decision whose time is over. False when there is none."""
        waiting = self.queue.overdue(now)
        if waiting is None:
            return False
        elapsed_ms = self.queue.elapsed(waiting, now) * 1000
        waiting.expired = True
        place = waiting.table
        if waiting.repeated:
            self.crashed("took too long to repeat its decisions in a fresh process", only=place)
        elif place.asked is not None and place.asked.id == waiting.id:  # else another fault has answered it
            place.host.failed(place, FaultKind.TIMEOUT, f"no answer in {elapsed_ms:.0f} ms", elapsed_ms)
        if self.stuck and self.places:
            self._hung()
        return True

    def disconnected(self) -> None:
        """The stream was lost and the process lives. The time of what it was asked runs on."""
        if (place := self.current) is not None:
            place.host.failed(place, FaultKind.DISCONNECT, "the stream was lost")

    def broken(self, error: Exception) -> None:
        """Something of ours failed on the way between this bot and its tables. No bot is to blame."""
        for place in list(self.places.values()):
            place.host.broken(error)

    @property
    def current(self) -> Place | None:
        """The table the process is busy with: of the first decision in line, else of the last one it answered."""
        first = self.queue.first
        if first is not None:
            return first.table
        if self._recent is not None and self._recent.number in self.places:
            return self._recent
        return next(iter(self.places.values()), None)

    @property
    def stuck(self) -> bool:
        """Whether the process is busy with a table that is over for it, so that the others wait in vain."""
        first = self.queue.first
        return first is not None and first.expired and first.table.number not in self.places

    def crashed(self, message: str, *, kind: FaultKind = FaultKind.CRASH, only: Place | None = None) -> None:
        """The process died, or was ended for what it did: that is the fault of the table it was busy with, and of no other.

        Answers of several tables may travel together, so with several decisions in line that table is not known. Then
        nobody is charged yet: the process that comes instead answers one by one, and if it dies again, it is known.
        """
        if only is None and self.tables > 1:
            self.tables = 1
            if len(self.queue) > 1:
                return
        place = only or self.current
        if place is not None:
            place.host.failed(place, kind, message)

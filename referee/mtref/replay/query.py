"""Which logs somebody looks for. Plain conditions on a header or a summary; no files are opened here."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from mtref.replay.records import BotInfo, LogHeader
from mtref.replay.summary import LogSummary, SeatSummary

__all__ = ["Query"]


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that must all hold; None and empty ask for nothing.

    The first group is about the game: preset's name (pattern), number of seats, rounds that ended, beginnings of the ids
    of game and deal, whether it has an end, when the file was last written (seconds since 1970).

    The others are about one seat, and one and the same seat must meet them all: name of its bot (pattern), another seat
    with such a bot, beginning of its content hash, its number, kinds of fault that it had (each; ``any`` is any kind), whether it
    forfeited, its place, points behind the winner, or for the winner ahead of the next, at least so many; its
    total; a decision that took at least so long. What asks for a result is met by no game without an end.

    Patterns are those of a shell (``*``, ``?``, ``[…]``) and match the whole name, upper and lower case as written.
    """

    rules: str | None = None
    seats: int | None = None
    rounds: int | None = None
    game: str = ""
    deal: str | None = None
    finished: bool | None = None
    since: float | None = None
    until: float | None = None

    bot: str | None = None
    against: str | None = None
    content_hash: str | None = None
    seat: int | None = None
    faults: tuple[str, ...] = ()
    forfeited: bool = False
    place: int | None = None
    lost_by: int | None = None
    won_by: int | None = None
    total_from: int | None = None
    total_to: int | None = None
    slower_than_ms: float | None = None

    def fits_time(self, changed: float) -> bool:
        """Whether a file last written then may be one; asked before it is opened."""
        return (self.since is None or changed >= self.since) and (self.until is None or changed < self.until)

    def fits_header(self, header: LogHeader) -> bool:
        """Whether the game may be one, as far as its header tells; asked before the rest of the file is read."""
        return (
            (self.rules is None or fnmatchcase(str(header.rules.get("preset", "?")), self.rules))
            and self.seats in {None, header.seats}
            and header.game.startswith(self.game)
            and self.deal in {None, header.deal}
            and any(self._fits_bot(header.bots, seat) for seat in range(header.seats))
        )

    def matching(self, summary: LogSummary) -> tuple[int, ...]:
        """The seats of a game, whose header fits, that meet every condition; none if the game itself does not."""
        if self.rounds not in {None, summary.rounds} or self.finished not in {None, summary.finished}:
            return ()
        bots = tuple(seat.bot for seat in summary.seats)
        return tuple(
            seat.seat for seat in summary.seats if self._fits_bot(bots, seat.seat) and self._fits_result(seat)
        )

    def _fits_bot(self, bots: tuple[BotInfo, ...], seat: int) -> bool:
        others = (bot.name for other, bot in enumerate(bots) if other != seat)
        return (
            self.seat in {None, seat}
            and (self.bot is None or fnmatchcase(bots[seat].name, self.bot))
            and (self.content_hash is None or (bots[seat].content_hash or "").startswith(self.content_hash))
            and (self.against is None or any(fnmatchcase(name, self.against) for name in others))
        )

    def _fits_result(self, seat: SeatSummary) -> bool:
        return (
            all(seat.faults if kind == "any" else kind in seat.faults for kind in self.faults)
            and (seat.forfeited or not self.forfeited)
            and (self.slower_than_ms is None or (seat.slowest_ms or -1) >= self.slower_than_ms)
            and (self.total_from is None or seat.total >= self.total_from)
            and (self.total_to is None or seat.total <= self.total_to)
            and self.place in {None, seat.place}
            and (self.lost_by is None or (seat.place != 1 and _at_least(seat.behind, self.lost_by)))
            and (self.won_by is None or (seat.place == 1 and _at_least(seat.behind, self.won_by, sign=-1)))
        )


def _at_least(behind: int | None, points: int, sign: int = 1) -> bool:
    return behind is not None and sign * behind >= points

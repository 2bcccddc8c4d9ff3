"""The result of a match as frozen values, and as JSON (``mtref-result/1``, documented in docs/match.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from mtref.match.entry import Entry
from mtref.match.fault import FaultKind
from mtref.match.incident import Incident
from mtref.match.margin import Margin, margins
from mtref.match.options import MatchOptions
from mtref.match.standing import counted_totals
from mtref.match.table import TableRun
from mtref.match.times import Times

__all__ = ["FORMAT", "BotResult", "GameResult", "MatchFacts", "MatchResult", "SeatResult", "UnplayedGame"]

FORMAT: Final = "mtref-result/1"


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of one game. ``bot`` is the index of its bot in the match.

    ``total`` is what the rules say, ``counted`` what statistics use: for a forfeiter the highest total of the table.
    """

    bot: int
    scores: tuple[int, ...]
    total: int
    counted: int
    place: int
    forfeited: bool
    decisions: int
    times_ms: Times
    faults: dict[str, int]


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game. ``log`` is the path of its log or None; ``digest`` the ``game_digest``."""

    number: int
    game: str
    deal: str
    commitment: str
    digest: str
    rounds: int
    seats: tuple[SeatResult, ...]
    log: str | None

    @classmethod
    def of(cls, table: TableRun, digest: str, log: str | None) -> GameResult:
        """The result of a finished table."""
        totals = table.game.totals
        forfeited = [seat.forfeited for seat in table.seats]
        counted = counted_totals(totals, forfeited)
        seats = tuple(
            SeatResult(
                bot=table.planned.bots[seat.number],
                scores=tuple(scores[seat.number] for scores in table.game.round_scores),
                total=totals[seat.number],
                counted=counted[seat.number],
                place=table.places[seat.number],
                forfeited=seat.forfeited,
                decisions=seat.decisions,
                times_ms=table.times[seat.number],
                faults=seat.fault_counts(),
            )
            for seat in table.seats
        )
        planned = table.planned
        return cls(
            number=planned.number,
            game=planned.game,
            deal=planned.deal,
            commitment=planned.commitment.hex(),
            digest=digest,
            rounds=len(table.game.round_scores),
            seats=seats,
            log=log,
        )

    @property
    def counted_by_bot(self) -> tuple[int, ...]:
        """The counted total of each bot, in the order of the match."""
        return tuple(seat.counted for seat in sorted(self.seats, key=lambda seat: seat.bot))


@dataclass(frozen=True, slots=True)
class UnplayedGame:
    """A game that was not played because the bots with these indexes were not ready; it counts nowhere."""

    number: int
    game: str
    deal: str
    bots: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What else there is to tell of a match.

    ``seed`` is a text that repeats the match as ``--seed``, None when its deals were made elsewhere. ``delay_ms`` is how late the
    referee itself was, None when it was not measured.
    """

    seconds: float
    seed: str | None = None
    unplayed: tuple[UnplayedGame, ...] = ()
    incidents: tuple[Incident, ...] = ()
    delay_ms: Times | None = None


@dataclass(frozen=True, slots=True)
class BotResult:
    """One bot over all games of the match. ``wins`` counts first places, shared ones too."""

    name: str
    command: str
    content_hash: str | None
    games: int
    mean_counted: float
    mean_place: float
    wins: int
    forfeits: int
    decisions: int
    times_ms: Times
    faults: dict[str, int]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A whole match of at least one game. ``transport`` is ``grpc`` or ``in-process``.

    ``margins`` are of every pair of bots, in counted totals.
    """

    options: MatchOptions
    transport: str
    bots: tuple[BotResult, ...]
    games: tuple[GameResult, ...]
    margins: tuple[Margin, ...]
    facts: MatchFacts

    @classmethod
    def of(
        cls,
        options: MatchOptions,
        transport: str,
        entries: Sequence[Entry],
        games: Sequence[GameResult],
        times_ms: Sequence[Sequence[float]],
        facts: MatchFacts,
    ) -> MatchResult:
        """The result of these games, in the order of their numbers; `times_ms` are all times of each bot."""
        ordered = sorted(games, key=lambda game: game.number)
        bots: list[BotResult] = []
        for index, entry in enumerate(entries):
            seats = [seat for game in ordered for seat in game.seats if seat.bot == index]
            faults: Counter[str] = Counter()
            for seat in seats:
                faults.update(seat.faults)
            missing = sum(index in game.bots for game in facts.unplayed)
            if missing:
                faults[FaultKind.START_FAILURE] = missing
            bots.append(
                BotResult(
                    name=entry.name,
                    command=entry.command,
                    content_hash=entry.content_hash,
                    games=len(seats),
                    mean_counted=sum(seat.counted for seat in seats) / len(seats),
                    mean_place=sum(seat.place for seat in seats) / len(seats),
                    wins=sum(seat.place == 1 for seat in seats),
                    forfeits=sum(seat.forfeited for seat in seats),
                    decisions=sum(seat.decisions for seat in seats),
                    times_ms=Times.of(times_ms[index]),
                    faults=dict(faults),
                )
            )
        counted = [(game.deal, game.counted_by_bot) for game in ordered]
        return cls(options, transport, tuple(bots), tuple(ordered), margins(counted), facts)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the result worth less than it looks, one sentence each."""
        clock, delay = self.options.clock, self.facts.delay_ms
        if not clock.enabled or delay is None or delay.max <= clock.margin_ms:
            return ()
        text = (
            f"the referee itself was up to {delay.max:.0f} ms late, more than the margin of {clock.margin_ms:g} ms: "
            "times, and timeouts if there were any, may be its own and not the bots'; let it play with less load"
        )
        return (text,)

    def to_dict(self) -> dict[str, Any]:
        """The result as one JSON object."""
        options, delay = self.options, self.facts.delay_ms
        return {
            "format": FORMAT,
            "rules": options.rules.to_mapping(),
            "seed": options.seed,
            "transport": self.transport,
            "sandbox": None if options.isolation is None else dict(options.isolation),
            "clock": options.clock.to_dict(),
            "policy": options.policy.to_dict(),
            "skip_forced": options.skip_forced,
            "tables": options.tables,
            "bots": [asdict(bot) for bot in self.bots],
            "margins": [asdict(margin) for margin in self.margins],
            "games": [asdict(game) for game in self.games],
            "unplayed": [asdict(game) for game in self.facts.unplayed],
            "incidents": [asdict(incident) for incident in self.facts.incidents],
            "referee_delay_ms": asdict(delay) if delay else None,
            "warnings": list(self.warnings),
            "repeat_seed": self.facts.seed,
            "seconds": round(self.facts.seconds, 3),
        }

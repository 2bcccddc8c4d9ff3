"""Plays a match with bots loaded into this very process: for trusted code and quick statistics. No time limits here.

The bots get the same packed events and decisions as over gRPC, so the same seed gives the same ``game_digest``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from mtref.match.entry import Entry
from mtref.match.fault import FaultKind
from mtref.match.incident import IncidentBook
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame, draw_master_seed, draw_seed_text, plan_games
from mtref.match.result import GameResult, MatchFacts, MatchResult
from mtref.match.table import TableMaker, TableRun
from mtref.replay.records import BotInfo, Record
from mtref_sdk.bot import Bot
from mtref_sdk.errors import ConfigError, MtrefError
from mtref_sdk.game import GameResult as GameOver
from mtref_sdk.game import GameStart
from mtref_sdk.load import load_bot
from mtref_sdk.session import BotSession

__all__ = ["Arranged", "play_in_process"]

_ISOLATION: Final = {
    "level": "none",
    "line": "sandbox: none - bots run inside the referee; they can see each other's hands and do all that it can",
}


@dataclass(frozen=True, slots=True)
class Arranged:
    """Games made elsewhere. ``table`` makes the table of each; without ``reveal`` the seeds stay out of the logs."""

    plan: Sequence[PlannedGame]
    table: TableMaker = TableRun
    reveal: bool = True


def play_in_process(
    options: MatchOptions,
    entries: Sequence[Entry],
    logs: LogPlace,
    now: Callable[[], float],
    on_record: Callable[[Record], None] = lambda _: None,
    on_game: Callable[[GameResult], None] = lambda _: None,
    *,
    arranged: Arranged | None = None,
) -> MatchResult:
    """All games of a match, one after another. `now` gives seconds.

    `on_record` hears of the milestones of each game (see `GameLog`), `on_game` of each finished game. `arranged` None: the
    games are made here.

    Raises ConfigError for a bot that is no Python file, and MtrefError for one that cannot be loaded.
    """
    began = now()
    bots = [_load(entry) for entry in entries]
    options = replace(options, isolation=_ISOLATION)
    seed = None
    if arranged is None:
        seed = draw_seed_text() if options.seed is None else options.seed
        arranged = Arranged(plan_games(draw_master_seed(seed), len(entries), options.games))
    incidents = IncidentBook()
    logs.prepare()
    results: list[GameResult] = []
    times: list[list[float]] = [[] for _ in entries]
    for planned in arranged.plan:
        log = logs.open(planned)
        log.watch = incidents.watching(planned, log, on_record)
        try:
            infos = [_info(entries[bot]) for bot in planned.bots]
            table = arranged.table(planned, options, infos, log.take)
            _Driver(table, [bots[bot] for bot in planned.bots], now).play()
            if arranged.reveal:
                table.reveal_seed()
        finally:
            log.close()
        for seat in table.seats:
            times[planned.bots[seat.number]] += seat.times_ms
        results.append(GameResult.of(table, log.game_digest, str(log.path) if log.path else None))
        on_game(results[-1])
    facts = MatchFacts(now() - began, seed, incidents=incidents.all())
    return MatchResult.of(options, "in-process", entries, results, times, facts)


def _load(entry: Entry) -> Bot:
    if entry.file is None:
        raise ConfigError("can be played --in-process only if it is a .py file", key=entry.command)
    try:
        return load_bot(entry.file)
    except ConfigError as error:
        raise MtrefError(str(error)) from error


def _info(entry: Entry) -> BotInfo:
    return BotInfo(entry.name, entry.command, entry.content_hash)


class _Driver:
    """Carries questions and answers between one table and its bots."""

    def __init__(self, table: TableRun, bots: Sequence[Bot], now: Callable[[], float]) -> None:
        self.table, self.now = table, now
        self.sessions = [BotSession(bot) for bot in bots]
        self.number = table.planned.number

    def play(self) -> None:
        """From the deal to the end."""
        table = self.table
        failed = [self._attempt(partial(self._start, seat)) for seat in range(len(self.sessions))]
        table.start()
        for seat, reason in enumerate(failed):
            if reason:
                table.fail(seat, FaultKind.CRASH, reason)
        while not table.finished:
            if table.ask is None:
                table.advance()
            else:
                self._ask()
        for seat in range(len(self.sessions)):
            if not table.seats[seat].forfeited:
                self._attempt(partial(self._end, seat))

    def _ask(self) -> None:
        table = self.table
        ask = table.ask
        assert ask is not None
        session = self.sessions[ask.seat]
        answers: list[int] = []

        def choose() -> None:
            session.tell(self.number, table.seats[ask.seat].take_news())
            answers.append(session.decide(self.number, ask.legal, ask.may_lift))

        began = self.now()
        reason = self._attempt(choose)
        elapsed_ms = (self.now() - began) * 1000
        if answers:
            table.answer(answers[0], elapsed_ms)
        else:
            table.fail(ask.seat, FaultKind.CRASH, reason, elapsed_ms)

    def _start(self, seat: int) -> None:
        table = self.table
        self.sessions[seat].start(
            GameStart(
                table=self.number,
                game=table.planned.game,
                seat=seat,
                seats=len(self.sessions),
                rules=table.options.rules,
                commitment=table.planned.commitment,
                private_seed=table.private_seed(seat),
            )
        )

    def _end(self, seat: int) -> None:
        table = self.table
        self.sessions[seat].tell(self.number, table.seats[seat].take_news())
        self.sessions[seat].end(self.number, GameOver("finished", table.game.totals, table.places))

    def _attempt(self, action: Callable[[], None]) -> str:
        """Run some of a bot's own code. What it raises would have ended its process: returned as text, else empty.

        Only KeyboardInterrupt goes on: nothing tells one that the bot raised from a Ctrl-C while it was thinking.
        """
        try:
            action()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - others' code may raise anything
            return f"{type(error).__name__}: {error}"
        return ""

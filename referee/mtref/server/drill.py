"""The drill: a ladder of honest bots is played without villains and with them, and no honest bot may notice the difference.

In the ladder honest bots play among themselves, and each villain sits once with some of them; every game has a deal of its own. Without
villains the one who sits in a villain's place is its double, which plays what is to come of it. So every game has a
control game, which it must equal event by event, and whose result the honest bots must have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from mtref.match.clock import ClockSettings
from mtref.match.entry import Entry
from mtref.match.logs import LogPlace
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame, draw_master_seed, plan_games
from mtref.match.result import GameResult, MatchResult
from mtref.server.isolation import Isolation
from mtref.server.leftovers import left_behind, marked, new_mark
from mtref.server.pack import HONEST, Villain
from mtref.server.runner import MatchSetup, NotReadyError, play_match
from mtref.server.sandbox.levels import Level
from mtref_sdk.errors import ConfigError, MtrefError
from mtref_sdk.ruleset import RuleSet

__all__ = ["CLOCK", "Drilled", "HonestScore", "Outcome", "drill", "short"]

CLOCK = ClockSettings(move_ms=1500, bank_ms=500, margin_ms=500, startup_ms=60_000)
"""Enough for an honest bot on a busy machine, and over soon with one that hangs."""

AT_ONCE = 3
"""So many games are played side by side: most villains keep others waiting rather than the processor busy."""


@dataclass(frozen=True, slots=True)
class Drilled:
    """How it went with one villain. ``problems`` are sentences, none when all is well; ``faults`` what it was charged with.

    ``left_out`` says why it did not play at all, if so.
    """

    villain: Villain
    faults: dict[str, int]
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    left_out: str = ""


@dataclass(slots=True)
class HonestScore:
    """One honest bot in the ladder with villains, and in that without: its ``games``, how many of them were ``equal``
    event by event, and its points in both.
    """

    name: str
    games: int = 0
    equal: int = 0
    with_villains: int = 0
    without: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the drill went. ``problems`` are those of the games that honest bots played among themselves."""

    drilled: tuple[Drilled, ...]
    honest: tuple[HonestScore, ...]
    games: int
    problems: tuple[str, ...]

    @property
    def failed(self) -> int:
        """How many villains made a difference; one more for the games without any."""
        return sum(bool(done.problems) for done in self.drilled) + bool(self.problems)


@dataclass(frozen=True, slots=True)
class _Table:
    """One game of the ladder: honest bots by index, and a villain as the last bot, or none."""

    planned: PlannedGame
    company: tuple[int, ...]
    villain: Villain | None


def short(rules: RuleSet) -> RuleSet:
    """The same rules for one round, or as they are where the number of rounds cannot be chosen."""
    try:
        return rules.with_overrides({"rounds": 1})
    except ConfigError:
        return rules


async def drill(
    villains: Sequence[Villain],
    rules: RuleSet,
    seed: str,
    isolation: Isolation,
    *,
    told: Callable[[Drilled], object] = lambda _: None,
    honest: Sequence[Entry] = HONEST,
) -> Outcome:
    """Play both ladders and compare them; `told` hears of each villain as soon as it is known how it went."""
    return await _Drill(villains, rules, seed, isolation, honest).run(told)


class _Drill:
    def __init__(
        self,
        villains: Sequence[Villain],
        rules: RuleSet,
        seed: str,
        isolation: Isolation,
        honest: Sequence[Entry],
    ) -> None:
        self.options = MatchOptions(short(rules), seed=seed, clock=CLOCK)
        self.isolation, self.honest = isolation, honest
        unlimited = isolation.in_force.level is Level.NONE
        self.left_out = [villain for villain in villains if villain.limited and unlimited]
        playing = [villain for villain in villains if villain not in self.left_out]
        self.tables = _plan(playing, rules, seed, len(honest))
        self.scores = [HonestScore(entry.name) for entry in honest]
        self.controls: dict[int, GameResult] = {}
        self.drilled: list[Drilled] = []
        self.problems: list[str] = []

    async def run(self, told: Callable[[Drilled], object]) -> Outcome:
        for villain in self.left_out:
            self._hear(Drilled(villain, {}, left_out="nothing would stop it at this level"), told)
        await self._ladder(self._control)
        await self._ladder(partial(self._real, told=told))
        return Outcome(tuple(self.drilled), tuple(self.scores), len(self.controls), tuple(self.problems))

    async def _ladder(self, play: Callable[[_Table], Awaitable[None]]) -> None:
        """Play all tables, `AT_ONCE` at a time. Raises the first error of ours."""
        slots = asyncio.Semaphore(AT_ONCE)

        async def one(table: _Table) -> None:
            async with slots:
                await play(table)

        try:
            async with asyncio.TaskGroup() as group:
                for table in self.tables:
                    group.create_task(one(table))
        except* MtrefError as errors:
            raise errors.exceptions[0] from None

    def _hear(self, done: Drilled, told: Callable[[Drilled], object]) -> None:
        self.drilled.append(done)
        told(done)

    async def _control(self, table: _Table) -> None:
        """Play a game of the ladder without villains."""
        if table.villain is None or table.villain.ready:
            double = () if table.villain is None else (table.villain.double,)
            self.controls[table.planned.number] = (await self._play(table, *double)).games[0]

    async def _real(self, table: _Table, *, told: Callable[[Drilled], object]) -> None:
        """Play a game of the ladder with villains, and compare."""
        villain = table.villain
        if villain is None:
            game = (await self._play(table)).games[0]
            self.problems += self._compare(table, game)
            return
        mark = new_mark()
        try:
            result = await self._play(table, marked(villain.entry, mark))
        except NotReadyError as error:
            problems = _not_ready(villain, error, len(table.company))
            self._hear(Drilled(villain, {"start_failure": 1}, (*problems, *_remains(mark))), told)
            return
        seat = next(seat for seat in result.games[0].seats if seat.bot == len(table.company))
        problems = self._compare(table, result.games[0]) if villain.ready else ["a game was played"]
        if seat.decisions > villain.honest:  # else it had no chance to be one
            problems += _charges(villain, seat.faults)
        done = Drilled(villain, seat.faults, (*problems, *_remains(mark)), result.facts.seconds)
        self._hear(done, told)

    async def _play(self, table: _Table, *last: Entry) -> MatchResult:
        entries = [*(self.honest[index] for index in table.company), *last]
        setup = MatchSetup(self.isolation, plan=[table.planned])
        return await play_match(self.options, entries, LogPlace(), setup=setup)

    def _compare(self, table: _Table, game: GameResult) -> list[str]:
        """What is not as in the control game; and the scores of the honest bots."""
        control = self.controls[table.planned.number]
        problems = [] if game.digest == control.digest else ["the game is not the control game"]
        for seat, wanted in zip(game.seats, control.seats, strict=True):
            if seat.bot == len(table.company):
                continue
            score = self.scores[table.company[seat.bot]]
            score.games += 1
            score.equal += game.digest == control.digest
            score.with_villains += seat.counted
            score.without += wanted.counted
            if seat.faults:
                problems.append(f"the honest bot {score.name} was charged with {_counts(seat.faults)}")
        return problems


def _plan(villains: Sequence[Villain], rules: RuleSet, seed: str, honest: int) -> list[_Table]:
    """One table for each villain, at which the honest bots take turns, and for every two a table of honest bots alone."""
    least, most = rules.seats
    seats = min(max(3, least), most)
    tables: list[tuple[int, Villain | None]] = []
    for number, villain in enumerate(villains):
        if number % 2 == 0:
            tables.append((seats, None))
        tables.append((seats - 1, villain))
    games = plan_games(draw_master_seed(seed), seats, len(tables))
    return [
        _Table(planned, tuple((planned.number + n) % honest for n in range(count)), villain)
        for planned, (count, villain) in zip(games, tables, strict=True)
    ]


def _not_ready(villain: Villain, error: NotReadyError, bot: int) -> list[str]:
    if not villain.ready and error.bots == (bot,):
        return []
    return [f"no game was played: {error.reasons.splitlines()[0]}"]


def _charges(villain: Villain, faults: dict[str, int]) -> list[str]:
    """What is wrong about what a villain was charged with."""
    missing = sorted(villain.faults - faults.keys())
    others = sorted(faults.keys() - villain.faults - villain.perhaps)
    problems = [f"was not charged with {', '.join(missing)}"] if missing else []
    return [*problems, f"was charged with {', '.join(others)}"] if others else problems


def _counts(faults: dict[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in faults.items())


def _remains(mark: str) -> list[str]:
    left = left_behind(mark)
    return [f"left processes behind: {', '.join(map(str, left))}"] if left else []

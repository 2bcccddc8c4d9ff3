"""What is played next: new versions first, then the ladder's file, then, on request, tables that separate neighbours.

Stages of the file are computed; the others are written down in the journal when they are decided, so that whoever goes on finds
the same plan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from mtref.ladder.config import LadderConfig
from mtref.ladder.count import count_games
from mtref.ladder.course import Course, Stage
from mtref.ladder.journal import Journal
from mtref.ladder.pairing import Standing, arrival_tables, separating_tables
from mtref.ladder.register import PlannedStage, StageKind, current
from mtref.ladder.roster import Roster
from mtref.ladder.standings import order_of, standings
from mtref.ladder.sums import Sums

__all__ = ["Programme", "check_deals"]


class Programme:
    """The stages of one run, in the order in which they are due. `results` gives the sums over all games so far.

    With `endless` there is always something more to play, as long as neighbours are not told apart.
    """

    def __init__(
        self,
        config: LadderConfig,
        journal: Journal,
        roster: Roster,
        course: Course,
        results: Callable[[], Sums],
        *,
        endless: bool,
    ) -> None:
        self._config, self._journal, self._roster, self._course = config, journal, roster, course
        self._results, self._endless = results, endless
        self._file_stages = course.stages(self._standing_before)
        self._file_stage: Stage | None = None
        self._file_ended = self._file_stuck = False
        self._planned = journal.register.stages()
        revealed = {deal.deal for deal in journal.deals() if deal.seed}
        self._left = {stage.number for stage in self._planned if revealed.issuperset(stage.deal_range)}

    @property
    def stage_count(self) -> int:
        """How many stages are known."""
        return self._course.stage_count + len(self._planned)

    def next(self, away: Collection[str]) -> Stage | None:
        """The stage that is due, None if there is none. Bots that are `away` are not put into new stages."""
        self._plan_arrivals(away)
        return (
            self._waiting("arrival") or self._of_file() or self._waiting("separation") or self._separate(away)
        )

    def leave(self, stage: Stage, *, over: bool) -> None:
        """A stage is over; or it is not, and nothing more can be played of it in this run."""
        if stage is self._file_stage:
            self._file_stuck = not over
            if over:
                self._file_stage = None
        else:
            self._left.add(stage.number - self._course.stage_count)

    # -- the ladder's file

    def _of_file(self) -> Stage | None:
        if self._file_stuck or self._file_ended:
            return None
        if self._file_stage is None:
            self._file_stage = next(self._file_stages, None)
            self._file_ended = self._file_stage is None
        return self._file_stage

    def _standing_before(self, deal: int) -> list[int]:
        """All bots of the file, best first, after the games on lower deals; those without a game last, in the file's order."""
        sums = count_games(self._journal, (), below=deal).tally.sums()
        rows = standings(sums, self._config.seats, order_of(self._config.format.kind)).rows
        names = [bot.name for bot in self._config.bots]
        best = [names.index(row.bot) for row in rows]
        return [*best, *(bot for bot in range(len(names)) if bot not in best)]

    # -- stages that are written down

    def _waiting(self, kind: StageKind) -> Stage | None:
        for planned in self._planned:
            if planned.kind == kind and planned.number not in self._left:
                return self._stage(planned)
        return None

    def _stage(self, planned: PlannedStage) -> Stage:
        tables = tuple(tuple(self._roster.index(name) for name in table) for table in planned.tables)
        games = len(tables) * (self._config.seats if self._config.rotation == "rotations" else 1)
        return Stage(self._course.stage_count + planned.number, tables, planned.deal_range, games, 1)

    def _plan(
        self, kind: StageKind, bot: str | None, tables: Sequence[tuple[int, ...]]
    ) -> PlannedStage | None:
        if not tables:
            return None
        last = self._planned[-1].deal_range[-1] if self._planned else self._config.deals_in_file
        stage = PlannedStage(
            number=len(self._planned) + 1,
            kind=kind,
            bot=bot,
            tables=tuple(tuple(self._roster.bots[one].name for one in table) for table in tables),
            first_deal=last + 1,
            deals=self._config.submissions.deals or self._config.deals,
        )
        self._journal.register.plan(stage)
        self._planned.append(stage)
        return stage

    def _plan_arrivals(self, away: Collection[str]) -> None:
        """A stage for every version that plays and has none."""
        had = {stage.bot for stage in self._planned}
        playing = [bot for bot in self._roster.playing() if self._roster.bots[bot].name not in away]
        for version in current(self._roster.versions).values():
            if version.parked is None and version.label not in had:
                new = self._roster.index(version.label)
                others = [bot for bot in playing if bot < new]  # who came later has it among its own others
                tables = arrival_tables(new, others, self._config.seats, self._author)
                self._plan("arrival", version.label, tables)

    def _author(self, bot: int) -> str | None:
        return None if self._config.same_author else self._roster.bots[bot].author

    def _separate(self, away: Collection[str]) -> Stage | None:
        if not self._endless:
            return None
        playing = {self._roster.bots[bot].name: bot for bot in self._roster.playing()}
        names = set(playing).difference(away)
        order = [
            Standing(
                bot=playing[row.bot],
                content=self._roster.bots[playing[row.bot]].content,
                author=self._author(playing[row.bot]),
                group=row.group,
                points=row.rating.points,
                half=row.rating.half,
            )
            for row in standings(self._results(), self._config.seats, "rating", names).rows
        ]
        planned = self._plan("separation", None, separating_tables(order, self._config.seats))
        return None if planned is None else self._stage(planned)


def check_deals(config: LadderConfig, journal: Journal) -> None:
    """Raises ConfigError when the file asks for deals that stages of bots that were handed in have."""
    stages = journal.register.stages()
    if stages and config.deals_in_file >= stages[0].first_deal:
        raise config.error(
            "deals",
            f"deals from {stages[0].first_deal} on are those of bots that were handed in; for more deals give another state folder",
        )

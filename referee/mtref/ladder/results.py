"""What has come of a ladder's games so far, in a run: takes in what referees say and keeps it, log first, result then, seeds last.

Results that come together are kept together, for what takes long is waiting until they are safe on the disk. Nobody is told of
one before it is. Which games are played, and when, is the runner's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from mtref.ladder.config import LadderConfig
from mtref.ladder.count import BLOCK_GAMES, Count, count_games, keep_block
from mtref.ladder.course import Course, Stage
from mtref.ladder.happenings import Conflicted, Happening, Played, Revealed, Unplayed
from mtref.ladder.job import Answer, log_name
from mtref.ladder.journal import Journal, Outcome
from mtref.ladder.parking import Parking
from mtref.ladder.records import ATTEMPTS, Bot, GameRecord, NotPlayed
from mtref.ladder.reveal import keep_logs, reveal_in_logs
from mtref.ladder.schedule import ScheduledGame
from mtref.ladder.sqljournal import now_text

__all__ = ["Results"]


class Results:
    """The results of a ladder. ``over`` are the ids of all games that need not be played, ``given_up`` those without a result.

    ``count`` has the sums over all games with a result, ``played`` counts those of this run.
    """

    def __init__(
        self,
        config: LadderConfig,
        journal: Journal,
        course: Course,
        parking: Parking,
        tell: Callable[[Happening], None],
    ) -> None:
        self._config, self._journal, self._course = config, journal, course
        self._parking, self._tell = parking, tell
        self._mtref = version("mtref")
        self._heard: list[tuple[Answer, ScheduledGame, Path]] = []
        self._open: dict[int, int] = {}
        self._games: dict[int, int] = {}
        self._revealed: set[int] = set()
        self._no_block: dict[int, int] = {}
        self._next_block = BLOCK_GAMES
        self.over: set[str] = set()
        self.given_up: set[str] = set()
        self.count = Count(config.seats, ())
        self.played = 0

    def load(self, *, recompute: bool) -> None:
        """Take in what the journal has. With `recompute` sums that are kept there are not believed."""
        journal = self._journal
        self._revealed = {deal.deal for deal in journal.deals() if deal.seed}
        self.count = count_games(journal, self._course.bots, recompute=recompute, settled=self._revealed)
        self.given_up = {game.id for game in journal.not_played() if game.attempts >= ATTEMPTS}
        self.over = journal.ids() | self.given_up

    def enter(self, bots: Iterable[Bot]) -> None:
        """Bots that have no game yet come in."""
        self.count.selftest.enter(bots)

    @property
    def waiting(self) -> int:
        """The games of this stage that are not over."""
        return sum(self._open.values())

    def begin(self, stage: Stage, active: Callable[[Sequence[int]], bool]) -> None:
        """Begin a stage, or go on with it: its games are over, or some bot is not `active`, or they are to be played."""
        self._journal.commit({deal: self._course.commitment(deal).hex() for deal in stage.deals})
        self._open = dict.fromkeys(stage.deals, stage.games_a_deal)
        for game in (game for batch in self._course.batches(stage) for game in batch.games):
            if self._course.id(game) in self.over or not active(game.bots):
                self._open[game.deal] -= 1

    def reveal(self) -> None:
        """Reveal the seeds of all deals of the stage that are over."""
        self._reveal([deal for deal, left in self._open.items() if not left and deal not in self._revealed])

    # -- games that were played

    def hear(self, answer: Answer, game: ScheduledGame, log: Path) -> None:
        """A game was played. It is kept at the next `keep`."""
        self._heard.append((answer, game, log))

    def keep(self) -> None:
        """Keep all that was heard: logs, then results; then it counts and is told. Raises MtrefError when that fails."""
        heard, self._heard = self._heard, []
        if not heard:
            return
        records = [self._record(answer, game) for answer, game, _ in heard]
        logs = [
            (log, self._config.state / str(record.log))
            for (*_, log), record in zip(heard, records, strict=True)
        ]
        keep_logs(logs)
        over: list[int] = []
        for record, outcome in zip(records, self._journal.add_all(records), strict=True):
            if outcome is Outcome.CONFLICT:
                self._report_conflict(record)
            if record.id in self.over:
                continue
            self.over.add(record.id)
            self.count.add(record)
            self._games[record.deal] = self._games.get(record.deal, 0) + 1
            self._parking.played(record)
            self.played += 1
            self._tell(Played(record))
            over += self._game_over(record.deal)
        self._reveal(over)

    def _record(self, answer: Answer, game: ScheduledGame) -> GameRecord:
        assert answer.game is not None
        place = log_name(answer.game, game.deal)
        if answer.game in self.over:
            place = place.with_name(f"{answer.game[:16]}.{answer.digest[:8]}.jsonl.zst")
        return GameRecord(
            id=answer.game,
            deal=game.deal,
            digest=answer.digest,
            seats=answer.seats,
            log=str(place),
            seconds=answer.seconds,
            at=now_text(),
            mtref=self._mtref,
        )

    def _report_conflict(self, record: GameRecord) -> None:
        for conflict in self._journal.conflicts():
            if conflict.id == record.id and conflict.second == record.digest:
                self._tell(Conflicted(record.id, record.deal, conflict.first, conflict.second))

    # -- games that were not

    def not_played(self, game: ScheduledGame, name: str, reason: str, blamed: tuple[str, ...]) -> None:
        """A game could not be played; after some attempts it is given up."""
        bots = tuple(self._course.bots[bot].name for bot in game.bots)
        entry = NotPlayed(name, game.deal, bots, blamed, reason, 1 if blamed else 0, now_text())
        attempts = self._journal.add_not_played(entry)
        self._tell(Unplayed(replace(entry, attempts=attempts)))
        if attempts >= ATTEMPTS:
            self.given_up.add(name)
            self.over.add(name)
            self._reveal(self._game_over(game.deal))

    # -- deals that are over

    def _game_over(self, deal: int) -> list[int]:
        """One game less to play; the deal, if that was its last one."""
        self._open[deal] -= 1
        return [] if self._open[deal] else [deal]

    def _reveal(self, deals: Sequence[int]) -> None:
        """Put the seeds into the logs of deals, then into the journal; done again if it was interrupted between."""
        if not deals:
            return
        seeds = {deal: self._course.seed(deal) for deal in deals}
        logs = [
            (self._config.state / log, seed)
            for deal, seed in seeds.items()
            for log in self._journal.logs(deal)
        ]
        reveal_in_logs(logs)
        self._journal.reveal({deal: seed.hex() for deal, seed in seeds.items()})
        for deal, seed in seeds.items():
            self._revealed.add(deal)
            self.count.settle(deal)
            self._no_block[deal] = self._games.pop(deal, 0)
            self._tell(Revealed(deal, seed.hex()))

    def keep_block(self) -> None:
        """Keep the sums of some deals in a row that are over, if there are enough of them that are in no block."""
        if sum(self._no_block.values()) < self._next_block:
            return
        row: list[int] = []
        games = 0
        for deal in sorted(self._no_block):
            if row and deal != row[-1] + 1:
                row, games = [], 0
            row.append(deal)
            games += self._no_block[deal]
            if games >= BLOCK_GAMES:
                keep_block(self._journal, self._course.bots, row[0], row[-1])
                for one in row:
                    del self._no_block[one]
                row, games = [], 0
        self._next_block = sum(self._no_block.values()) + BLOCK_GAMES

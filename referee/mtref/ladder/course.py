"""The course of a ladder: its stages, and the deals, seeds and ids of their games. Reads no clock and plays nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from mtref.ladder.config import LadderConfig
from mtref.ladder.contract import game_id, public_id
from mtref.ladder.records import Bot
from mtref.ladder.schedule import Batch, ScheduledGame, authors_of, batches, tables_of
from mtref.ladder.swiss import swiss_tables
from mtref.rules import fairdeal

__all__ = ["Course", "Stage", "check_tables"]


@dataclass(frozen=True, slots=True)
class Stage:
    """Games that can be planned at once: all those of the file, one pairing of a swiss ladder, or those of bots that were handed in.

    ``first`` is the first game's number.
    """

    number: int
    tables: tuple[tuple[int, ...], ...]
    deals: range
    games_a_deal: int
    first: int

    @property
    def games(self) -> int:
        """How many games the stage has."""
        return self.games_a_deal * len(self.deals)


def check_tables(config: LadderConfig) -> None:
    """Raises ConfigError when no table can be made. To be called before the journal is, which would hold the ladder to its bots."""
    next(Course(config, (), None).stages(lambda _: range(len(config.bots))))


class Course:
    """What a ladder with this master seed plays. Without one (None) nothing that needs a seed may be asked.

    `bots` may grow at its end; the stages of the file are those of its bots alone.
    """

    def __init__(self, config: LadderConfig, bots: Sequence[Bot], master: bytes | None) -> None:
        self.config, self.bots = config, bots
        self._master = master
        self._rules = config.rules.to_mapping()

    @property
    def stage_count(self) -> int:
        """How many stages there are."""
        return self.config.format.stages if self.config.format.kind == "swiss" else 1

    def seed(self, deal: int) -> bytes:
        """The seed of a deal."""
        assert self._master is not None
        return fairdeal.deal_seed(self._master, str(deal))

    def commitment(self, deal: int) -> bytes:
        """What is published of it before."""
        return fairdeal.commitment(self.seed(deal), str(deal))

    def id(self, game: ScheduledGame) -> str:
        """The id of a game in the journal."""
        seats = [self.bots[bot] for bot in game.bots]
        return game_id(self._rules, game.deal, self.commitment(game.deal), seats)

    def shown_id(self, game: str, deal: int) -> str:
        """The id of a game that its bots may know."""
        return public_id(self.seed(deal), game)

    def stages(self, standing_before: Callable[[int], Sequence[int]]) -> Iterator[Stage]:
        """The stages in order. `standing_before` gives the bots, best first, after all games on lower deals.

        It is asked when a stage is asked for: of a swiss ladder, not before the stages before are over.
        """
        config = self.config
        games_a_table = config.seats if config.rotation == "rotations" else 1
        if config.format.kind != "swiss":
            tables = tables_of(config)
            yield Stage(1, tuple(tables), range(1, config.deals + 1), len(tables) * games_a_table, 1)
            return
        games: Counter[int] = Counter()
        met: Counter[tuple[int, int]] = Counter()
        number, first = 1, 1
        for start in range(1, config.format.stages * config.deals + 1, config.deals):
            tables = swiss_tables(standing_before(start), config.seats, games, met, authors_of(config))
            games.update(bot for table in tables for bot in table)
            met.update(pair for table in tables for pair in combinations(table, 2))
            deals = range(start, start + config.deals)
            stage = Stage(number, tuple(tables), deals, len(tables) * games_a_table, first)
            yield stage
            number, first = number + 1, first + stage.games

    def batches(self, stage: Stage) -> Iterator[Batch]:
        """The work of a stage, in the order of the plan."""
        return batches(stage.tables, stage.deals, self.config, self._starter, stage.first)

    def _starter(self, deal: int) -> int:
        return fairdeal.first_starter(self.seed(deal), self.config.seats)

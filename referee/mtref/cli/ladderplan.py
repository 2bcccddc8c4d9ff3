"""``mtref ladder init`` and ``mtref ladder plan``: a first file, and what a file would play."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from mtref.cli.ladderfile import ladder_argument
from mtref.cli.laddertables import duration
from mtref.ladder.config import LadderConfig
from mtref.ladder.configfile import load_config
from mtref.ladder.contract import contract_of, entered_bots
from mtref.ladder.count import count_games
from mtref.ladder.course import Course
from mtref.ladder.duration import Cost, estimated_cost, measured_cost
from mtref.ladder.isolation import check_isolation
from mtref.ladder.journal import Journal, NoJournalError, open_journal
from mtref.ladder.listing import read_listing
from mtref.ladder.records import ATTEMPTS
from mtref.ladder.register import current
from mtref.ladder.schedule import ScheduledGame
from mtref.ladder.template import EXAMPLES, template
from mtref.rules import fairdeal
from mtref.text import escape, plural
from mtref_sdk.errors import ConfigError

__all__ = ["init", "plan"]


@click.command("init", short_help="Write a ladder file with every key explained.")
@click.argument(
    "file", type=click.Path(dir_okay=False, path_type=Path), default="ladder.yaml", metavar="[LADDER.YAML]"
)
@click.argument(
    "bots", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="[BOT...]"
)
def init(file: Path, bots: tuple[Path, ...]) -> None:
    """Write a ladder file with every key explained, for these bots (Python files). Without any it names two examples."""
    folder = file.absolute().parent
    names = [os.path.relpath(bot.absolute(), folder) for bot in bots]
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(template(names))
    except FileExistsError:
        raise ConfigError("exists already; give another name", where=str(file)) from None
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", where=str(file)) from None
    missing = [] if bots else [name for name in EXAMPLES if not (folder / name).exists()]
    first = f"put your bots in place of {' and '.join(missing)}" if missing else "look at it"
    click.echo(f"{file} is written; {first}, then: mtref ladder plan {shlex.quote(str(file))}")


@click.command("plan", short_help="Print what would be played, and how long it takes.")
@ladder_argument
@click.option("--summary", is_flag=True, help="Leave out the list of games.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def plan(ladder: Path, *, summary: bool, as_json: bool) -> None:
    """Print exactly what a ladder plays, in order, and about how long it takes. Nothing is played or written.

    Random seats depend on the ladder's secret seed, which is drawn when it begins; before that the bots of a table are
    listed without seats. A swiss ladder's later stages depend on results. For bots that were handed in there is a line.
    """
    config = load_config(ladder)
    found = _Plan(config)
    if as_json:
        click.echo(json.dumps(found.to_dict(with_games=not summary)))
        return
    click.echo("\n".join(found.summary()))
    if not summary:
        for game in found.games():
            seats = ", ".join(config.bots[bot].name for bot in game.bots)
            state = found.state(game)
            click.echo(f"{game.number:>6}  deal {game.deal:<6} {seats}{'  ' + state if state else ''}")


def _besides(journal: Journal) -> list[str]:
    """What is played for bots that were handed in, besides the file's plan."""
    stages, versions = journal.register.stages(), current(journal.register.versions()).values()
    revealed = {deal.deal for deal in journal.deals() if deal.seed}
    lines = [
        f"besides: deals {stage.deal_range[0]} to {stage.deal_range[-1]} at {plural(len(stage.tables), 'table')}"
        + (f" with {stage.bot}" if stage.bot else " of neighbours")
        for stage in stages
        if not revealed.issuperset(stage.deal_range)
    ]
    had = {stage.bot for stage in stages}
    new = [version.label for version in versions if version.parked is None and version.label not in had]
    return [*lines, *([f"new, and played first: {', '.join(new)}"] if new else [])]


class _Plan:
    """What is known of a ladder's plan now."""

    def __init__(self, config: LadderConfig) -> None:
        check_isolation(config)
        self.config = config
        self.over: set[str] = set()
        self.given_up: set[str] = set()
        self.besides: list[str] = []
        self.master = fairdeal.master_seed(config.seed) if config.seed is not None else None
        bots = entered_bots(config)
        measured: Cost | None = None
        with contextlib.suppress(NoJournalError):
            journal = open_journal(config, create=False)
            try:
                journal.begin(contract_of(config), bots, bytes(32))
                self.master = journal.master()
                stages = journal.register.stages()
                end = stages[0].first_deal if stages else None  # later deals are those of bots handed in
                self.over = journal.ids(below=end)
                given_up = (game for game in journal.not_played() if game.attempts >= ATTEMPTS)
                self.given_up = {game.id for game in given_up if end is None or game.deal < end}
                measured = measured_cost(count_games(journal, read_listing(journal).bots).tally.sums())
                self.besides = _besides(journal)
            finally:
                journal.close()
        self.course = Course(config, bots, self.master)
        self.stage = next(self.course.stages(lambda _: range(len(bots))))
        self.cost = measured or estimated_cost(config)

    @property
    def seats_known(self) -> bool:
        """Whether it is known who sits where."""
        return self.config.rotation == "rotations" or self.master is not None

    def games(self) -> Iterator[ScheduledGame]:
        """The games that are known, in order; without seats the bots of a table stand in the order of the file."""
        if self.seats_known:
            for batch in self.course.batches(self.stage):
                yield from batch.games
            return
        pairs = ((deal, table) for deal in self.stage.deals for table in self.stage.tables)
        yield from (ScheduledGame(number, deal, table) for number, (deal, table) in enumerate(pairs, 1))

    def state(self, game: ScheduledGame) -> str:
        """``played``, ``given up``, or nothing."""
        if self.master is None:
            return ""
        name = self.course.id(game)
        return "played" if name in self.over else "given up" if name in self.given_up else ""

    @property
    def total(self) -> int:
        """How many games there are in all stages."""
        return self.stage.games * self.course.stage_count

    @property
    def left(self) -> int:
        """How many of them are still to be played."""
        return self.total - len(self.over) - len(self.given_up)

    def summary(self) -> list[str]:
        """The plan in a few lines."""
        config, stage = self.config, self.stage
        form = config.format.kind + (
            f" of {self.course.stage_count} stages" if config.format.kind == "swiss" else ""
        )
        lines = [
            f"{escape(config.name)}: {form}, {len(config.bots)} bots, {config.seats} at a table, rules {config.rules.name}",
            f"{plural(self.total, 'game')}: {plural(len(stage.tables), 'table')} x {plural(len(stage.deals), 'deal')}"
            + (f" x {config.seats} rotations" if config.rotation == "rotations" else ", seats dealt out")
            + (f" x {self.course.stage_count} stages" if self.course.stage_count > 1 else ""),
        ]
        if self.over or self.given_up:
            lines.append(f"{len(self.over)} are played, {len(self.given_up)} given up, {self.left} left")
        lines.append(self._duration())
        if config.pin:
            lines.append("each referee shares one core with its bots")
        lines += self.besides
        if not self.seats_known:
            lines.append("who sits where is drawn when the ladder begins")
        if self.course.stage_count > 1:
            lines.append("the first stage (later ones depend on results):")
        return lines

    def _duration(self) -> str:
        at_once = self.left / self.config.concurrency
        side = f", {self.config.concurrency} at a time" if self.config.concurrency > 1 else ""
        if self.cost.measured:
            return f"about {duration(at_once * self.cost.seconds)}{side} (measured: {self.cost.seconds:.2f} s a game)"
        text = f"about {duration(at_once * self.cost.seconds)}{side} if bots answer at once"
        if self.cost.most is not None:
            text += f", {duration(at_once * self.cost.most)} if every move takes all its time"
        return f"{text} ({self.cost.decisions:.0f} decisions a game)"

    def to_dict(self, *, with_games: bool) -> dict[str, object]:
        """The plan as JSON."""
        plain: dict[str, object] = {
            "name": self.config.name,
            "games": self.total,
            "played": len(self.over),
            "given_up": len(self.given_up),
            "seats_known": self.seats_known,
            "seconds": self.left / self.config.concurrency * self.cost.seconds,
            "measured": self.cost.measured,
        }
        if with_games:
            plain["plan"] = [
                {
                    "number": game.number,
                    "deal": game.deal,
                    "bots": [self.config.bots[bot].name for bot in game.bots],
                    "state": self.state(game) or "open",
                }
                for game in self.games()
            ]
        return plain

"""Writes the pages of a ladder into a folder. What is not to be known yet, games of deals still open, gets no replay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from mtref.ladder.faultlist import FaultLine, faults_in_log
from mtref.ladder.journal import Journal
from mtref.ladder.listing import read_listing
from mtref.ladder.rating import groups, rate
from mtref.ladder.records import GameRecord
from mtref.ladder.site.pages import bot_page, front_page
from mtref.ladder.standings import crosstable, standings
from mtref.ladder.tally import Tally
from mtref.replay.page.build import build
from mtref.replay.reader import LogReader
from mtref.text import plural
from mtref.textfile import write_whole
from mtref_sdk.errors import MtrefError, ReplayError

__all__ = ["write_site"]

_POINTS: Final = 12
"""Points of a rating over time."""


def write_site(journal: Journal, state: Path, folder: Path, replays: int) -> int:
    """Write or renew the pages; at most `replays` games can be watched, those with faults first. Returns how many can.

    Raises MtrefError when the folder cannot be written.
    """
    contract, games = journal.contract(), sorted(journal.games(), key=lambda game: (game.deal, game.id))
    seats, listing = contract["seats"], read_listing(journal)
    sums = Tally(seats, games).sums()
    table = standings(sums, seats, listing.order_by, listing.shown)
    cells = crosstable(sums, [row.bot for row in table.rows])
    revealed = {deal.deal for deal in journal.deals() if deal.seed}
    try:
        for name in ("bots", "games"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        watchable = dict(_write_replays(games, revealed, state, folder, replays))
        write_whole(folder / "index.html", front_page(contract["name"], _facts(journal, games), table, cells))
        history = _history(games, seats)
        unplayed = journal.not_played()
        for row in table.rows:
            own = [game for game in games if any(seat.bot == row.bot for seat in game.seats)]
            text = bot_page(
                row,
                [(deals, *ratings[row.bot]) for deals, ratings in history if row.bot in ratings],
                own,
                watchable,
                [fault for game in own for fault in _faults(state, game) if fault.bot == row.bot],
                [game for game in unplayed if row.bot in game.blamed],
            )
            write_whole(folder / "bots" / f"{row.bot}.html", text)
    except OSError as error:
        raise MtrefError(f"{error.filename or folder}: cannot be written: {error.strerror}") from error
    return len(watchable)


def _facts(journal: Journal, games: Sequence[GameRecord]) -> list[str]:
    contract = journal.contract()
    rules, form = contract["rules"], contract["format"]
    facts = [
        f"{plural(len(games), 'game')} on {plural(len({game.deal for game in games}), 'deal')}, {contract['seats']} bots at a table, {form['kind']}.",
        f"Rules: {rules['preset']}, {plural(rules['rounds'], 'round')} of double-{rules['tile_set']}.",
    ]
    if games:
        facts.append(f"Last game: {max(game.at for game in games)}.")
    unplayed, conflicts = len(journal.not_played()), len(journal.conflicts())
    if unplayed:
        facts.append(f"{plural(unplayed, 'game')} could not be played; no statistics count them.")
    if conflicts:
        facts.append(
            f"{plural(conflicts, 'game')} came out differently when played again; the first results stand."
        )
    return facts


def _history(
    games: Sequence[GameRecord], seats: int
) -> list[tuple[int, dict[str, tuple[float, float | None]]]]:
    """Ratings after parts of the deals: within a deal the order of opponents would show a trend where there is none."""
    deals = sorted({game.deal for game in games})
    count = min(_POINTS, len(deals))
    marks = sorted({deals[(n + 1) * len(deals) // count - 1] for n in range(count)}) if count else []
    tally, waiting, found = Tally(seats), list(reversed(games)), []
    for number, mark in enumerate(marks):
        while waiting and waiting[-1].deal <= mark:
            game = waiting.pop()
            tally.add(game)
            if not waiting or waiting[-1].deal != game.deal:
                tally.settle(game.deal)
        sums = tally.sums()
        ratings = {
            bot: rating
            for group in groups(list(sums.bots), sums.pairs)
            for bot, rating in rate(group, sums).items()
        }
        done = (number + 1) * len(deals) // count
        found.append((done, {bot: (rating.points, rating.half) for bot, rating in ratings.items()}))
    return found


def _write_replays(
    games: Sequence[GameRecord], revealed: set[int], state: Path, folder: Path, most: int
) -> Iterable[tuple[str, str]]:
    """Pages of some games that may be looked at; pairs of game and page."""
    free = [game for game in games if game.deal in revealed and game.log is not None]
    free.sort(key=lambda game: not any(seat.faults for seat in game.seats))
    for game in free[:most]:
        name = f"games/{game.id[:16]}.html"
        try:
            with LogReader(state / str(game.log)) as reader:
                text = build(reader)
        except ReplayError:
            continue  # the log was moved away: the result stands without it
        write_whole(folder / name, text)
        yield game.id, name


def _faults(state: Path, game: GameRecord) -> list[FaultLine]:
    if game.log is None or not any(seat.faults for seat in game.seats):
        return []
    try:
        return faults_in_log(state / game.log, game)
    except ReplayError:
        return []

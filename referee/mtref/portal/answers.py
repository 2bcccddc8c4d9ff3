"""What authors are told, made from what the ladder knows. Values in, messages out; only what an author may know is in them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from mtref.ladder.config import LadderConfig
from mtref.ladder.journal import Journal, open_journal
from mtref.ladder.listing import read_listing
from mtref.ladder.records import GameRecord, SeatRecord
from mtref.ladder.standings import Standings, compare
from mtref.ladder.sums import Sums
from mtref.portal._proto import ladder_pb2 as pb
from mtref.portal.gate import AskError
from mtref.server.wiring import grpc

__all__ = ["compared", "games", "log_path", "own_labels", "seats", "standings", "versions"]

PAGE = 1000
"""Games in one answer."""


def own_labels(journal: Journal, author: str) -> set[str]:
    """Every bot of an author that ever took part."""
    return {bot.name for bot in read_listing(journal).bots if bot.author == author}


def versions(journal: Journal, sums: Sums, author: str) -> pb.ListVersionsResponse:
    """The versions of an author."""
    listing = read_listing(journal)
    last = {version.label for version in listing.current.values()}
    return pb.ListVersionsResponse(
        versions=[
            pb.Version(
                label=version.label,
                content=version.bot.content,
                entered_at=version.entered_at,
                parked=version.parked or "",
                current=version.label in last,
                games=sums.bots[version.label].played.games if version.label in sums.bots else 0,
            )
            for version in listing.versions
            if version.bot.author == author
        ]
    )


def standings(ladder: str, table: Standings) -> pb.GetStandingsResponse:
    """The table."""
    return pb.GetStandingsResponse(
        ladder=ladder,
        rows=[
            pb.Row(
                place=row.place,
                group=row.group,
                bot=row.bot,
                games=row.games,
                score=row.relative.mean,
                score_half=row.relative.half,
                rating=row.rating.points,
                rating_half=row.rating.half,
                wins=row.wins,
                forfeits=row.forfeits,
            )
            for row in table.rows
        ],
    )


def compared(journal: Journal, sums: Sums, one: str, two: str) -> pb.CompareBotsResponse:
    """Two bots. Raises ConfigError when one is not known."""
    listing = read_listing(journal)
    labels = listing.label(one), listing.label(two)
    cell = compare(sums, *labels)
    if cell is None:
        return pb.CompareBotsResponse(one=labels[0], two=labels[1])
    return pb.CompareBotsResponse(
        one=labels[0],
        two=labels[1],
        games=cell.difference.games,
        difference=cell.difference.mean,
        half=cell.difference.half,
        wins=cell.wins,
        ties=cell.ties,
        losses=cell.losses,
    )


def seats(found: Iterable[SeatRecord]) -> list[pb.Seat]:
    """The seats of a game."""
    return [
        pb.Seat(bot=seat.bot, total=seat.total, place=seat.place, forfeited=seat.forfeited) for seat in found
    ]


def games(config: LadderConfig, author: str, bot: str, after: str) -> pb.ListGamesResponse:
    """A page of the games of an author's bots; with a connection of its own, for it may take a while."""
    journal = open_journal(config, create=False)
    try:
        own = own_labels(journal, author)
        if bot:
            own &= {*read_listing(journal).labels(bot)}
        revealed = {deal.deal for deal in journal.deals() if deal.seed}
        deals = [deal for deal, _ in journal.deal_sizes()]
        first = int(after[:12]) if after[:12].isdecimal() else 0
        later = (
            game
            for game in journal.games_of(first, max(deals, default=0))
            if _place(game) > after and not own.isdisjoint(seat.bot for seat in game.seats)
        )
        left = list(islice(later, PAGE + 1))
    finally:
        journal.close()
    answer = pb.ListGamesResponse(more=_place(left[PAGE - 1]) if len(left) > PAGE else "")
    for game in left[:PAGE]:
        answer.games.append(
            pb.Game(
                id=game.id,
                deal=game.deal,
                seats=seats(game.seats),
                log=game.deal in revealed and game.log is not None,
            )
        )
    return answer


def log_path(config: LadderConfig, journal: Journal, author: str, game: str) -> Path:
    """Where the log of a game lies that an author may have. Raises AskError: it is another's, or its deal is still played."""
    found = journal.game(game)
    own = own_labels(journal, author)
    if found is None or own.isdisjoint(seat.bot for seat in found.seats):
        raise AskError(grpc.StatusCode.PERMISSION_DENIED, "none of your bots has played such a game")
    if not any(deal.seed for deal in journal.deals() if deal.deal == found.deal):
        raise AskError(
            grpc.StatusCode.FAILED_PRECONDITION,
            f"deal {found.deal} is still being played; its logs can be had when its last game is over",
        )
    if found.log is None:
        raise AskError(grpc.StatusCode.NOT_FOUND, "there is no log of this game")
    return config.state / found.log


def _place(game: GameRecord) -> str:
    """Texts in the order of deals."""
    return f"{game.deal:012}-{game.id}"

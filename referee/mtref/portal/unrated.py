"""Who sits at a table for a game that counts nowhere. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from mtref.ladder.listing import Listing
from mtref.portal.gate import AskError
from mtref.server.wiring import grpc

__all__ = ["choose_table"]


def choose_table(listing: Listing, author: str, bot: str, opponents: Sequence[str], seats: int) -> list[str]:
    """The labels by seat: the author's bot, the opponents, then others of the ladder, or the bot itself where there are none left.

    Raises AskError when it is not the author's bot, or there are too many, and ConfigError for names that are not known.
    """
    own = listing.label(bot)
    if not any(one.name == own and one.author == author for one in listing.bots):
        raise AskError(grpc.StatusCode.PERMISSION_DENIED, "that is not one of your bots")
    if len(opponents) > seats - 1:
        raise AskError(
            grpc.StatusCode.INVALID_ARGUMENT, f"at a table of {seats} there is room for {seats - 1} opponents"
        )
    table = [own, *map(listing.label, opponents)]
    outdated = [name for name in table[1:] if name not in listing.shown]
    if outdated:
        raise AskError(grpc.StatusCode.FAILED_PRECONDITION, f"{outdated[0]} has been replaced")
    parked = {version.label for version in listing.versions if version.parked is not None}
    table += [name for name in listing.shown if name not in table and name not in parked]
    return (table + [own] * seats)[:seats]

"""The deals of a log: put together from its lines, and compared with what the revealed seed deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtref.replay.reader import LogLine, LogReader
from mtref.rules import fairdeal
from mtref_sdk.events import BoneyardStacked, HandDealt, RoundStarted
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import tile_code, tiles_of

__all__ = ["LoggedDeal", "check_seed", "read_deal"]


@dataclass(frozen=True, slots=True)
class LoggedDeal:
    """A round's tiles as the log has them: ``parts`` are (line number, whose, tile codes) in the order of the deal.

    ``aside`` is the code of the engine when it was taken out of the order before the deal, else None.
    """

    number: int
    parts: tuple[tuple[int, str, tuple[int, ...]], ...]
    aside: int | None

    @property
    def deck(self) -> list[int]:
        """All tiles in an order that deals the same hands and boneyard; an engine set aside comes last."""
        tiles = [code for _line, _whose, codes in self.parts for code in codes]
        return tiles if self.aside is None else [*tiles, self.aside]


def read_deal(reader: LogReader, number: int, lines: Sequence[LogLine], missing: int) -> LoggedDeal:
    """The deal of round `number` from its `lines`; raises LogError if they are not a deal of the whole set.

    `missing` is the line to name when there are too few. Hand sizes and holders are not checked here: the game will be.
    """
    seats = reader.header.seats
    if not lines or len(lines) < seats + 2:
        raise reader.error(missing, f"the log ends within the deal of round {number}; all before it agrees")
    opening, stacked = lines[0].record, lines[-1].record
    if not isinstance(opening, RoundStarted):
        raise reader.error(lines[0].number, f"round {number} does not begin here")
    if not isinstance(stacked, BoneyardStacked):
        raise reader.error(lines[-1].number, f"the boneyard of round {number} should be here")
    parts = []
    for seat, line in enumerate(lines[1:-1]):
        hand = line.record
        if not isinstance(hand, HandDealt) or hand.seat != seat or hand.tiles is None:
            raise reader.error(line.number, f"the hand of seat {seat} in round {number} should be here")
        parts.append((line.number, f"the hand of seat {seat}", tuple([tile.code for tile in hand.tiles])))
    boneyard = tuple([tile.code for tile in stacked.tiles])
    parts.append((lines[-1].number, "the boneyard", boneyard))
    tile_set = RuleSet.from_mapping(reader.header.rules).tile_set
    engine = tile_code(opening.engine, opening.engine)
    dealt = [code for _line, _whose, codes in parts for code in codes]
    deal = LoggedDeal(number, tuple(parts), None if engine in dealt else engine)
    if sorted(deal.deck) != [tile.code for tile in tiles_of(tile_set)]:
        reason = f"the deal of round {number} up to here is not the whole set of double-{tile_set}"
        raise reader.error(lines[-1].number, reason)
    return deal


def check_seed(
    reader: LogReader, line: LogLine, seed: bytes, tile_set: int, deals: Sequence[LoggedDeal]
) -> None:
    """The `seed` revealed in `line` opens the commitment and deals every one of `deals`, and the first starter.

    Raises LogError, which names the line that does not come from the seed.
    """
    header = reader.header
    if fairdeal.commitment(seed, header.deal) != header.commitment:
        raise reader.error(line.number, "the seed is not the one committed to in line 1")
    if fairdeal.first_starter(seed, header.seats) != header.first_starter:
        raise reader.error(1, "first_starter: not the seat the revealed seed gives")
    for deal in deals:
        order = fairdeal.deck(seed, header.deal, deal.number, tile_set)
        if deal.aside is not None:
            order.remove(deal.aside)
        for number, whose, codes in deal.parts:
            if tuple(order[: len(codes)]) != codes:
                reason = f"{whose} in round {deal.number} is not what the revealed seed deals"
                raise reader.error(number, reason)
            del order[: len(codes)]

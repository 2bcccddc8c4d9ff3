"""Adds up the games of a journal, by way of the blocks that are kept there, which it also renews. Tables are made elsewhere.

A journal without blocks, or one that may only be read, gives the same sums; it only takes longer.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Final

from mtref.ladder.blocks import Block
from mtref.ladder.journal import Journal
from mtref.ladder.records import Bot, GameRecord
from mtref.ladder.selftest import Discrepancy, SelfTest
from mtref.ladder.sumsplain import sums_from_plain, sums_to_plain
from mtref.ladder.tally import Tally

__all__ = ["BLOCK_GAMES", "STATISTICS", "Count", "count_games", "keep_block"]

STATISTICS: Final = 1
"""The version of what is in the sums of a block. Raise it whenever the same games would give other sums."""

BLOCK_GAMES: Final = 1000
"""A block is closed when it has so many games."""

_AT_ONCE: Final = 20
"""Blocks that are claimed, and kept, in one transaction."""


class Count:
    """Games added up: the sums that tables need, and the self-test."""

    def __init__(self, seats: int, bots: Iterable[Bot]) -> None:
        self.tally, self.selftest = Tally(seats), SelfTest(bots)

    def add(self, game: GameRecord) -> None:
        """One more game, of a deal that is not settled."""
        self.tally.add(game)
        self.selftest.add(game)

    def settle(self, deal: int) -> None:
        """All games of a deal have come."""
        self.tally.settle(deal)
        self.selftest.settle(deal)

    def text(self) -> str:
        """Everything in it, all deals being settled."""
        plain = {
            "sums": sums_to_plain(self.tally.sums()),
            "compared": self.selftest.compared,
            "discrepancies": [asdict(found) for found in self.selftest.discrepancies()],
        }
        return json.dumps(plain, separators=(",", ":"))

    def add_text(self, text: str) -> None:
        """What another count, of other deals, gave as its text."""
        plain = json.loads(text)
        self.tally.add_settled(sums_from_plain(plain["sums"]))
        self.selftest.add_settled(plain["compared"], map(_discrepancy, plain["discrepancies"]))


@dataclass(frozen=True, slots=True)
class _Span:
    """Deals in a row that no block holds. If they are not `settled`, more games will come; if they are `whole` they make a block."""

    first: int
    last: int
    games: int
    settled: bool = True
    whole: bool = False


def count_games(
    journal: Journal,
    bots: Sequence[Bot],
    *,
    recompute: bool = False,
    below: int | None = None,
    settled: Container[int] | None = None,
) -> Count:
    """Add up all games, or those of the deals `below` one. With `recompute` kept blocks are neither read nor renewed.

    `settled` are the deals to which no game will be added afterwards; by default all.
    """
    seats = journal.contract()["seats"]
    sizes = [(deal, games) for deal, games in journal.deal_sizes() if below is None or deal < below]
    kept = {} if recompute else {block.first: block for block in journal.blocks.kept(STATISTICS)}
    blocks, spans = _divide(sizes, kept, settled)
    found = Count(seats, bots)
    for block in blocks:
        found.add_text(block.sums)
    keep = not recompute and below is None
    whole = [span for span in spans if span.whole and keep]
    for start in range(0, len(whole), _AT_ONCE):
        _count_and_keep(journal, found, bots, whole[start : start + _AT_ONCE])
    for span in spans:
        if not (span.whole and keep):
            _count_span(journal, found, span)
    return found


def keep_block(journal: Journal, bots: Sequence[Bot], first: int, last: int) -> None:
    """Keep the sums of these deals, which are over."""
    _count_and_keep(journal, Count(journal.contract()["seats"], bots), bots, [_Span(first, last, 0)])


def _divide(
    sizes: Sequence[tuple[int, int]], kept: Mapping[int, Block], settled: Container[int] | None
) -> tuple[list[Block], list[_Span]]:
    """The blocks that hold for journals with these deals and numbers of games, and the spans between them."""
    blocks: list[Block] = []
    spans: list[_Span] = []
    first = last = games = position = 0

    def close(*, whole: bool) -> None:
        nonlocal games
        if games:
            spans.append(_Span(first, last, games, whole=whole))
        games = 0

    while position < len(sizes):
        deal, count = sizes[position]
        block = kept.get(deal)
        if block is not None:
            after = bisect_right(sizes, block.last, lo=position, key=itemgetter(0))
            held = sizes[position:after]
            if sum([one for _, one in held]) == block.games and _all_settled(held, settled):
                close(whole=True)  # nothing can be added to it at its end
                blocks.append(block)
                position = after
                continue
        position += 1
        if settled is not None and deal not in settled:
            close(whole=False)
            spans.append(_Span(deal, deal, count, settled=False))
            continue
        first, last, games = first if games else deal, deal, games + count
        if games >= BLOCK_GAMES:
            close(whole=True)
    close(whole=False)
    return blocks, spans


def _all_settled(held: Iterable[tuple[int, int]], settled: Container[int] | None) -> bool:
    return settled is None or all(deal in settled for deal, _ in held)


def _count_and_keep(journal: Journal, found: Count, bots: Sequence[Bot], spans: Sequence[_Span]) -> None:
    """Count some spans, and keep each as a block if that can be."""
    claim = journal.blocks.claim([(span.first, span.last) for span in spans], STATISTICS)
    blocks = []
    for span in spans:
        part = Count(found.tally.seats, bots)
        _count_span(journal, part, span)
        blocks.append(Block(span.first, span.last, part.tally.games, part.text()))
        found.add_text(blocks[-1].sums)
    if claim is not None:
        journal.blocks.keep(claim, blocks)


def _count_span(journal: Journal, found: Count, span: _Span) -> None:
    deal = None
    for game in journal.games_of(span.first, span.last):
        if game.deal != deal and deal is not None and span.settled:
            found.settle(deal)
        deal = game.deal
        found.add(game)
    if deal is not None and span.settled:
        found.settle(deal)


def _discrepancy(plain: Mapping[str, object]) -> Discrepancy:
    deal, one, two, bots = plain["deal"], plain["one"], plain["two"], plain["bots"]
    assert isinstance(deal, int) and isinstance(bots, list)
    first, second = (tuple(map(str, names)) for names in bots)
    return Discrepancy(deal, str(one), str(two), (first, second))

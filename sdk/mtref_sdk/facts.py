"""The facts of one moment at a table, by name, and the books made from them instead of from events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from mtref_sdk.books import NOBODY, Books
from mtref_sdk.moves import Move, train_code
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import Tile

__all__ = ["Facts", "books_of"]


class Facts(TypedDict, total=False):
    """What a `Table` may be made from by hand; what is left out is empty or 0, and `starter` is then `turn`.

    `trains` maps train ids to tiles in the order laid, from the engine outwards. The names mean what the properties
    of `Table` with these names mean.
    """

    round_number: int
    engine: int
    turn: int | None
    starter: int
    trains: Mapping[str, Iterable[Tile]]
    marked: Iterable[int]
    forgotten: Iterable[int]
    unsatisfied: Iterable[str]
    boneyard: int
    hand_sizes: Sequence[int]
    totals: Sequence[int]
    scores: Iterable[Sequence[int]]
    turns_taken: Sequence[int]
    passes: int
    quiet_passes: int
    laid: Iterable[Move]
    drawn: bool
    fresh: bool
    last_tile_calls: Iterable[int]


def books_of(rules: RuleSet, seats: int, facts: Facts) -> Books:
    """Public books that say what `facts` says.

    Raises TypeError for a name that is no fact, ValueError when the tiles of a train do not join, and
    InvalidMoveError for an unknown train id.
    """
    unknown = facts.keys() - Facts.__annotations__.keys()
    if unknown:
        raise TypeError(f"a table has no {min(unknown)}; facts are {', '.join(Facts.__annotations__)}")
    turn = facts.get("turn")
    none = [0] * seats
    books = Books(rules, seats)
    books.round_number = facts.get("round_number", 0)
    books.engine = facts.get("engine", 0)
    books.turn = NOBODY if turn is None else turn
    books.starter = facts.get("starter", turn or 0)
    for train, tiles in facts.get("trains", {}).items():
        books.trains[train_code(train)] = _links(train, books.engine, tiles)
    books.marked = set(facts.get("marked", ()))
    books.forgotten = set(facts.get("forgotten", ()))
    books.unsatisfied = [train_code(train) for train in facts.get("unsatisfied", ())]
    books.boneyard = facts.get("boneyard", 0)
    books.hand_sizes = list(facts.get("hand_sizes", none))
    books.totals = list(facts.get("totals", none))
    books.scores = tuple(tuple(row) for row in facts.get("scores", ()))
    books.turns_taken = list(facts.get("turns_taken", none))
    books.passes = facts.get("passes", 0)
    books.quiet_passes = facts.get("quiet_passes", 0)
    books.laid = [move.code for move in facts.get("laid", ())]
    books.drawn = facts.get("drawn", False)
    books.fresh = facts.get("fresh", False)
    books.calls = list(facts.get("last_tile_calls", ()))
    return books


def _links(train: str, engine: int, tiles: Iterable[Tile]) -> tuple[int, ...]:
    """The tiles of a train as inner << 5 | outer."""
    end, links = engine, []
    for tile in tiles:
        if not tile.has(end):
            raise ValueError(f"train {train}: {tile} does not join the open end {end}")
        inner, end = end, tile.other(end)
        links.append(inner << 5 | end)
    return tuple(links)

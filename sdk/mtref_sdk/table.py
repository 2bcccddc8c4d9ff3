"""`Table`: what everybody at a table may know at one moment, and `Train`, one train of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self, Unpack

from mtref_sdk.books import NOBODY, Books
from mtref_sdk.events import Event
from mtref_sdk.facts import Facts, books_of
from mtref_sdk.moves import MAX_SEATS, TRAINS, Move
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import MAX_PIP, Tile
from mtref_sdk.wire import pack

__all__ = ["Table", "Train"]

_MOST_MEXICAN: Final = {0: 0, 1: 1, "unlimited": len(TRAINS) - MAX_SEATS}
_LINKS: Final = {
    inner << 5 | outer: (inner, outer) for inner in range(MAX_PIP + 1) for outer in range(MAX_PIP + 1)
}


@dataclass(frozen=True, slots=True)
class Train:
    """One train. `links` are its tiles as (inner, outer) numbers in the order laid; `end` is the number to match next.

    A train without tiles has the engine's number as its end. Mexican trains are never marked nor forgotten.
    """

    id: str
    links: tuple[tuple[int, int], ...]
    end: int
    marked: bool = False
    forgotten: bool = False
    unsatisfied: bool = False

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles in the order laid, from the engine outwards."""
        return tuple([Tile.of(inner, outer) for inner, outer in self.links])

    @property
    def owner(self) -> int | None:
        """The seat whose train it is; None for a Mexican train."""
        return None if self.id.startswith("m") else int(self.id)


class Table:
    """The public side of a table at one moment, a value: `after` gives the next one and changes nothing.

    Made from events by `after`, beginning with ``Table(rules, seats=4)``, or by hand from the facts of a moment, as
    `mtref_sdk.facts.Facts` names them.
    Raises ValueError when the tiles of a train do not join, and InvalidMoveError for an unknown train id.
    """

    def __init__(self, rules: RuleSet, *, seats: int, **facts: Unpack[Facts]) -> None:
        self._books = books_of(rules, seats, facts)

    @classmethod
    def of(cls, books: Books) -> Self:
        """The table these books describe. The caller gives the books away and changes them no more."""
        table = cls.__new__(cls)
        table._books = books  # noqa: SLF001 - this is the constructor
        return table

    def after(self, event: Event) -> Self:
        """The table after `event`; this one stays as it is."""
        books = self._books.branch()
        books.tell(pack(event))
        books.catch_up()
        return type(self).of(books)

    @property
    def rules(self) -> RuleSet:
        """The rule set played."""
        return self._books.rules

    @property
    def seats(self) -> int:
        """How many seats the table has; they are numbered from 0."""
        return self._books.seats

    @property
    def round_number(self) -> int:
        """The round, from 1; 0 before the first."""
        return self._books.round_number

    @property
    def engine(self) -> int:
        """The number of the round's engine."""
        return self._books.engine

    @property
    def starter(self) -> int:
        """The seat that took the first turn of the round."""
        return self._books.starter

    @property
    def turn(self) -> int | None:
        """The seat on turn; None between rounds."""
        turn = self._books.turn
        return None if turn == NOBODY else turn

    @cached_property
    def trains(self) -> dict[str, Train]:
        """By id, every train a move can name: those of the seats, then the Mexican trains.

        Among the latter is the one that may be started next, still empty.
        """
        return {TRAINS[code]: self._train(code) for code in self._train_codes()}

    def _train_codes(self) -> list[int]:
        codes = sorted(self._books.trains)
        following = MAX_SEATS + len(codes) - self._books.seats
        if following < MAX_SEATS + _MOST_MEXICAN[self._books.rules.mexican_trains]:
            codes.append(following)
        return codes

    def _train(self, code: int) -> Train:
        books = self._books
        links = tuple([_LINKS[link] for link in books.trains.get(code, ())])
        return Train(
            id=TRAINS[code],
            links=links,
            end=links[-1][1] if links else books.engine,
            marked=code in books.marked,
            forgotten=code in books.forgotten,
            unsatisfied=code in books.unsatisfied,
        )

    @cached_property
    def open_ends(self) -> dict[str, int]:
        """By train id, the number the next tile there must match, whoever may play there; trains as in `trains`."""
        books = self._books
        lasts = {code: links[-1] & 31 for code, links in books.trains.items() if links}
        return {TRAINS[code]: lasts.get(code, books.engine) for code in self._train_codes()}

    @property
    def marked(self) -> tuple[int, ...]:
        """The seats whose marker is up, ascending: anyone may play on their trains."""
        return tuple(sorted(self._books.marked))

    @property
    def forgotten(self) -> tuple[int, ...]:
        """The seats whose marker is up and forgotten, ascending (R-marker-manual)."""
        return tuple(sorted(self._books.forgotten))

    @property
    def unsatisfied(self) -> tuple[str, ...]:
        """The trains that end in an unsatisfied double, oldest first."""
        return tuple([TRAINS[code] for code in self._books.unsatisfied])

    @property
    def boneyard(self) -> int:
        """How many tiles the boneyard holds."""
        return self._books.boneyard

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many tiles each seat holds."""
        return tuple(self._books.hand_sizes)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat in the rounds that are over; the lowest total wins."""
        return tuple(self._books.totals)

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """For each round that is over, the points of each seat in it."""
        return self._books.scores

    @property
    def turns_taken(self) -> tuple[int, ...]:
        """How many turns each seat has finished in this round."""
        return tuple(self._books.turns_taken)

    @property
    def passes(self) -> int:
        """How many turns in a row ended by a pass without a tile laid, up to now (R-block)."""
        return self._books.passes

    @property
    def quiet_passes(self) -> int:
        """How many of those, up to now, left nothing to draw and put up no marker (R-block)."""
        return self._books.quiet_passes

    @property
    def laid(self) -> tuple[Move, ...]:
        """What the seat on turn has laid in this turn."""
        return tuple([Move(code) for code in self._books.laid])

    @property
    def drawn(self) -> bool:
        """Whether the seat on turn has used the draw now available to it (R-one-draw)."""
        return self._books.drawn

    @property
    def fresh(self) -> bool:
        """Whether the seat on turn has just drawn, and will play that tile if it plays (R-draw)."""
        return self._books.fresh

    @property
    def last_tile_calls(self) -> tuple[int, ...]:
        """The seats that were down to one tile at some time in this round, in that order (R-last-tile-call)."""
        return tuple(self._books.calls)

    @cached_property
    def history(self) -> tuple[Event, ...]:
        """Every event of the game up to now, as it was told here. Empty for a table made by hand."""
        return self._books.log.events(self._books.folded)

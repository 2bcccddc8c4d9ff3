"""From a shuffled set to the first turn of a round: who holds what, which double is the engine, who begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtref.rules.rulings import rulings_of
from mtref.rules.scoring import lightest
from mtref.rules.state import State
from mtref_sdk.events import BoneyardStacked, EngineLaid, EngineSearchDrawn, Event, HandDealt, RoundStarted
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import TILE_BY_CODE, Tile, tile_code

__all__ = ["Deal", "Previous", "deal_round"]


@dataclass(frozen=True, slots=True)
class Previous:
    """What a round leaves to the next: its number, who began and who starts next if the rules say the winner does."""

    round: int
    starter: int
    engines: frozenset[int]  # numbers used so far
    winner: int  # the seat that went out, or after a block the lightest hand (R-starter)

    @classmethod
    def of(cls, before: Deal, engines: frozenset[int], state: State, scores: Sequence[int]) -> Previous:
        """What the finished `state` of the deal `before` leaves behind."""
        winner = state.winner if state.winner >= 0 else lightest(state, scores, before.starter)
        return cls(before.round, before.starter, engines, winner)


@dataclass(frozen=True, slots=True)
class Deal:
    """One round's deal. Tiles are codes; hands are as dealt and the boneyard as it will be drawn from, before any search.

    The engine is in a hand or, when it will be found by a search, in the boneyard; otherwise in neither.
    """

    round: int
    engine: int  # pip number
    layer: int | None  # the seat that lays the engine from its hand
    starter: int
    hands: tuple[tuple[int, ...], ...]
    boneyard: tuple[int, ...]  # in drawing order
    searched: tuple[int, ...]  # seats that draw one tile each, in order, until the engine is found

    def events(self) -> list[Event]:
        """The events of the deal, up to the engine in the centre."""
        engine = TILE_BY_CODE[tile_code(self.engine, self.engine)]
        sizes = tuple(map(len, self.hands))
        told: list[Event] = [RoundStarted(self.round, self.engine, self.starter, sizes, len(self.boneyard))]
        told += [HandDealt(seat, _tiles(hand)) for seat, hand in enumerate(self.hands)]
        told.append(BoneyardStacked(_tiles(self.boneyard)))
        told += [
            EngineSearchDrawn(seat, TILE_BY_CODE[tile])
            for seat, tile in zip(self.searched, self.boneyard, strict=False)
        ]
        told.append(EngineLaid(engine, self.layer))
        return told

    def state(self, rules: RuleSet, totals: tuple[int, ...]) -> State:
        """The state in which the starter's first turn begins; `totals` are those before this round."""
        engine = tile_code(self.engine, self.engine)
        hands = [list(hand) for hand in self.hands]
        for seat, tile in zip(self.searched, self.boneyard, strict=False):
            hands[seat].append(tile)
        boneyard = self.boneyard[len(self.searched) :]
        if self.layer is not None:
            hands[self.layer].remove(engine)
        return State.fresh_round(rulings_of(rules), self.engine, self.starter, hands, boneyard, totals)


def deal_round(
    rules: RuleSet, seats: int, deck: Sequence[int], first_starter: int, previous: Previous | None
) -> Deal:
    """Deal the round after `previous` (None: the first) from `deck`, the full set's codes in shuffled order.

    `first_starter` is the seeded seat: who starts, or begins the search, in round 1 (R-starter, R-engine-holder).
    """
    number = previous.round + 1 if previous else 1
    engine = rules.tile_set - number + 1
    size = rules.hand_size(seats)
    if rules.engine == "set_aside":  # R-engine-aside
        double = tile_code(engine, engine)
        deck = [tile for tile in deck if tile != double]
    hands = tuple(tuple(deck[seat * size : (seat + 1) * size]) for seat in range(seats))
    boneyard = tuple(deck[seats * size :])
    following = first_starter if previous is None else (previous.starter + 1) % seats  # R-turn-order
    if rules.engine == "set_aside":
        starter = previous.winner if previous and rules.starter == "round_winner" else following  # R-starter
        return Deal(number, engine, None, starter, hands, boneyard, ())
    if rules.engine == "highest_held":
        return _highest_held(rules, number, hands, boneyard, following, previous)
    return _held(rules, number, engine, hands, boneyard, following)


def _held(
    rules: RuleSet,
    number: int,
    engine: int,
    hands: tuple[tuple[int, ...], ...],
    boneyard: tuple[int, ...],
    first: int,
) -> Deal:
    """The holder of the round's double lays it; if nobody holds it the seats draw for it (R-engine-holder)."""
    double = tile_code(engine, engine)
    for seat, hand in enumerate(hands):
        if double in hand:
            return Deal(number, engine, seat, seat, hands, boneyard, ())
    seats = len(hands)
    found = boneyard.index(double)
    finder = (first + found) % seats
    draws = found + 1
    if rules.engine_search == "simultaneous":
        draws = min(len(boneyard), -(-draws // seats) * seats)  # the lap is finished
    searched = tuple((first + turn) % seats for turn in range(draws))
    return Deal(number, engine, finder, finder, hands, boneyard, searched)


def _highest_held(
    rules: RuleSet,
    number: int,
    hands: tuple[tuple[int, ...], ...],
    boneyard: tuple[int, ...],
    following: int,
    previous: Previous | None,
) -> Deal:
    """The highest double not yet used that somebody holds, else the highest unused of all (R-engine-highest)."""
    used = previous.engines if previous else frozenset()
    unused = [engine for engine in range(rules.tile_set, -1, -1) if engine not in used]
    for engine in unused:
        for seat, hand in enumerate(hands):
            if tile_code(engine, engine) in hand:
                return Deal(number, engine, seat, seat, hands, boneyard, ())
    double = tile_code(unused[0], unused[0])
    left = tuple(tile for tile in boneyard if tile != double)
    return Deal(number, unused[0], None, following, hands, left, ())


def _tiles(codes: Sequence[int]) -> tuple[Tile, ...]:
    return tuple([TILE_BY_CODE[code] for code in codes])

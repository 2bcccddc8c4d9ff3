"""The answer about an inquiry as a plain object, as docs/positions.md describes it, and as a decision for a bot."""

from __future__ import annotations

from typing import Any

from mtref.explain.inquiry import Inquiry
from mtref.rules.reasons import why_not
from mtref.rules.scoring import round_scores
from mtref.rules.state import BLOCKED, WENT_OUT
from mtref_sdk.decision import Decision
from mtref_sdk.errors import MtrefError
from mtref_sdk.moves import TRAINS, Move
from mtref_sdk.observation import Observation
from mtref_sdk.tiles import TILE_BY_CODE, Tile

__all__ = ["answer", "decision_of", "hand_of_seat", "refused_tiles", "scores_of"]

_HOW = {WENT_OUT: "went_out", BLOCKED: "blocked"}


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """What stands now, for JSON. ``legal`` and the scores of unknown hands are None; trains are inner number first."""
    state, legal, coming = inquiry.state, inquiry.legal, inquiry.coming
    forced = legal == [] and not inquiry.over
    return {
        "turn": None if inquiry.over else state.turn,
        "legal": [coming] if coming else None if legal is None else [str(Move(code)) for code in legal],
        "forced": forced,
        "may_lift": [str(Move(code)) for code in inquiry.may_lift],
        "marked": [seat for seat in range(state.seats) if state.marked >> seat & 1],
        "unsatisfied": [TRAINS[code] for code in state.unsatisfied],
        "boneyard": state.boneyard_size,
        "hand_sizes": list(state.sizes),
        "trains": {
            name: [f"{inner}-{outer}" for inner, outer in train.links]
            for name, train in inquiry.table.trains.items()
        },
        "events": [event.name for event in inquiry.events],
        "over": _HOW.get(state.over),
        "winner": None if state.winner < 0 else state.winner,
        "scores": scores_of(inquiry),
        "why_not": {
            str(tile): f"{reason} ({rule})" for tile, (reason, rule) in refused_tiles(inquiry).items()
        },
    }


def decision_of(inquiry: Inquiry) -> Decision:
    """The decision that comes next, as the seat on turn would be asked it. Raises MtrefError when nobody has a choice."""
    legal, state, table = inquiry.legal, inquiry.state, inquiry.table
    if not legal:
        if inquiry.over:
            raise MtrefError("there is no decision: the round is over")
        if legal is None:
            raise MtrefError(f"there is no decision: the hand of seat {state.turn} is unknown")
        raise MtrefError(f"there is no decision: seat {state.turn} comes to draw a tile that is unknown")
    observation = Observation(
        table.rules,
        seats=table.seats,
        seat=state.turn,
        hand=hand_of_seat(inquiry, state.turn),
        just_drawn=inquiry.just_drawn,
        round_number=table.round_number,
        engine=table.engine,
        turn=table.turn,
        starter=table.starter,
        trains={name: train.tiles for name, train in table.trains.items() if train.links},
        marked=table.marked,
        forgotten=table.forgotten,
        unsatisfied=table.unsatisfied,
        boneyard=table.boneyard,
        hand_sizes=table.hand_sizes,
        totals=table.totals,
        scores=table.scores,
        turns_taken=table.turns_taken,
        passes=table.passes,
        quiet_passes=table.quiet_passes,
        laid=table.laid,
        drawn=table.drawn,
        fresh=table.fresh,
        last_tile_calls=table.last_tile_calls,
    )
    return Decision(lambda: observation, legal, inquiry.may_lift, game="position")


def hand_of_seat(inquiry: Inquiry, seat: int) -> tuple[Tile, ...]:
    """The known tiles of a seat's hand in canonical order."""
    hand = inquiry.state.hands[seat]
    return tuple(tile for tile in TILE_BY_CODE.values() if hand[tile.low] >> tile.high & 1)


def refused_tiles(inquiry: Inquiry) -> dict[Tile, tuple[str, str]]:
    """For each tile of the hand on turn that may not be played, the reason and its rule id. Empty if the hand is unknown."""
    if inquiry.over or inquiry.legal is None:
        return {}
    turn = inquiry.state.turn
    playable = {code >> 6 for code in inquiry.legal}
    return {
        tile: why_not(inquiry.state, tile.code)
        for tile in hand_of_seat(inquiry, turn)
        if tile.code not in playable
    }


def scores_of(inquiry: Inquiry) -> list[int | None] | None:
    """The scores of the round that is over; None for a hand that is unknown, and None altogether while it is played."""
    if not inquiry.over:
        return None
    return [
        score if inquiry.knows_hand(seat) else None for seat, score in enumerate(round_scores(inquiry.state))
    ]

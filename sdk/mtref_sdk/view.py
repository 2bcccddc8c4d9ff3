"""Full views: an observation as the fields of the protocol's View message. No protobuf is needed here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from mtref_sdk.moves import train_code
from mtref_sdk.observation import Observation
from mtref_sdk.tiles import Tile

__all__ = ["TrainFields", "ViewFields", "view_fields"]


class TrainFields(TypedDict):
    """The fields of the message Train."""

    train: int
    tiles: list[int]
    end: int


class ViewFields(TypedDict):
    """The fields of the message View, in its order: ``View(**view_fields(observation))`` makes one."""

    round: int
    engine: int
    starter: int
    turn: int
    hand: list[int]
    trains: list[TrainFields]
    marked: list[int]
    forgotten: list[int]
    unsatisfied: list[int]
    boneyard: int
    hand_sizes: list[int]
    totals: list[int]
    scores: list[int]
    turns_taken: list[int]
    passes: int
    quiet_passes: int
    laid: list[int]
    drawn: bool
    just_drawn: int | None
    last_tile_calls: list[int]


def view_fields(observation: Observation) -> ViewFields:
    """What a seat on turn knows, as the fields of a View. The observation's history is not part of it."""
    drawn = observation.just_drawn
    return {
        "round": observation.round_number,
        "engine": observation.engine,
        "starter": observation.starter,
        "turn": observation.seat if observation.turn is None else observation.turn,
        "hand": _codes(observation.hand),
        "trains": [
            {"train": train_code(train.id), "tiles": _codes(train.tiles), "end": train.end}
            for train in observation.trains.values()
        ],
        "marked": list(observation.marked),
        "forgotten": list(observation.forgotten),
        "unsatisfied": [train_code(train) for train in observation.unsatisfied],
        "boneyard": observation.boneyard,
        "hand_sizes": list(observation.hand_sizes),
        "totals": list(observation.totals),
        "scores": [score for scores in observation.scores for score in scores],
        "turns_taken": list(observation.turns_taken),
        "passes": observation.passes,
        "quiet_passes": observation.quiet_passes,
        "laid": [move.code for move in observation.laid],
        "drawn": observation.drawn,
        "just_drawn": None if drawn is None else drawn.code,
        "last_tile_calls": list(observation.last_tile_calls),
    }


def _codes(tiles: Iterable[Tile]) -> list[int]:
    return [tile.code for tile in tiles]

"""Moves and train ids: what a bot chooses. A move is one integer that prints as ``3-9@2``, ``4-12@m1 lift`` or ``stop``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mtref_sdk.errors import InvalidMoveError
from mtref_sdk.tiles import MAX_PIP, TILE_BY_CODE, Tile, parse_tile

__all__ = [
    "CODE_BY_TRAIN",
    "MAX_SEATS",
    "STOP",
    "STOP_CODE",
    "TRAINS",
    "Move",
    "move_code",
    "parse_move",
    "parse_train",
    "train_code",
]

MAX_SEATS: Final = 10
"""The most seats at a table; train codes 0 to 9 are the seats' own trains."""

TRAINS: Final = tuple([str(seat) for seat in range(MAX_SEATS)] + [f"m{k}" for k in range(1, MAX_PIP + 1)])
"""Train ids by train code: ``"0"`` … ``"9"`` for the seats, then ``"m1"`` … ``"m18"`` for the Mexican trains."""

STOP_CODE: Final = 1 << 16
"""The code of `STOP`; greater than every other move's, so ``stop`` is last in canonical order."""

CODE_BY_TRAIN: Final = {train: code for code, train in enumerate(TRAINS)}
"""Train codes by train id."""

_TEXT: Final = re.compile(r"(?P<tile>[^@\s]+)@(?P<train>[^@\s]+)(?P<lift>\s+lift)?")


def move_code(tile: int, train: int) -> int:
    """The code of playing the tile with code `tile` on the train with code `train`, without a lift."""
    return tile << 6 | train << 1


def train_code(train: str) -> int:
    """The code of a train id. Raises InvalidMoveError for a text that is no train's id."""
    code = CODE_BY_TRAIN.get(train)
    if code is None:
        raise InvalidMoveError(
            f"not a train: {train!r}; trains are 0 to {MAX_SEATS - 1} and m1 to m{MAX_PIP}"
        )
    return code


def parse_train(text: str) -> str:
    """The train id in `text`, checked. Raises InvalidMoveError for anything else."""
    return TRAINS[train_code(text.strip())]


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One choice of a bot: a tile on a train, perhaps with a lift, or `STOP`. Sorts in canonical order.

    ``code`` is ``tile code << 6 | train code << 1 | lift``, or `STOP_CODE`. Use `Move.play` or `parse_move` to make one.
    """

    code: int

    @classmethod
    def play(cls, tile: Tile, train: str | int, *, lift: bool = False) -> Move:
        """`tile` on `train` (an id such as ``"m1"``, or a seat number), with the own marker taken down if `lift`."""
        return cls(move_code(tile.code, train_code(str(train))) | lift)

    @classmethod
    def from_code(cls, code: int) -> Move:
        """The move of a code. Raises InvalidMoveError when the code stands for no tile or no train."""
        if code != STOP_CODE and ((code >> 6) not in TILE_BY_CODE or (code >> 1) & 31 >= len(TRAINS)):
            raise InvalidMoveError(f"no move has the code {code}")
        return cls(code)

    @property
    def is_stop(self) -> bool:
        """Whether this is `STOP`: ending a run, or declining the tile after a double (R-run, R-follow-optional)."""
        return self.code == STOP_CODE

    @property
    def tile(self) -> Tile:
        """The tile played. Raises InvalidMoveError for `STOP`, which plays none."""
        if self.code == STOP_CODE:
            raise InvalidMoveError("stop plays no tile")
        return TILE_BY_CODE[self.code >> 6]

    @property
    def train(self) -> str:
        """The id of the train played on. Raises InvalidMoveError for `STOP`."""
        if self.code == STOP_CODE:
            raise InvalidMoveError("stop is played on no train")
        return TRAINS[(self.code >> 1) & 31]

    @property
    def lift(self) -> bool:
        """Whether the move takes the own marker down by hand (R-marker-manual)."""
        return self.code != STOP_CODE and bool(self.code & 1)

    def lifted(self) -> Move:
        """The same play with a lift."""
        return self if self.is_stop else Move(self.code | 1)

    def plain(self) -> Move:
        """The same play without a lift."""
        return self if self.is_stop else Move(self.code & ~1)

    def __str__(self) -> str:
        if self.is_stop:
            return "stop"
        return f"{self.tile}@{self.train}{' lift' if self.lift else ''}"


STOP: Final = Move(STOP_CODE)


def parse_move(text: str) -> Move:
    """The move a text names, such as ``3-9@2``, ``12-4@m1 lift`` or ``stop``. Raises InvalidMoveError otherwise."""
    if text.strip() == "stop":
        return STOP
    found = _TEXT.fullmatch(text.strip())
    if not found:
        raise InvalidMoveError(
            f"not a move: {text!r}; write tile@train such as 3-9@2 or 4-12@m1 lift, or stop"
        )
    return Move.play(parse_tile(found["tile"]), parse_train(found["train"]), lift=bool(found["lift"]))

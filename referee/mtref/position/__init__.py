"""Positions: one moment of one round. Reading, checking, writing, and turning them into a state; no answers."""

from __future__ import annotations

from mtref.position.build import state_of
from mtref.position.reading import position_from_mapping, read_position
from mtref.position.setup import PlacedGame, table_of
from mtref.position.values import Link, Position
from mtref.position.writing import position_to_mapping, position_to_yaml

__all__ = [
    "Link",
    "PlacedGame",
    "Position",
    "position_from_mapping",
    "position_to_mapping",
    "position_to_yaml",
    "read_position",
    "state_of",
    "table_of",
]

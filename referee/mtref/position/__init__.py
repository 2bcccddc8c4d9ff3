"""Positions: one moment of one round, written by hand. Reading, checking and turning them into a state; no answers."""

from __future__ import annotations

from mtref.position.build import state_of
from mtref.position.reading import position_from_mapping, read_position
from mtref.position.values import Link, Position

__all__ = ["Link", "Position", "position_from_mapping", "read_position", "state_of"]

"""Fast play-outs on states of one's own making; nothing here ever sees a live game.

`playouts` plays the rest of a round many times, `play_game` plays a whole game; both cost a few microseconds a decision.
`sample_world` makes a state to begin with from what a seat has seen.
"""

from __future__ import annotations

from mtref.sim.playout import play_game, play_round, playouts
from mtref.sim.policies import POLICIES, Policy, heaviest, random_move
from mtref.sim.worlds import Worlds, sample_world

__all__ = [
    "POLICIES",
    "Policy",
    "Worlds",
    "heaviest",
    "play_game",
    "play_round",
    "playouts",
    "random_move",
    "sample_world",
]

"""Fast play-outs on states of one's own making; nothing here ever sees a live game.

`playouts` plays the rest of a round many times, `play_game` plays a whole game; both cost a few microseconds a decision,
or half a microsecond where the core was compiled (`COMPILED`).
`sample_world` makes a state to begin with from what a seat has seen.
"""

from __future__ import annotations

from mtref.rules.native import COMPILED
from mtref.sim.chance import Chance
from mtref.sim.playout import play_game, play_round, playouts
from mtref.sim.policies import POLICIES, Policy, heaviest, random_move
from mtref.sim.worlds import Worlds, sample_world

__all__ = [
    "COMPILED",
    "POLICIES",
    "Chance",
    "Policy",
    "Worlds",
    "heaviest",
    "play_game",
    "play_round",
    "playouts",
    "random_move",
    "sample_world",
]

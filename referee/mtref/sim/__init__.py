"""Fast play-outs on states of one's own making; nothing here ever sees a live game.

`playouts` plays the rest of a round many times, `play_game` plays a whole game; both cost a few microseconds a decision.
"""

from __future__ import annotations

from mtref.sim.playout import play_game, play_round, playouts
from mtref.sim.policies import POLICIES, Policy, heaviest, random_move

__all__ = ["POLICIES", "Policy", "heaviest", "play_game", "play_round", "playouts", "random_move"]

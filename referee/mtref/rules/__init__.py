"""The rules, pure: no network, clock, files, logging or randomness. Nothing else answers "may this be played?".

The core works on small integers (`mtref_sdk.tiles`, `mtref_sdk.moves` say which); `Game` plays a whole game with it.
"""

from __future__ import annotations

from mtref.rules.game import Game, Listener
from mtref.rules.legal import legal_moves, may_lift
from mtref.rules.projection import project
from mtref.rules.state import PublicState, State
from mtref.rules.transition import settle, step

__all__ = ["Game", "Listener", "PublicState", "State", "legal_moves", "may_lift", "project", "settle", "step"]

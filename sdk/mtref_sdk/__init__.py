"""Everything a bot needs, and the vocabulary of mtref. Importing this package does not import grpc.

Write a class with one method and give an instance to `run`:

    from mtref_sdk import Bot, Decision, Move, run


    class Heaviest(Bot):
        def choose(self, decision: Decision) -> Move:
            return max(decision.legal_moves, key=lambda move: 0 if move.is_stop else move.tile.pips)


    run(Heaviest())
"""

from __future__ import annotations

from mtref_sdk import events
from mtref_sdk.bot import Bot
from mtref_sdk.decision import Clock, Decision
from mtref_sdk.errors import (
    ConfigError,
    IllegalMoveError,
    InvalidMoveError,
    MtrefError,
    ProtocolError,
    ReplayError,
)
from mtref_sdk.events import Event
from mtref_sdk.game import GameResult, GameStart
from mtref_sdk.load import load_bot
from mtref_sdk.moves import STOP, Move, parse_move
from mtref_sdk.observation import Observation
from mtref_sdk.process import run
from mtref_sdk.ruleset import RuleSet, preset
from mtref_sdk.table import Table, Train
from mtref_sdk.tiles import Tile, parse_tile

__all__ = [
    "STOP",
    "Bot",
    "Clock",
    "ConfigError",
    "Decision",
    "Event",
    "GameResult",
    "GameStart",
    "IllegalMoveError",
    "InvalidMoveError",
    "Move",
    "MtrefError",
    "Observation",
    "ProtocolError",
    "ReplayError",
    "RuleSet",
    "Table",
    "Tile",
    "Train",
    "events",
    "load_bot",
    "parse_move",
    "parse_tile",
    "preset",
    "run",
]

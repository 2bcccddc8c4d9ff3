"""Everything a bot needs, and the vocabulary of mtref. Importing this package imports nothing that connects.

Write a class with one method and give an instance to `run`:

    from mtref_sdk import Bot, Decision, Move, run


    class Heaviest(Bot):
        def choose(self, decision: Decision) -> Move:
            return max(decision.legal_moves, key=lambda move: 0 if move.is_stop else move.tile.pips)


    run(Heaviest())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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

VERSION: Final = "0.1.0"
"""That of the distribution. To read it there, with `importlib.metadata`, would take a fifth of a bot's time to start."""

_HOMES: Final = {
    "Bot": "bot",
    "Clock": "decision",
    "ConfigError": "errors",
    "Decision": "decision",
    "Event": "events",
    "GameResult": "game",
    "GameStart": "game",
    "IllegalMoveError": "errors",
    "InvalidMoveError": "errors",
    "Move": "moves",
    "MtrefError": "errors",
    "Observation": "observation",
    "ProtocolError": "errors",
    "ReplayError": "errors",
    "RuleSet": "ruleset",
    "STOP": "moves",
    "Table": "table",
    "Tile": "tiles",
    "Train": "table",
    "load_bot": "load",
    "parse_move": "moves",
    "parse_tile": "tiles",
    "preset": "ruleset",
    "run": "process",
}
"""The module in which each name lives. It is imported when somebody asks for the name."""


def __getattr__(name: str) -> Any:
    if name == "events":
        return import_module("mtref_sdk.events")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"mtref_sdk.{_HOMES[name]}"), name)
    return value

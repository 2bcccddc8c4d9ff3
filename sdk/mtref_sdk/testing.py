"""For a bot author's own tests: decisions from files, and asking a bot without a referee.

from my_bot import MyBot
from mtref_sdk.testing import ask, load_decision


def test_my_bot_keeps_its_doubles():
    decision = load_decision("decisions/early.json")
    assert str(ask(MyBot(), decision)) == "3-9@m1"
"""

from __future__ import annotations

import copy
from pathlib import Path

from mtref_sdk.bot import Bot
from mtref_sdk.decision import Decision
from mtref_sdk.decisionfile import decision_from_json, decision_to_json
from mtref_sdk.errors import ConfigError
from mtref_sdk.game import GameStart
from mtref_sdk.load import load_bot
from mtref_sdk.moves import Move

__all__ = ["ask", "decision_from_json", "decision_to_json", "load_bot", "load_decision"]


def load_decision(path: str | Path) -> Decision:
    """The decision in a file written by ``mtref explain --decision``. Raises ConfigError for another file."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(error.strerror or "cannot be read", where=str(path)) from error
    return decision_from_json(text, where=str(path))


def ask(bot: Bot, decision: Decision, private_seed: bytes = bytes(32)) -> Move:
    """What a fresh copy of `bot` chooses, seated as in a game. `bot` itself stays as it is.

    Raises ValueError when the move is not allowed, TypeError when it is no move, and what the bot raises.
    """
    observation = decision.observation
    player = copy.deepcopy(bot)
    player.seed(private_seed)
    player.game_started(
        GameStart(
            table=decision.table,
            game=decision.game,
            seat=observation.seat,
            seats=observation.seats,
            rules=observation.rules,
            private_seed=private_seed,
            clock=decision.clock,
        )
    )
    move = player.choose(decision)
    if not isinstance(move, Move):
        raise TypeError(f"choose() must return a Move, and returned {move!r}")
    if not decision.allows(move):
        legal = ", ".join(map(str, decision.legal_moves))
        raise ValueError(f"choose() returned {move}, which is not allowed here; legal: {legal}")
    return move

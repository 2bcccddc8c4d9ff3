"""The decision file, ``mtref-decision/1``: one decision as JSON, legal moves included, for testing bots without a referee.

``mtref explain --decision`` writes such files and `mtref_sdk.testing` reads them. docs/protocol.md describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any, Final

from mtref_sdk.decision import Clock, Decision
from mtref_sdk.errors import ConfigError, MtrefError
from mtref_sdk.moves import parse_move
from mtref_sdk.observation import Observation
from mtref_sdk.ruleset import RuleSet
from mtref_sdk.tiles import parse_tile

__all__ = ["FORMAT", "decision_from_json", "decision_to_json"]

FORMAT: Final = "mtref-decision/1"
"""The value of ``format`` in the files this version writes and reads."""


def decision_to_json(decision: Decision) -> str:
    """`decision` as a decision file, ending in a newline. The observation's history is not written."""
    observation = decision.observation
    drawn = observation.just_drawn
    plain = {
        "format": FORMAT,
        "game": decision.game,
        "rules": observation.rules.to_mapping(),
        "seats": observation.seats,
        "seat": observation.seat,
        "hand": [str(tile) for tile in observation.hand],
        "legal": [str(move) for move in decision.legal_moves],
        "may_lift": [str(move) for move in decision.may_lift],
        "move_time": _limit(decision.clock.move_time),
        "bank": _limit(decision.clock.bank),
        "round": observation.round_number,
        "engine": observation.engine,
        "turn": observation.turn,
        "starter": observation.starter,
        "trains": {
            name: [f"{inner}-{outer}" for inner, outer in train.links]
            for name, train in observation.trains.items()
        },
        "marked": observation.marked,
        "forgotten": observation.forgotten,
        "unsatisfied": observation.unsatisfied,
        "boneyard": observation.boneyard,
        "hand_sizes": observation.hand_sizes,
        "totals": observation.totals,
        "scores": observation.scores,
        "turns_taken": observation.turns_taken,
        "passes": observation.passes,
        "quiet_passes": observation.quiet_passes,
        "laid": [str(move) for move in observation.laid],
        "drawn": observation.drawn,
        "just_drawn": None if drawn is None else str(drawn),
        "last_tile_calls": observation.last_tile_calls,
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in plain.items())
    return f"{{\n{lines}\n}}\n"


def decision_from_json(text: str | bytes, where: str | None = None) -> Decision:
    """The decision a decision file holds. Raises ConfigError, with `where` in front, for anything else."""
    try:
        plain = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"not JSON: {error}", where=where) from error
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise ConfigError(f"not a decision file; allowed: {FORMAT}", key="format", where=where)
    try:
        return _decision(plain)
    except KeyError as error:
        raise ConfigError("is missing", key=str(error.args[0]), where=where) from error
    except (MtrefError, TypeError, ValueError) as error:
        raise ConfigError(f"not a usable decision: {error}", where=where) from error


def _decision(plain: Mapping[str, Any]) -> Decision:
    observation = Observation(
        RuleSet.from_mapping(plain["rules"]),
        seats=plain["seats"],
        seat=plain["seat"],
        hand=map(parse_tile, plain["hand"]),
        just_drawn=None if plain["just_drawn"] is None else parse_tile(plain["just_drawn"]),
        round_number=plain["round"],
        engine=plain["engine"],
        turn=plain["turn"],
        starter=plain["starter"],
        trains={name: [parse_tile(tile) for tile in tiles] for name, tiles in plain["trains"].items()},
        marked=plain["marked"],
        forgotten=plain["forgotten"],
        unsatisfied=plain["unsatisfied"],
        boneyard=plain["boneyard"],
        hand_sizes=plain["hand_sizes"],
        totals=plain["totals"],
        scores=plain["scores"],
        turns_taken=plain["turns_taken"],
        passes=plain["passes"],
        quiet_passes=plain["quiet_passes"],
        laid=map(parse_move, plain["laid"]),
        drawn=plain["drawn"],
        last_tile_calls=plain["last_tile_calls"],
    )
    return Decision(
        partial(_same, observation),
        [parse_move(move).code for move in plain["legal"]],
        [parse_move(move).code for move in plain["may_lift"]],
        Clock(*[inf if plain[key] is None else plain[key] for key in ("move_time", "bank")]),
        game=plain["game"],
    )


def _same(observation: Observation) -> Observation:
    return observation


def _limit(seconds: float) -> float | None:
    return None if seconds == inf else seconds

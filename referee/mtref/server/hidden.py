"""What a seat cannot see of a deal, told a second time for the audit: nothing here is used to play."""

from __future__ import annotations

import random
from collections.abc import Sequence

from mtref.match.clock import ClockSettings
from mtref.match.options import MatchOptions
from mtref.match.plan import PlannedGame
from mtref.match.table import TableRun
from mtref.replay.records import BotInfo, Record
from mtref_sdk.events import (
    BoneyardStacked,
    EngineLaid,
    EngineSearchDrawn,
    Event,
    HandDealt,
    RoundStarted,
    TileDrawn,
)
from mtref_sdk.ruleset import RuleSet

__all__ = ["hidden_pair", "seen"]


def seen(event: Event, seat: int) -> Event | None:
    """What `seat` may know of an event. Written apart from `mtref.rules.projection`, which is under test."""
    match event:
        case BoneyardStacked():
            return None
        case HandDealt() | TileDrawn() | EngineSearchDrawn() if event.seat != seat:
            return type(event)(event.seat, None)
        case _:
            return event


def hidden_pair(
    rules: RuleSet, planned: PlannedGame, seat: int, rng: random.Random
) -> tuple[int, int] | None:
    """Two tiles of round 1 that are in different places the seat cannot see. The last to be drawn keep the secret longest."""
    events: list[Event] = []

    def take(records: Sequence[Record]) -> None:
        events.extend(record for record in records if isinstance(record, Event))

    options = MatchOptions(rules, clock=ClockSettings(enabled=False))
    TableRun(planned, options, [BotInfo(str(n), "-") for n in planned.bots], take).start()
    places: list[list[int]] = []
    engine = -1
    seen: set[int] = set()
    for event in events:
        match event:
            case RoundStarted():
                engine = event.engine
            case HandDealt() if event.seat != seat and event.tiles:
                places.append([tile.code for tile in event.tiles])
            case BoneyardStacked() if event.tiles:
                places.append([tile.code for tile in event.tiles][-2:])
            case EngineSearchDrawn() if event.tile is not None:
                seen.add(event.tile.code)
            case EngineLaid():
                break
            case _:
                pass
    seen.add(engine << 5 | engine)
    free = [[code for code in place if code not in seen] for place in places]
    free = [place for place in free if place]
    if len(free) < 2:
        return None
    one, other = rng.sample(free[:-1], 1)[0], free[-1]
    return rng.choice(one), other[-1]

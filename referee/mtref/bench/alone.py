"""A game at a table alone: in this process, without links, streams or bots. Nothing is measured here."""

from __future__ import annotations

from mtref.match.options import MatchOptions
from mtref.match.plan import draw_master_seed, plan_games
from mtref.match.table import StepSink, TableRun
from mtref.replay.records import BotInfo
from mtref_sdk.ruleset import preset

__all__ = ["play_alone"]


def play_alone(number: int, sink: StepSink | None, rules: str = "playboard", seats: int = 2) -> int:
    """Play a fixed game by the first legal move; how many decisions it had.

    Each is said to have taken from 0.2 to 2.2 ms, as nobody could foresee: times are a part of what a log holds.
    """
    options = MatchOptions(preset(rules), seed="logs")
    planned = plan_games(draw_master_seed("logs"), seats, number + 1)[number]
    bots = [BotInfo("first", "first_legal.py", None)] * seats
    run = TableRun(planned, options, bots, sink or (lambda _: None))
    run.start()
    decisions = 0
    while run.ask is not None:
        decisions += 1
        run.answer(run.ask.legal[0], 0.2 + decisions * 7919 % 2000 / 1000)
    run.reveal_seed()
    return decisions

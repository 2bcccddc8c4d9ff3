"""How late the referee itself is, measured apart, and when that is worth a warning."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from mtref.match.clock import ClockSettings
from mtref.match.times import Times
from mtref.replay.records import LogEnd
from mtref.server.lag import LagMeter
from tests.bots.villains import bot
from tests.server.playing import play

ONE_ROUND = {"rules": "playboard", "rounds": "1"}


def test_a_loop_that_stood_still_is_noticed_and_only_while_games_are_played() -> None:
    async def run() -> LagMeter:
        meter = LagMeter()
        time.sleep(0.4)  # noqa: ASYNC251 - the subject
        with meter, meter:
            await asyncio.sleep(0.1)
            time.sleep(0.4)  # noqa: ASYNC251 - the subject
            await asyncio.sleep(0.1)
        looks = len(meter.delays_ms)
        time.sleep(0.4)  # noqa: ASYNC251 - the subject
        await asyncio.sleep(0.1)
        assert len(meter.delays_ms) == looks
        return meter

    meter = asyncio.run(run())
    late = [delay for delay in meter.delays_ms if delay > 350]
    assert len(late) == 1
    assert meter.since(0).max == pytest.approx(late[0], abs=0.01)
    assert meter.since(len(meter.delays_ms)) == Times.of([])


def test_a_match_tells_times_and_delay_and_warns_when_it_was_more_than_the_margin() -> None:
    played = play([bot("greedy"), bot("first_legal")], clock=ClockSettings(move_ms=20_000), **ONE_ROUND)
    end = next(record for record in played.records if isinstance(record, LogEnd))
    assert end.times_ms is not None and end.delay_ms is not None
    assert [times["max"] for times in end.times_ms] == [seat.times_ms.max for seat in played.seats]
    assert set(end.delay_ms) == {"median", "p95", "max", "total"}
    result = played.result
    margin = result.options.clock.margin_ms
    for delay, warned in ((margin, False), (margin + 1, True)):
        facts = replace(result.facts, delay_ms=Times(0.0, 0.0, delay, delay))
        assert bool(replace(result, facts=facts).warnings) is warned

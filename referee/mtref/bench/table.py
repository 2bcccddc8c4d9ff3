"""One table: a decision of a real game against a bare message there and back over grpcio, which is what gRPC usually costs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mtref.bench.counts import count
from mtref.bench.measure import Sample, Table, in_turn
from mtref.bench.pingpong import PingPong
from mtref.bench.pingpong import play as bounce
from mtref.bench.play import Game, play

__all__ = ["floor", "measure"]

FLOOR = "ping-pong"


def floor(bounces: int) -> PingPong:
    """A stock ping-pong of messages of the size that a decision at one table has, so many times."""
    sizes = count(1).per_decision()
    return PingPong("grpc", round(sizes["bytes to bots"]), round(sizes["bytes from bots"]), bounces)


def measure(*, quick: bool) -> list[Table]:
    """Two bots with the shipped rules, clocks and logs on."""
    passes, games, bounces = (2, 3, 1000) if quick else (7, 10, 3000)
    stock = floor(bounces)
    tuned = replace(stock, tuned=True)
    game = Game(games=games)
    subjects: dict[str, Callable[[], Sample]] = {
        FLOOR: partial(bounce, stock),
        "ping-pong, two bots in turn": partial(bounce, replace(stock, clients=2)),
        "ping-pong, tuned": partial(bounce, tuned),
        "ping-pong, tuned, two bots in turn": partial(bounce, replace(tuned, clients=2)),
        "the same over a bot's door": partial(bounce, replace(stock, over="door")),
        "over a bot's door, two bots in turn": partial(bounce, replace(stock, over="door", clients=2)),
        "unix socket, blocking": partial(bounce, replace(stock, over="socket")),
        "game": partial(play, game),
        "game, all on one core": partial(play, replace(game, core=max(os.sched_getaffinity(0)))),
    }
    title = f"One table: 2 bots; a message of {stock.there} bytes there, one of {stock.back} back"
    notes = ("goals: game <= 1.15 of a stock ping-pong, wall and CPU, and <= 0.90 with the compiled core",)
    return [Table(title, FLOOR, ("wall µs", "CPU µs"), in_turn(subjects, passes), notes)]

"""Games for the tests of logs: played without bots, from a seed given as text, into any log sink."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from mtref.replay.records import BotInfo, LogDecision, LogEnd, LogFault, LogHeader, LogSink, SeedRevealed
from mtref.replay.writer import LogWriter
from mtref.rules import fairdeal
from mtref.rules.game import Game
from mtref.sim.policies import heaviest_move
from mtref_sdk.ruleset import RuleSet, preset

__all__ = ["BOTS", "any_move", "play", "short", "summed_anew", "write_game"]

BOTS = (BotInfo("heavy", "heavy.py", "ab" * 32), BotInfo("Zufall é", "./random --fast"))


def short(name: str = "playboard", rounds: int = 1) -> RuleSet:
    """The preset `name` cut down to so many rounds, where its rules allow that."""
    rules = preset(name)
    return rules if rules.engine == "highest_held" else rules.with_overrides({"rounds": rounds})


def any_move(legal: list[int], rng: Random) -> int:
    """Any of the legal moves; a choice of one costs no random number."""
    return legal[int(rng.random() * len(legal))] if len(legal) > 1 else legal[0]


def play(
    rules: RuleSet,
    sink: LogSink,
    *,
    seats: int = 2,
    seed: str = "test",
    bots: Sequence[BotInfo] = BOTS,
    faulty: bool = False,
    reveal: bool = True,
    stop_after: int | None = None,
    games: list[Game] | None = None,
) -> Game:
    """Play a game: even seats lay the heaviest tile, odd seats any tile; lifts are made whenever allowed.

    `faulty` makes every seventh decision a fault. With `stop_after` the game is broken off after so many decisions. The
    game is put into `games` before it starts, for sinks that look into it.
    """
    deal, rng = "1", Random(seed)
    secret = fairdeal.deal_seed(fairdeal.master_seed(seed), deal)
    first = fairdeal.first_starter(secret, seats)
    sink(
        LogHeader(
            game=f"{seed}-1", deal=deal, rules=rules.to_mapping(), seats=seats, first_starter=first,
            bots=tuple(bots[seat % len(bots)] for seat in range(seats)), seeded=True,
            commitment=fairdeal.commitment(secret, deal), clock={"move_ms": 1000, "bank_ms": 60_000.0}, mtref="0.1.0",
        )
    )  # fmt: skip
    faults: list[Counter[str]] = [Counter() for _ in range(seats)]
    game = Game(rules, seats, lambda number: fairdeal.deck(secret, deal, number, rules.tile_set), first, sink)
    if games is not None:
        games.append(game)
    game.start()
    made = 0
    while not game.over:
        if made == stop_after:
            return game
        made += 1
        move = any_move(game.legal, rng) if game.turn % 2 else heaviest_move(game.legal)
        lifts = [code & ~1 for code in game.may_lift]
        legal, seat = tuple(game.legal), game.turn
        if faulty and made % 7 == 0:
            sink(LogFault(seat, "illegal_move", "0-0@9 \x1b[2J\u202e?", "default move"))
            faults[seat]["illegal_move"] += 1
            move = game.legal[0]
            sink(LogDecision(seat, legal, tuple(lifts), move, by="default", ms=1000.0, bank_ms=60_000))
        else:
            move |= move in lifts
            sink(LogDecision(seat, legal, tuple(lifts), move, ms=made * 0.37, bank_ms=60_000))
        game.play(move)
    sink(LogEnd(game.totals, tuple(game.round_scores), game.places, tuple(dict(count) for count in faults)))
    if reveal:
        sink(SeedRevealed(secret))
    return game


def write_game(
    path: Path,
    rules: RuleSet | None = None,
    *,
    seats: int = 2,
    seed: str = "test",
    bots: Sequence[BotInfo] = BOTS,
    faulty: bool = False,
    reveal: bool = True,
    stop_after: int | None = None,
) -> Path:
    """A log of a game (see `play`) at `path`; returns the path."""
    with LogWriter(path) as sink:
        play(
            rules or short(), sink, seats=seats, seed=seed, bots=bots, faulty=faulty, reveal=reveal, stop_after=stop_after
        )  # fmt: skip
    return path


def summed_anew(lines: Iterable[bytes]) -> bytes:
    """Lines of a log that somebody has changed, with check sums that fit again. The digests at its end stay as they are."""
    data = b""
    for line in lines:
        body, had, _ = line.rstrip().rpartition(b',"sum":"')
        data += body if had else line.rstrip()[:-1]
        data += b',"sum":"' + hashlib.sha256(data).hexdigest()[:8].encode() + b'"}\n' if had else b"}\n"
    return data

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.replay.reader import LogError, LogReader
from mtref.replay.records import LogDecision, LogEnd, LogFault, LogHeader, Record, SeedRevealed
from mtref.replay.verify import verify_log
from mtref.replay.writer import LogWriter
from mtref_sdk.events import (
    BoneyardStacked,
    GameEnded,
    RoundEnded,
    RoundStarted,
    TileDrawn,
    TilePlayed,
    TurnPassed,
)
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset
from tests.replay.games import play, short, write_game
from tests.strategies import rule_sets


def test_a_true_log_agrees(tmp_path: Path) -> None:
    found = verify_log(write_game(tmp_path / "a.jsonl.zst", preset("playboard"), seats=3, faulty=True))
    assert (found.rounds, found.seed_revealed, found.game) == (4, True, "test-1")
    assert found.decisions > 50 and len(found.game_digest) == 64


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_games_of_every_preset_agree_with_the_fewest_and_the_most_seats(tmp_path: Path, name: str) -> None:
    rules = short(name, rounds=3)
    for seats in set(rules.seats):
        path = write_game(tmp_path / f"{seats}.jsonl", rules, seats=seats, seed=name, faulty=seats % 2 == 0)
        assert verify_log(path).rounds == rules.rounds


@settings(max_examples=40)
@given(rule_sets(tile_sets=(6, 9), most_rounds=2), st.data())
def test_games_of_any_rule_set_agree(
    tmp_path_factory: pytest.TempPathFactory, rules: RuleSet, data: st.DataObject
) -> None:
    seats = data.draw(st.integers(*rules.seats))
    path = tmp_path_factory.mktemp("any") / "a.jsonl"
    write_game(path, rules, seats=seats, seed=str(data.draw(st.integers(0, 99))), faulty=True)
    assert verify_log(path).rounds == rules.rounds


def test_without_the_seed_everything_else_is_checked(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl", reveal=False)
    assert not verify_log(path).seed_revealed


# What somebody can do who writes the check sums and digests again: only the rules and the seed find it.


def first(kind: type[Any], /, **values: Any) -> Callable[[list[Record]], int]:
    """Changes the first record of a kind; returns its index."""

    def change(records: list[Record]) -> int:
        at = next(at for at, record in enumerate(records) if isinstance(record, kind))
        records[at] = replace(records[at], **values)  # type: ignore[type-var, unused-ignore]
        return at

    return change


def tiles_never_drawn(records: list[Record]) -> int:
    """The game is the same, whatever the order of the tiles left at its end."""
    at = next(at for at, record in enumerate(records) if isinstance(record, BoneyardStacked))
    stacked = records[at]
    assert isinstance(stacked, BoneyardStacked)
    *drawn, one, other = stacked.tiles
    records[at] = BoneyardStacked((*drawn, other, one))
    return at


def twice_the_same_tile(records: list[Record]) -> int:
    at = next(at for at, record in enumerate(records) if isinstance(record, BoneyardStacked))
    stacked = records[at]
    assert isinstance(stacked, BoneyardStacked)
    records[at] = BoneyardStacked((stacked.tiles[1], *stacked.tiles[1:]))
    return at


def another_legal_move(records: list[Record]) -> int:
    """The decision agrees with the rules; the event after it does not."""
    at = next(
        at for at, record in enumerate(records) if isinstance(record, LogDecision) and len(record.legal) > 1
    )
    decision = records[at]
    assert isinstance(decision, LogDecision)
    other = next(code for code in decision.legal if code != decision.move)
    records[at] = replace(decision, move=other)
    return at + 1


def a_lift_that_is_not_allowed(records: list[Record]) -> int:
    at = next(at for at, record in enumerate(records) if isinstance(record, LogDecision))
    decision = records[at]
    assert isinstance(decision, LogDecision)
    records[at] = replace(decision, move=decision.move | 1)
    return at


def a_pass_less(records: list[Record]) -> int:
    at = next(at for at, record in enumerate(records) if isinstance(record, TurnPassed))
    del records[at]
    return at


def other_starter(records: list[Record]) -> int:
    header = records[0]
    assert isinstance(header, LogHeader)
    records[0] = replace(header, first_starter=1 - header.first_starter)
    return 1


CHANGES: dict[str, tuple[Callable[[list[Record]], int], str]] = {
    "tiles never drawn": (tiles_never_drawn, "the boneyard in round 1 is not what the revealed seed deals"),
    "twice the same tile": (twice_the_same_tile, "not the whole set of double-12"),
    "starter": (other_starter, "but by the rules"),
    "engine": (first(RoundStarted, engine=3), "not the whole set|but by the rules"),
    "sizes": (first(RoundStarted, boneyard=3), "but by the rules"),
    "legal": (first(LogDecision, legal=()), "legal: the log says"),
    "may_lift": (first(LogDecision, may_lift=(0,)), "may_lift: the log says"),
    "whose decision": (first(LogDecision, seat=7), "seat: the log says 7"),
    "move": (another_legal_move, "but by the rules"),
    "lift": (a_lift_that_is_not_allowed, "may not play"),
    "end": (first(TilePlayed, end=12), "but by the rules"),
    "drawn tile": (first(TileDrawn, tile=None), "but by the rules"),
    "pass": (a_pass_less, "but by the rules"),
    "scores": (first(RoundEnded, scores=(0, 0)), "but by the rules"),
    "totals": (first(GameEnded, totals=(0, 0)), "but by the rules"),
    "places": (first(LogEnd, places=(1, 1)), "places: the log says"),
    "scores at the end": (first(LogEnd, scores=()), "scores: the log says"),
    "faults at the end": (first(LogEnd, faults=({}, {})), "faults: the log says"),
    "a fault less": (first(LogFault, kind="crash"), "faults: the log says"),
    "a fault of nobody": (first(LogFault, seat=2), "there is no seat 2"),
    "seed": (first(SeedRevealed, seed=b"x" * 32), "the seed is not the one committed to"),
    "commitment": (first(LogHeader, commitment=b"x" * 32), "the seed is not the one committed to"),
    "deal": (first(LogHeader, deal="2"), "the seed is not the one committed to"),
    "rules": (first(LogHeader, rules=preset("cubano").to_mapping()), "not the whole set of double-9"),
    "half the rules": (first(LogHeader, rules={"preset": "playboard"}), "is not the whole rule set"),
    "rules of nowhere": (
        first(LogHeader, rules={"preset": "x\x1b"}),
        r"rules: preset: there is no preset 'x\\x1b'",
    ),
    "seats": (first(LogHeader, seats=1, first_starter=0, bots=()), "expected one entry a seat"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_log_written_anew_with_something_changed_does_not_agree(tmp_path: Path, name: str) -> None:
    change, reason = CHANGES[name]
    records: list[Record] = []
    play(short(), records.append, faulty=True)
    at = change(records)
    with LogWriter(tmp_path / "a.jsonl") as sink:
        for record in records:
            sink(record)
    with pytest.raises(LogError, match=reason) as caught:
        verify_log(tmp_path / "a.jsonl")
    seed, end = len(records), len(records) - 1
    late = {"commitment": seed, "deal": seed, "a fault less": end}
    deal = {"engine": 5, "rules": 5}  # seen when the whole deal has been read
    assert caught.value.line == late.get(name, deal.get(name, at + 1))


def test_another_deal_under_the_same_rules_is_found_by_the_seed_alone(tmp_path: Path) -> None:
    """A whole game that agrees with itself but was not dealt from the seed committed to."""
    honest: list[Record] = []
    play(short(), honest.append, seed="honest")
    with LogWriter(tmp_path / "a.jsonl") as sink:

        def forged(record: Record) -> None:
            match record:
                case LogHeader():
                    header = honest[0]
                    assert isinstance(header, LogHeader)
                    sink(replace(header, first_starter=record.first_starter))
                case SeedRevealed():
                    sink(honest[-1])
                case _:
                    sink(record)

        play(short(), forged, seed="another")
    with LogReader(tmp_path / "a.jsonl") as reader:
        assert len(list(reader)) > 50
    with pytest.raises(LogError, match="revealed seed"):
        verify_log(tmp_path / "a.jsonl")

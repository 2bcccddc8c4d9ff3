from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.replay.jsonview import objects
from mtref.replay.moment import moment_at
from mtref.replay.picture import WIDTH, draw, moment_to_dict
from mtref.replay.reader import LogError, LogLine, LogReader
from mtref.replay.records import LogDecision, LogHeader, Record
from mtref.replay.sight import seen, seen_lines
from mtref.replay.story import tell
from mtref.rules.game import Game
from mtref.rules.state import hand_of
from mtref_sdk.events import EngineLaid, EngineSearchDrawn, HandDealt, TileDrawn, TilePlayed
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset
from mtref_sdk.tiles import Tile
from tests.replay.games import play, short, write_game
from tests.strategies import rule_sets


def lines_of(records: list[Record]) -> list[LogLine]:
    return [LogLine(number, b"", record) for number, record in enumerate(records, 1)]


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_the_table_of_a_moment_is_the_referee_s_own(tmp_path: Path, name: str) -> None:
    """At some decisions of a whole game: every hand, the boneyard, the markers, the ends, whatever a rule hides."""
    rules, seats = short(name, rounds=3), preset(name).seats[1]
    path = write_game(tmp_path / "a.jsonl", rules, seats=seats)
    truth: dict[int, tuple[object, ...]] = {}
    games: list[Game] = []
    numbers = count(1)

    def watch(record: Record) -> None:
        number = next(numbers)
        if isinstance(record, LogDecision) and number % 17 == 0:
            state = games[0].state
            ends = {seat: state.ends[seat] for seat in range(seats)}
            boneyard = list(state.boneyard)[len(state.boneyard) - state.boneyard_size :]
            truth[number] = ([list(hand) for hand in state.hands], boneyard, ends, state.turn)

    play(rules, watch, seats=seats, games=games)
    assert truth
    for at, (hands, boneyard, ends, turn) in list(truth.items())[:: max(1, len(truth) // 12)]:
        with LogReader(path) as reader:
            moment = moment_at(reader, at)
        assert [hand_of(tile.code for tile in hand or ()) for hand in moment.hands] == hands
        assert moment.boneyard is not None
        assert len(moment.boneyard) == moment.table.boneyard
        assert [tile.code for tile in moment.boneyard] == boneyard
        assert {int(seat): end for seat, end in moment.table.open_ends.items() if seat.isdigit()} == ends
        assert moment.table.turn == turn
        assert moment.decision is not None and moment.decision.seat == turn


@settings(max_examples=25)
@given(rule_sets(tile_sets=(6, 9), most_rounds=2), st.integers(0, 1000))
def test_a_seat_is_never_shown_a_tile_it_did_not_know_then(rules: RuleSet, seed: int) -> None:
    records: list[Record] = []
    seats = rules.seats[0]
    play(rules, records.append, seats=seats, seed=str(seed), faulty=True)
    for viewer in range(seats):
        known: set[str] = set()
        told: list[Record] = []
        for record in records:
            match record:
                case HandDealt(seat=seat, tiles=tiles) if seat == viewer and tiles:
                    known |= set(map(str, tiles))
                case (
                    TileDrawn(seat=seat, tile=Tile() as tile)
                    | EngineSearchDrawn(seat=seat, tile=Tile() as tile)
                ):
                    known |= {str(tile)} if seat == viewer else set()
                case TilePlayed(tile=tile) | EngineLaid(tile=tile):
                    known.add(str(tile))
                case _:
                    pass
            if not isinstance(record, LogHeader):
                told.append(record)
            lines = [json.dumps(plain) for plain in objects(seen_lines(lines_of([record]), viewer), seats)]
            if not isinstance(record, LogHeader) and "fault" not in str(lines):
                assert set(re.findall(r"\d+-\d+", " ".join(lines))) <= known
        assert "draws a tile" in "\n".join(tell(seen_lines(lines_of(told), viewer))) or not any(
            isinstance(record, TileDrawn) and record.seat != viewer for record in records
        )


def test_two_games_that_differ_in_hidden_tiles_only_look_the_same_to_a_seat(tmp_path: Path) -> None:
    records: list[Record] = []
    play(preset("playboard").with_overrides({"rounds": 1}), records.append, stop_after=3)
    swapped: list[Record] = []
    for record in records:
        match record:
            case HandDealt(seat=1, tiles=tiles) if tiles:
                swapped.append(HandDealt(1, tiles[::-1]))
            case _:
                swapped.append(record)
    assert records != swapped
    for show in (lambda lines: list(objects(lines, 2)), lambda lines: list(tell(lines))):
        assert show(seen_lines(lines_of(records), 0)) == show(seen_lines(lines_of(swapped), 0))
        assert show(seen_lines(lines_of(records), 1)) != show(seen_lines(lines_of(swapped), 1))


def test_a_seat_sees_its_own_decisions_and_faults_only(tmp_path: Path) -> None:
    records: list[Record] = []
    play(preset("playboard"), records.append, faulty=True)
    for viewer in range(2):
        for record in records:
            shown = seen(record, viewer)
            if type(record).__name__ in ("LogDecision", "LogFault"):
                assert shown == (record if record.seat == viewer else None)  # type: ignore[union-attr]
            if type(record).__name__ in ("SeedRevealed", "BoneyardStacked"):
                assert shown is None


def test_the_picture_fits_its_width_and_a_seat_s_picture_hides_what_it_did_not_know(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl", preset("cubano-15"), seats=10)
    for at in range(1, 300, 23):
        with LogReader(path) as reader:
            everything = moment_at(reader, at)
        with LogReader(path) as reader:
            partly = moment_at(reader, at, 4)
        assert all(len(line) <= WIDTH for line in draw(everything))
        assert partly.boneyard is None
        assert [seat for seat, hand in enumerate(partly.hands) if hand is not None] == (
            [4] if at >= 7 else []
        )
        if at >= 13:
            assert partly.hands[4] == everything.hands[4]
        whole, part = moment_to_dict(everything), moment_to_dict(partly)
        hidden = {"hands", "boneyard", "decision"}
        assert {key: whole[key] for key in whole.keys() - hidden} == {
            key: part[key] for key in part.keys() - hidden
        }


def test_a_line_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl", stop_after=2)
    with (
        LogReader(path) as reader,
        pytest.raises(LogError, match="line 9999: there is no such line; the last one is"),
    ):
        moment_at(reader, 9999)
    with LogReader(path) as reader:
        assert list(draw(moment_at(reader, 1))) == ["line 1: before the first round"]

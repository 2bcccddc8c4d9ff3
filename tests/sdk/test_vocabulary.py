"""Tiles, trains and moves: texts and codes that go there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref_sdk.errors import InvalidMoveError
from mtref_sdk.moves import STOP, STOP_CODE, TRAINS, Move, parse_move, parse_train, train_code
from mtref_sdk.tiles import TILE_BY_CODE, Tile, parse_tile, tiles_of

TILES = st.sampled_from(list(TILE_BY_CODE.values()))
MOVES = st.one_of(st.just(STOP), st.builds(Move.play, TILES, st.sampled_from(TRAINS), lift=st.booleans()))


@given(TILES)
def test_a_tile_survives_its_text_and_its_code(tile: Tile) -> None:
    assert parse_tile(str(tile)) is tile
    assert parse_tile(f"{tile.high}-{tile.low}") is tile
    assert Tile.from_code(tile.code) is tile


@given(MOVES)
def test_a_move_survives_its_text_and_its_code(move: Move) -> None:
    assert parse_move(str(move)) == move
    assert Move.from_code(move.code) == move
    assert move.lifted().plain() == move.plain()


@pytest.mark.parametrize("train", TRAINS)
def test_a_train_survives_its_code(train: str) -> None:
    assert TRAINS[train_code(train)] == parse_train(f" {train} ") == train


def test_moves_sort_in_canonical_order() -> None:
    texts = [
        "0-5@0",
        "0-5@1",
        "0-5@1 lift",
        "0-5@9",
        "0-5@m1",
        "0-5@m2",
        "0-12@0",
        "3-3@0",
        "3-4@m18",
        "stop",
    ]
    moves = [parse_move(text) for text in texts]
    assert sorted(moves) == moves
    assert sorted(move.code for move in moves) == [move.code for move in moves]


@pytest.mark.parametrize(("tile_set", "count"), [(6, 28), (9, 55), (12, 91), (15, 136), (18, 190)])
def test_a_set_holds_every_pair_once(tile_set: int, count: int) -> None:
    tiles = tiles_of(tile_set)
    assert len(set(tiles)) == len(tiles) == count
    assert list(tiles) == sorted(tiles)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "3-",
        "3--4",
        "19-3",
        "0-44@0",
        "a-b",
        "3-4-5",
        "-3-4",
        "3-9@",
        "@1",
        "3-9@10",
        "3-9@m0",
        "3-9@m19",
        "3-9@1 drop",
        "3-9 @1",
        "draw",
        "pass",
        "Stop",
    ],
)
def test_what_is_no_move_is_refused_with_a_line_that_quotes_it(text: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        parse_move(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", [1023 << 6, 28 << 1, (1 << 5) << 6, STOP_CODE + 1, 2**32 - 1])
def test_what_is_no_moves_code_is_refused(code: int) -> None:
    with pytest.raises(InvalidMoveError, match=str(code)):
        Move.from_code(code)


@pytest.mark.parametrize(("one", "other"), [(0, 44), (44, 0), (-1, 3), (19, 19), (0, 32)])
def test_numbers_no_tile_has_are_no_tile_whatever_their_code(one: int, other: int) -> None:
    with pytest.raises(InvalidMoveError, match="no such tile"):
        Tile.of(one, other)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtref.text import escape, plural


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("planner", "planner"),
        ("Jörg 張 🙂", "Jörg 張 🙂"),
        ("", ""),
        ("a\nb\r\tc\0", "a\\x0ab\\x0d\\x09c\\x00"),
        ("\x1b[2J\x7f\x9b31m", "\\x1b[2J\\x7f\\x9b31m"),
        ("\u202egreedy\u2066\u200f\ufeff", "\\u202egreedy\\u2066\\u200f\\ufeff"),
        ("line\u2028para\u2029", "line\\u2028para\\u2029"),
        ("\ud800\U000e0041", "\\ud800\\U000e0041"),
        ("C:\\bots", "C:\\bots"),
    ],
)
def test_whatever_could_move_reorder_or_hide_text_is_written_as_a_number(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(st.text(), st.integers(1, 30))
def test_the_result_is_one_printable_line_within_the_limit_and_escaping_again_changes_nothing(
    text: str, limit: int
) -> None:
    shown = escape(text, limit)
    assert len(shown) <= limit
    assert all(char == " " or char.isprintable() or char.isspace() for char in shown)
    assert len(shown.splitlines()) <= 1
    assert escape(shown, limit) == shown


def test_no_escape_is_cut_in_two() -> None:
    assert escape("ab\x1b\x1b", 10) == "ab\\x1b\\x1b"
    assert escape("ab\x1b\x1b", 9) == "ab\\x1b…"
    assert escape("ab\x1b\x1b", 6) == "ab…"
    assert escape("abcdef", 6) == "abcdef"
    assert escape("abcdefg", 6) == "abcde…"


def test_one_thing_is_not_many() -> None:
    assert [plural(number, "round") for number in (0, 1, 2)] == ["0 rounds", "1 round", "2 rounds"]
    assert [plural(number, "process", "processes") for number in (1, 9)] == ["1 process", "9 processes"]

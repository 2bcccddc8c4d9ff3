"""What anybody can do to a file: change, add or take away bytes. `mtref verify` finds it and says where."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.replay.reader import LogError
from mtref.replay.verify import verify_log
from tests.replay.games import short, write_game


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A real log of a short game, with faults and the seed."""
    rules = short("cubano-forgetful").with_overrides({"tile_set": 6})
    return write_game(tmp_path_factory.mktemp("small") / "a.jsonl", rules, faulty=True).read_bytes()


def failure(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> LogError:
    path = tmp_path_factory.getbasetemp() / "changed.jsonl"
    path.write_bytes(data)
    with pytest.raises(LogError) as caught:
        verify_log(path)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


def failing_line(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> int:
    return failure(tmp_path_factory, data).line


def names(found: LogError, line: int) -> bool:
    """Whether it says that this line was changed, or one of those up to a check sum; the next but one if that was hit."""
    said = re.search(r"lines (\d+) to (\d+) does not fit", found.reason)
    if said is None:
        return found.line == line
    first, last = map(int, said.groups())
    return first <= line <= last < first + 64 and first <= found.line <= last


@settings(max_examples=400)
@given(st.data())
def test_a_changed_byte_is_found_and_its_line_named(
    tmp_path_factory: pytest.TempPathFactory, small: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(small) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != small[at]))
    line = small.count(b"\n", 0, at) + 1
    assert names(failure(tmp_path_factory, small[:at] + bytes([byte]) + small[at + 1 :]), line)


@pytest.mark.parametrize(
    "start",
    [b'{"t":"header"', b'{"event":"hand_dealt"', b'{"t":"decision"', b'{"event":"tile_played"}', b'{"t":"fault"', b'{"t":"end"', b'{"t":"seed_revealed"'],
)  # fmt: skip
def test_every_byte_of_every_kind_of_line_counts(
    tmp_path_factory: pytest.TempPathFactory, small: bytes, start: bytes
) -> None:
    begin = small.index(start)
    end = small.index(b"\n", begin) + 1
    line = small.count(b"\n", 0, begin) + 1
    for at in range(begin, end, 3 if b"header" in start else 1):
        changed = bytearray(small)
        changed[at] ^= 1 if at % 2 else 0x20
        found = failure(tmp_path_factory, bytes(changed))
        assert names(found, line)
        if start in {b'{"t":"header"', b'{"t":"fault"', b'{"t":"end"', b'{"t":"seed_revealed"'}:
            assert found.line == line


def test_an_end_that_no_tile_has_is_an_error(tmp_path_factory: pytest.TempPathFactory, small: bytes) -> None:
    bare = b'{"event":"tile_played"}'
    line = small.count(b"\n", 0, small.index(bare)) + 1
    changed = small.replace(bare, bare[:-1] + b',"end":19}', 1)
    assert failing_line(tmp_path_factory, changed) == line


def test_what_no_rule_tells_is_covered_by_the_next_check_sum(
    tmp_path_factory: pytest.TempPathFactory, small: bytes
) -> None:
    lines = small.splitlines(keepends=True)
    at = next(at for at in range(33, len(lines)) if b'"ms":' in lines[at] and b'"sum"' not in lines[at])
    changed = re.sub(rb'"ms":[0-9.]+', b'"ms":77.7', lines[at])
    found = failure(tmp_path_factory, b"".join([*lines[:at], changed, *lines[at + 1 :]]))
    assert names(found, at + 1) and "one of them was changed, added or left out" in found.reason


def test_a_move_that_was_changed_is_told_where_it_shows_with_the_lines_that_do_not_fit(
    tmp_path_factory: pytest.TempPathFactory, small: bytes
) -> None:
    lines = small.splitlines(keepends=True)
    at, old, new = next(
        (at, plain["move"], other)
        for at, plain in enumerate(map(json.loads, lines))
        if plain.get("t") == "decision" and "sum" not in plain
        for other in plain["legal"]
        if other != plain["move"]
    )
    changed = lines[at].replace(f'"move":"{old}"'.encode(), f'"move":"{new}"'.encode())
    found = failure(tmp_path_factory, b"".join([*lines[:at], changed, *lines[at + 1 :]]))
    assert names(found, at + 1)
    assert "; the check sum of lines" in found.reason or "its check sum does not fit" in found.reason


@settings(max_examples=100)
@given(st.data())
def test_lines_and_bytes_added_or_taken_away_are_found(
    tmp_path_factory: pytest.TempPathFactory, small: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(small) - 1))
    line = small.count(b"\n", 0, at) + 1
    assert names(failure(tmp_path_factory, small[:at] + small[at + 1 :]), line)
    extra = data.draw(st.binary(min_size=1, max_size=3))
    changed = small[:at] + extra + small[at:]
    found = failure(tmp_path_factory, changed)
    assert any(names(found, near) for near in (line - 1, line, line + 1))
    lines = small.splitlines(keepends=True)
    if line < len(lines):  # without its last line the log only does not reveal the seed
        assert names(failure(tmp_path_factory, b"".join(lines[: line - 1] + lines[line:])), line)
    doubled = failure(tmp_path_factory, b"".join([*lines[:line], *lines[line - 1 :]]))
    assert names(doubled, line + 1) or names(doubled, line)


def test_a_log_that_breaks_off_is_wrong_where_it_does(
    tmp_path_factory: pytest.TempPathFactory, small: bytes
) -> None:
    lines = small.splitlines(keepends=True)
    for kept in range(1, len(lines) - 1):
        assert failing_line(tmp_path_factory, b"".join(lines[:kept])) == kept + 1
    assert failing_line(tmp_path_factory, small[:-1]) == len(lines)

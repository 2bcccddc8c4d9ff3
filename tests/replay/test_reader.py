from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from mtref.replay.reader import MAX_LINE, LogError, LogReader
from mtref.replay.records import Record
from mtref.replay.verify import verify_log
from mtref_sdk.errors import ReplayError
from tests.replay.games import play, short, write_game


def read_all(path: Path) -> list[Record]:
    with LogReader(path) as reader:
        return [reader.first.record, *(line.record for line in reader)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.zst", "a.gz"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    written: list[Record] = []
    play(short(), written.append, faulty=True)
    found = read_all(write_game(tmp_path / name, faulty=True))
    assert len(found) == len(written)
    changed = [(old, new) for old, new in zip(written, found, strict=True) if old != new]
    # Only what the writer adds or cuts: escaped messages, times to a microsecond, the digests.
    assert {type(old).__name__ for old, _ in changed} == {"LogFault", "LogDecision", "LogEnd"}


def test_a_log_is_known_by_its_bytes_not_by_its_name(tmp_path: Path) -> None:
    plain = write_game(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_bytes(gzip.compress(plain.read_bytes()))
    (tmp_path / "c.gz").write_bytes(zstandard.compress(plain.read_bytes()))
    assert read_all(tmp_path / "b.jsonl") == read_all(tmp_path / "c.gz") == read_all(plain)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_line_may_be_added_to_a_compressed_log_as_a_frame_of_its_own(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    *lines, seed = write_game(tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "b"
    path.write_bytes(pack(b"".join(lines)) + pack(seed))
    assert verify_log(path).seed_revealed


def header_with(tmp_path: Path, **changes: Any) -> bytes:
    path = tmp_path / "original.jsonl"
    first = (path if path.exists() else write_game(path)).read_bytes().splitlines()[0]
    return json.dumps(json.loads(first) | changes, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: the file is empty"),
        (b"hello\n", "line 1: not an mtref log"),
        (b"\n", "line 1: not an mtref log"),
        (b"[]\n", "line 1: not an mtref log"),
        (b'{"t":"event","n":1}\n', "line 1: not an mtref log"),
        (b'{"t":"header","n":1,"format":7}\n', "line 1: not an mtref log"),
        (b'{"format":"pgn/1"}\n', "line 1: not an mtref log"),
        (b"\x7fELF\x02\x01\x01\0\0\n\xff\xfe", "line 1: not an mtref log"),
        (b'{"t":"header","n":1,"format":"mtref-lo', "line 1: not an mtref log, or cut off in its first line"),
        (b"[" * 100_000 + b"\n", "line 1: not an mtref log"),
        (b"x" * (MAX_LINE + 10), f"line 1: not an mtref log: the line is longer than {MAX_LINE} bytes"),
        (
            b"x" * (MAX_LINE + 10) + b"\n",
            f"line 1: not an mtref log: the line is longer than {MAX_LINE} bytes",
        ),
        (gzip.compress(b"{}" * 999, mtime=0)[:20], "line 1: not an mtref log, or cut off in its first line"),
        (zstandard.compress(b"{}" * 999)[:10], "line 1: not an mtref log, or cut off in its first line"),
        (b"\x28\xb5\x2f\xfdgarbage", "line 1: the compressed data is damaged"),
        (b"\x1f\x8bgarbage and more", "line 1: the compressed data is damaged"),
    ],
)
def test_what_is_no_log_is_one_clear_line(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(LogError) as caught:
        read_all(path)
    assert str(caught.value) == f"{path}: {reason}"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"format": "mtref-log/4", "mtref": "9.0\x1b"},
            r"the format is mtref-log/4, written by mtref 9\.0\\x1b; this version reads mtref-log/1, mtref-log/2, mtref-log/3",
        ),
        ({"seats": 0}, "header: seats: expected 1 to 10"),
        ({"seats": 3}, "header: bots: expected one entry a seat, in order"),
        ({"first_starter": 2}, "header: first_starter: expected a seat"),
        ({"commitment": "00"}, "header: commitment: expected 64 hex digits"),
        ({"deal": "\ud800"}, "header: deal: expected a short printable text"),
        ({"seeded": 1}, "header: seeded: expected true or false"),
        ({"clock": []}, "header: clock: expected an object"),
        ({"extra": 1}, "header: has no field 'extra'"),
        ({"n": 1}, "header: has no field 'n'"),
        ({"game": "another"}, "its check sum does not fit: the line was changed"),
    ],
)
def test_a_header_of_another_form_is_one_clear_line(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "x"
    path.write_bytes(header_with(tmp_path, **changes))
    with pytest.raises(LogError, match=f"^{path}: line 1: {reason}"):
        read_all(path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{\n", "not JSON"),
        (b"7\n", "not a JSON object"),
        (b'{"event":NaN}\n', "not JSON"),
        (b'{"t":"header"}\n', "a header is the first line and no other"),
        (b'{"t":"chat"}\n', "unknown kind of line 'chat'"),
        (b'{"t":["event"]}\n', "unknown kind of line"),
        (b'{"t":"event","event":"turn_started","seat":0}\n', "event: turn_started has no field 't'"),
        (b'{"event":"tile_eaten"}\n', "event: unknown event 'tile_eaten'"),
        (b'{"event":"tile_played"}\n', "event: tile_played lacks its field seat"),
        (b'{"event":"tile_played","seat":0,"end":9}\n', "event: tile_played lacks its field tile"),
        (b'{"event":"turn_started"}\n', "event: turn_started lacks its field seat"),
        (b'{"event":"double_bound"}\n', "event: double_bound lacks its field train"),
        (b'{"event":"tile_drawn","seat":0}\n', "event: tile_drawn lacks its field tile"),
        (b'{"event":["tile_drawn"]}\n', "event: unknown event"),
        (
            b'{"t":"decision","seat":0,"legal":["9-3@0"],"move":"3-9@0","bank_ms":null}\n',
            "decision: '9-3@0' is not how a move is written",
        ),
        (
            b'{"t":"decision","seat":0,"legal":[],"move":"3-9@0","by":"cat","bank_ms":null}\n',
            "decision: by: expected bot or default or forced",
        ),
        (b'{"t":"decision","seat":0,"legal":[],"move":"3-9@0"}\n', "decision: lacks its field bank_ms"),
        (b'{"t":"decision","seat":[0],"legal":[],"move":"3-9@0"}\n', "decision: lacks its field bank_ms"),
        (b'{"t":"seed_revealed","seed":"zz"}\n', "seed_revealed: non-hexadecimal number"),
        (
            b'{"event":"turn_started","seat":0,"sum":"00000000"}\n',
            "its check sum does not fit: the line was changed",
        ),
        (b"x" * (MAX_LINE + 10), f"the line is longer than {MAX_LINE} bytes"),
    ],
)
def test_a_bad_line_is_named_and_what_came_before_it_is_read(
    tmp_path: Path, line: bytes, reason: str
) -> None:
    path = tmp_path / "x"
    header_with(tmp_path)
    path.write_bytes((tmp_path / "original.jsonl").read_bytes().splitlines(keepends=True)[0] + line)
    with LogReader(path) as reader:
        assert reader.header.seats == 2
        with pytest.raises(LogError, match=f": line 2: {reason}"):
            list(reader)


def test_lines_that_do_not_fit_their_check_sum_are_named(tmp_path: Path) -> None:
    lines = write_game(tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "b.jsonl"
    path.write_bytes(b"".join(lines[:39] + lines[40:]))
    with pytest.raises(
        LogError,
        match="line 63: the check sum of lines 6 to 63 does not fit: one of them was changed, added or left",
    ):
        read_all(path)


def test_a_line_that_makes_no_sense_any_more_is_named_with_those_of_which_one_was_changed(
    tmp_path: Path,
) -> None:
    lines = write_game(tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if line.startswith(b'{"t":"decision"'))
    move = re.escape(json.loads(lines[at])["move"].encode())
    lines[at] = re.sub(b'"move":"' + move, b'"move":"stop', lines[at])
    path = tmp_path / "b.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.raises(LogError) as caught:
        read_all(path)
    damage = "the check sum of lines 6 to 64 does not fit: one of them was changed, added or left out"
    assert caught.value.line == at + 2
    assert caught.value.reason == f"event: tile_played lacks its field tile; {damage}"


def test_a_last_line_that_is_cut_off_is_left_out_and_noted(tmp_path: Path) -> None:
    whole = write_game(tmp_path / "a.jsonl").read_bytes()
    lines = whole.count(b"\n", 0, 3000)
    path = tmp_path / "b.jsonl"
    path.write_bytes(whole[:3000])
    with LogReader(path) as reader:
        assert len(list(reader)) == lines - 1
        assert reader.cut_off


@pytest.mark.parametrize("name", ["a.gz", "a.zst"])
def test_a_compressed_log_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, name: str) -> None:
    data = write_game(tmp_path / name, short("online-table").with_overrides({"rounds": 13})).read_bytes()
    path = tmp_path / "cut"
    path.write_bytes(data[: len(data) * 3 // 4])
    with LogReader(path) as reader:
        assert len(list(reader)) > 100
    with pytest.raises(LogError, match=r"the log (ends|breaks off)"):
        verify_log(path)


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = tmp_path / "x"
    lines = write_game(
        tmp_path / "a.jsonl", short("online-table").with_overrides({"rounds": 13})
    ).read_bytes()
    path.write_bytes(lines + b"\0" * 10 * MAX_LINE)
    with LogReader(path) as reader:
        for number, _ in zip(range(100), reader, strict=False):
            assert number < 100


@pytest.mark.parametrize("target", ["missing", "."])
def test_what_cannot_be_opened_is_one_clear_line(tmp_path: Path, target: str) -> None:
    with pytest.raises(ReplayError, match=r"cannot be read: (No such file or directory|Is a directory)"):
        LogReader(tmp_path / target)


@settings(max_examples=300)
@given(
    st.binary(max_size=200), st.sampled_from([b"", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b'{"t":"header",'])
)
def test_no_bytes_at_all_do_more_than_fail_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, start: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    path.write_bytes(start + data)
    with pytest.raises(ReplayError) as caught:
        read_all(path)
    assert len(str(caught.value).splitlines()) == 1

from __future__ import annotations

import gzip
import hashlib
import json
import resource
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from mtref.replay.digest import GameDigest
from mtref.replay.encode import record_to_dict
from mtref.replay.reader import LogReader
from mtref.replay.records import BotInfo, LogDecision, LogEnd, LogHeader, Record
from mtref.replay.writer import LogWriter
from mtref_sdk.errors import ConfigError, ReplayError
from mtref_sdk.events import TurnStarted
from tests.replay.games import play, short, write_game

ROOT = str(Path(__file__).parents[2])


def test_lines_are_compact_ascii_json_and_a_check_sum_covers_at_most_64_of_them(tmp_path: Path) -> None:
    log = write_game(tmp_path / "a.jsonl", faulty=True).read_bytes()
    assert log.isascii() and log.endswith(b"}\n")
    before, covered = b"", 0
    for number, line in enumerate(log.splitlines(keepends=True), 1):
        plain = json.loads(line)
        assert line == json.dumps(plain, separators=(",", ":")).encode() + b"\n"
        always = plain.get("t") in ("header", "fault", "end") or plain.get("event") == "boneyard_stacked"
        due = (always or number % 64 == 0) and plain.get("t") != "seed_revealed"
        assert ("sum" in plain) == due
        if due:
            body = line[: line.rindex(b',"sum":"')]
            assert plain["sum"] == hashlib.sha256(before + body).hexdigest()[:8]
            covered = number
        assert number - covered < 64
        before += line


def read_by_the_page_about_the_format(path: Path) -> tuple[list[bytes], list[dict[str, Any]]]:
    """The lines of a log, and their objects with what was left out, as docs/log-format.md says, written out once more."""
    lines = path.read_bytes().splitlines(keepends=True)
    objects = []
    bank: dict[int, float | None] = {}
    ends: dict[str, int] = {}
    boneyard: list[str] = []
    move, turn, following, train, engine, seats = "", -1, -1, "", -1, 0
    for line in lines:
        plain = json.loads(line)
        plain.setdefault("t", "event")
        plain.pop("sum", None)
        name = plain.get("event")
        if plain["t"] == "header":
            seats = plain["seats"]
        elif plain["t"] == "decision":
            plain = {"may_lift": [], "by": "bot", "ms": None} | plain
            move = plain["move"].removesuffix(" lift")
            plain.setdefault("bank_ms", bank.get(plain["seat"]))
            if plain["bank_ms"] is not None:
                bank[plain["seat"]] = plain["bank_ms"]
        elif name == "round_started":
            following, engine, ends = plain["starter"], plain["engine"], {}
        elif name == "boneyard_stacked":
            boneyard = list(plain["tiles"])
        elif name == "turn_started":
            turn = plain.setdefault("seat", following)
            following = (turn + 1) % seats
        elif name == "tile_played":
            tile, _, place = move.partition("@")
            plain = {"seat": turn, "tile": tile, "train": place} | plain
            train = plain["train"]
            low, high = map(int, plain["tile"].split("-"))
            plain.setdefault("end", low + high - ends.get(train, engine))
            ends[train] = plain["end"]
        elif name == "tile_drawn":
            plain = {"seat": turn, "tile": boneyard[0]} | plain
            if plain["tile"] == boneyard[0]:
                boneyard = boneyard[1:]
        elif name in {"double_bound", "double_released"}:
            plain.setdefault("train", train)
        elif name == "double_satisfied":
            plain = {"train": train, "seat": turn} | plain
        elif name and name.startswith(("turn_", "marker_", "last_")):
            plain.setdefault("seat", turn)
        objects.append(plain)
    return lines, objects


def test_records_and_digests_can_be_computed_from_the_page_about_the_format(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl", faulty=True)
    lines, plain = read_by_the_page_about_the_format(path)
    with LogReader(path) as reader:
        found = [record_to_dict(line.record, line.number) for line in reader]
    assert [{key: value for key, value in entry.items() if key != "n"} for entry in found] == plain[1:]
    meant = []
    for entry in plain:
        if entry["t"] == "header":
            rules = {key: value for key, value in entry["rules"].items() if key != "preset"}
            meant.append({"rules": rules, "seats": entry["seats"], "t": "header"})
        elif entry["t"] == "event":
            meant.append(entry)
        elif entry["t"] == "decision":
            meant.append({key: entry[key] for key in ("legal", "may_lift", "move", "seat", "t")})
    text = "".join(json.dumps(entry, sort_keys=True, separators=(",", ":")) + "\n" for entry in meant)
    assert plain[-2]["game_digest"] == hashlib.sha256(text.encode()).hexdigest()
    assert plain[-2]["file_digest"] == hashlib.sha256(b"".join(lines[:-2])).hexdigest()


def test_a_log_is_the_same_however_its_records_are_handed_over(tmp_path: Path) -> None:
    records: list[Record] = []
    play(short(), records.append, faulty=True)
    for name, steps in {
        "a": [[record] for record in records],
        "b": [records],
        "c": [records[:37], records[37:]],
    }.items():
        with LogWriter(tmp_path / name) as sink:
            for step in steps:
                sink.write_all(step)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def test_the_clock_of_a_seat_is_told_when_it_changes(tmp_path: Path) -> None:
    made: list[LogDecision] = []
    banks = [9, 9.0, 9.00004, 8.5, None, 8.5, None, 9]
    with LogWriter(tmp_path / "a") as sink:

        def take(record: Record) -> None:
            if isinstance(record, LogDecision) and len(made) < len(banks):
                record = replace(record, ms=None, bank_ms=banks[len(made)], seat=0)
                made.append(record)
            sink(record)

        play(short(), take)
    lines = [line for line in (tmp_path / "a").read_bytes().splitlines() if b"decision" in line][: len(banks)]
    assert [line.partition(b',"bank_ms":')[2][:-1] for line in lines] == [
        b"9",
        b"",
        b"",
        b"8.5",
        b"null",
        b"",
        b"null",
        b"9",
    ]
    with LogReader(tmp_path / "a") as reader:
        read = [line.record.bank_ms for line in reader if isinstance(line.record, LogDecision)][: len(banks)]
    assert read == [9, 9, 9, 8.5, None, 8.5, None, 9]


def test_the_game_digest_needs_no_file_and_says_nothing_of_names_times_or_who_chose(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    alone, other = GameDigest(), GameDigest()
    play(short(), alone)
    play(short(), other, bots=[BotInfo("x", "y")], reveal=False)
    with LogWriter(path) as sink:
        play(short(), sink)
    assert alone.hexdigest() == other.hexdigest() == sink.game_digest
    with LogReader(path) as reader:
        ends = [line.record for line in reader if isinstance(line.record, LogEnd)]
    assert [end.game_digest for end in ends] == [alone.hexdigest()]
    different = GameDigest()
    play(short(), different, seed="other")
    assert different.hexdigest() != alone.hexdigest()


def test_a_log_is_only_for_its_owner_and_never_replaces_a_file(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=r"a\.jsonl: exists already"):
        LogWriter(path)
    assert path.read_bytes() == before
    packed = write_game(tmp_path / "b.gz")
    assert stat.S_IMODE(packed.stat().st_mode) == 0o600
    with pytest.raises(ConfigError, match="exists already"):
        LogWriter(packed)
    (tmp_path / "c.zst.partial").write_text("of a killed game")
    with pytest.raises(ConfigError, match=r"c\.zst\.partial: exists already"):
        LogWriter(tmp_path / "c.zst")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="link: exists already"):
        LogWriter(tmp_path / "link")


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write a log here: No such file or directory"):
        LogWriter(tmp_path / "missing" / "a.jsonl")


@pytest.mark.parametrize("suffix", [".zst", ".gz"])
def test_a_name_that_says_so_is_compressed_when_the_game_is_over(tmp_path: Path, suffix: str) -> None:
    plain = write_game(tmp_path / "a.jsonl").read_bytes()
    path = tmp_path / f"a.jsonl{suffix}"
    sink = LogWriter(path)
    play(short(), sink)
    partial = tmp_path / f"a.jsonl{suffix}.partial"
    assert partial.read_bytes() == plain and not path.exists()
    sink.close()
    assert path.exists() and not partial.exists()
    data = path.read_bytes()
    unpacked = (
        gzip.decompress(data)
        if suffix == ".gz"
        else zstandard.ZstdDecompressor().decompressobj().decompress(data)
    )
    assert unpacked == plain
    assert len(data) < len(plain) / 4
    assert sorted(tmp_path.iterdir()) == [tmp_path / "a.jsonl", path]


def test_a_game_that_was_broken_off_stays_plain(tmp_path: Path) -> None:
    path = write_game(tmp_path / "a.jsonl.zst", stop_after=5)
    assert list(tmp_path.iterdir()) == [tmp_path / "a.jsonl.zst.partial"]
    with pytest.raises(ReplayError, match=r"the game has not ended: read a\.jsonl\.zst\.partial"):
        LogReader(path)
    with LogReader(path.with_name("a.jsonl.zst.partial")) as reader:
        assert len(list(reader)) > 5
        assert not reader.cut_off


def test_closing_twice_is_harmless_and_writing_afterwards_an_error(tmp_path: Path) -> None:
    sink = LogWriter(tmp_path / "a.jsonl")
    sink.close()
    sink.close()
    with pytest.raises(ReplayError, match=r"a\.jsonl: the log is closed"):
        sink(TurnStarted(0))


def test_a_killed_process_leaves_every_line_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    program = f"""
import os, signal, sys
sys.path.insert(0, {ROOT!r})
from tests.replay.games import play, short
from mtref.replay.writer import LogWriter
sink = LogWriter({str(path)!r})
play(short(), sink, stop_after=7)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == write_game(tmp_path / "b.jsonl", stop_after=7).read_bytes()


def test_a_full_disk_is_one_clear_line_and_leaves_a_readable_log(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    program = f"""
import resource, signal, sys
sys.path.insert(0, {ROOT!r})
from tests.replay.games import play, short
from mtref.replay.writer import LogWriter
from mtref_sdk.errors import ReplayError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    play(short(), LogWriter({str(path)!r}))
except ReplayError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == f"{path}: cannot write the log: File too large\n"
    with LogReader(path) as reader:
        assert len(list(reader)) > 5
        assert reader.cut_off
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 5000


def test_names_and_commands_are_kept_as_given_whatever_they_hold(tmp_path: Path) -> None:
    bots = [BotInfo("\ud800\x1b[2J\u202e\n", "x" * 5000), BotInfo("", "")]
    path = write_game(tmp_path / "a.jsonl", bots=bots)
    with LogReader(path) as reader:
        header = reader.header
    assert isinstance(header, LogHeader)
    assert header.bots == (BotInfo("\ud800\x1b[2J\u202e\n", "x" * 2000), BotInfo("", ""))

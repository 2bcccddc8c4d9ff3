"""What is taken for a bot and what is refused: files, folders, and archives of every hostile kind."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from mtref.ladder.submit.collect import BotFile, path_parts
from mtref.ladder.submit.limits import MIB, RefusedError, SubmissionLimits
from mtref.ladder.submit.source import read_bot, read_sent
from mtref.ladder.submit.store import Store, content_of
from mtref_sdk.errors import MtrefError
from tests.ladder.archives import member, tar_of, zip_entry, zip_of

LIMITS = SubmissionLimits(archive_mb=1, unpacked_mb=2, files=10, depth=3, name_length=20, ratio=50)
BOT = b"print('a bot')\n"
FILES = {"bot.py": BotFile(BOT), "data/book.txt": BotFile(b"q" * 5000)}
BOTH = [member("./x/bot.py", BOT), member("./x/data/book.txt", b"q" * 5000)]
ZIP = zip_of([("x/bot.py", BOT), ("x/data/book.txt", b"q" * 5000)])


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress, zstandard.compress])
def test_a_tar_is_read_however_it_is_compressed(compress: Callable[[bytes], bytes]) -> None:
    assert read_sent("whatever", tar_of(BOTH, compress), LIMITS) == FILES


def test_file_folder_and_archives_of_the_same_bot_are_the_same_bot(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "bot.py").write_bytes(BOT)
    (tmp_path / "data" / "book.txt").write_bytes(b"q" * 5000)
    for left_out in (".hidden", "__pycache__"):
        (tmp_path / left_out).mkdir()
        (tmp_path / left_out / "x.pyc").write_bytes(b"")
    assert read_bot(tmp_path, LIMITS) == read_sent("x.zip", ZIP, LIMITS) == FILES
    alone = read_sent("other.py", BOT, LIMITS)
    assert alone == read_sent("x.zip", zip_of([("bot.py", BOT)]), LIMITS)
    assert content_of(alone) != content_of(FILES)


def test_what_is_a_program_stays_one(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    assert read_bot(tmp_path, LIMITS)["run"].executable
    entry = zip_entry("run", stat.S_IFREG | 0o755)
    assert read_sent("x.zip", zip_of([(entry, b"#!/bin/sh\n")]), LIMITS)["run"].executable


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([member("bot.py", kind=tarfile.SYMTYPE, link="/etc/passwd")], "bot.py: a symbolic link"),
        ([member("bot.py", BOT), member("x", kind=tarfile.LNKTYPE, link="bot.py")], "x: a hard link"),
        ([member("null", kind=tarfile.CHRTYPE)], "null: neither a file nor a folder"),
        ([member("disk", kind=tarfile.BLKTYPE)], "disk: neither a file nor a folder"),
        ([member("pipe", kind=tarfile.FIFOTYPE)], "pipe: neither a file nor a folder"),
        ([member("/etc/cron.d/x", BOT)], "/etc/cron.d/x: an absolute path"),
        ([member("../bot.py", BOT)], "../bot.py: a path that leads out"),
        ([member("a/../../bot.py", BOT)], "a path that leads out"),
        ([member("a\\..\\bot.py", BOT)], "a name with a character"),
        ([member("a\x1b[2Jb", BOT)], r"a\\x1b\[2Jb: a name with a character"),
        ([member("a//b", BOT)], "a path with an empty part"),
        ([member("a/b/c/d", BOT)], "a path of 4 parts; at most 3"),
        ([member("n" * 21, BOT)], "a name of 21 characters; at most 20"),
        ([member(f"f{n}", BOT) for n in range(11)], "more than 10 files and folders"),
        ([member(f"f{n}", kind=tarfile.DIRTYPE) for n in range(11)], "more than 10 files and folders"),
        ([member("bot.py", BOT), member("./bot.py", BOT)], "bot.py: is there twice"),
        ([member("a", BOT), member("a/b", BOT)], "a: is a file and a folder"),
        ([member("a/b", BOT), member("a", BOT)], "a: is a file and a folder"),
        ([member("empty", kind=tarfile.DIRTYPE)], "there is no file in it"),
    ],
)
def test_a_tar_with_anything_but_files_and_folders_in_place_is_refused(
    members: list[tuple[tarfile.TarInfo, bytes]], message: str
) -> None:
    with pytest.raises(RefusedError, match=message) as caught:
        read_sent("x.tar", tar_of(members), LIMITS)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "mode", "message"),
    [
        ("bot.py", stat.S_IFLNK | 0o777, "bot.py: a symbolic link"),
        ("null", stat.S_IFCHR | 0o666, "null: neither a file nor a folder"),
        ("/bot.py", stat.S_IFREG, "/bot.py: an absolute path"),
        ("../bot.py", stat.S_IFREG, "../bot.py: a path that leads out"),
        ("C:\\bot.py", stat.S_IFREG, "a name with a character"),
        ("a/b/c/d", stat.S_IFREG, "a path of 4 parts"),
    ],
)
def test_a_zip_with_anything_but_files_and_folders_in_place_is_refused(
    name: str, mode: int, message: str
) -> None:
    with pytest.raises(RefusedError, match=re.escape(message)):
        read_sent("x.zip", zip_of([(zip_entry(name, mode), BOT)]), LIMITS)


def test_a_zip_that_is_encrypted_or_compressed_in_unusual_ways_is_refused() -> None:
    unusual = zip_entry("bot.py")
    unusual.compress_type = zipfile.ZIP_LZMA
    with pytest.raises(RefusedError, match="compressed in an unusual way"):
        read_sent("x.zip", zip_of([(unusual, BOT)]), LIMITS)
    data = bytearray(zip_of([("bot.py", BOT)]))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(RefusedError, match=r"bot\.py: is encrypted"):
        read_sent("x.zip", bytes(data), LIMITS)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, zstandard.compress])
def test_a_bomb_is_refused_before_it_goes_off(compress: Callable[[bytes], bytes]) -> None:
    bomb = tar_of([member("bot.py", bytes(40 * MIB))], compress)
    assert len(bomb) < MIB
    with pytest.raises(RefusedError, match="the files are more than 50 times the archive"):
        read_sent("x", bomb, LIMITS)
    header = tar_of([member("x" * 150, BOT)])
    pax = header[:124] + b"00777777777\0" + header[136:]  # a header that says it is a gigabyte long
    with pytest.raises(RefusedError):
        read_sent("x", compress(pax + bytes(40 * MIB)), LIMITS)
    with pytest.raises(RefusedError, match=r"more than 50 times|damaged|no file"):
        read_sent("x", compress(bytes(40 * MIB)), LIMITS)


def test_a_zip_bomb_is_refused_whatever_it_says_of_itself() -> None:
    bomb = zip_of([(f"f{n}", bytes(MIB)) for n in range(5)])
    with pytest.raises(RefusedError, match="the files are more than 50 times the archive"):
        read_sent("x.zip", bomb, LIMITS)
    with pytest.raises(RefusedError, match="the files are more than 2 MiB"):
        read_sent("x.zip", zip_of([(f"f{n}", os.urandom(30_000) * 20) for n in range(5)]), LIMITS)


def test_what_is_sent_and_a_single_file_are_limited(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"bot\.py: more than 1 MiB"):
        read_sent("bot.py", bytes(MIB + 1), LIMITS)
    (tmp_path / "bot.py").write_bytes(bytes(MIB + 1))
    with pytest.raises(RefusedError, match="more than 1 MiB"):
        read_bot(tmp_path / "bot.py", LIMITS)
    with pytest.raises(RefusedError, match=r"neither a \.py file, nor a folder, nor"):
        read_sent("bot.exe", b"MZ", LIMITS)
    with pytest.raises(RefusedError, match="nothing: cannot be read: No such file"):
        read_bot(tmp_path / "nothing", LIMITS)


def test_a_folder_with_links_or_devices_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    kinds: list[tuple[Callable[[Path], object], str]] = [
        (lambda path: path.symlink_to(tmp_path / "secret"), "a symbolic link"),
        (lambda path: path.symlink_to(tmp_path), "a symbolic link"),
        (lambda path: path.hardlink_to(tmp_path / "secret"), "a hard link"),
        (os.mkfifo, "neither a file nor a folder"),
    ]
    for number, (make, message) in enumerate(kinds):
        folder = tmp_path / str(number)
        folder.mkdir()
        make(folder / "bot.py")
        with pytest.raises(RefusedError, match=message):
            read_bot(folder, LIMITS)
    (tmp_path / "link").symlink_to(tmp_path / "0")
    with pytest.raises(RefusedError, match="a symbolic link"):
        read_bot(tmp_path / "link", LIMITS)


@given(st.text(max_size=60) | st.from_regex(r"[a./\\\x00]{0,20}", fullmatch=True))
def test_a_path_either_lies_within_the_folder_or_is_refused(name: str) -> None:
    try:
        parts = path_parts(name, SubmissionLimits())
    except RefusedError:
        return
    if parts is None:
        return
    inside = os.path.normpath("/".join(("/bot", *parts)))
    assert inside == "/bot" or inside.startswith("/bot/")
    assert inside == os.path.normpath(f"/bot/{name}")
    assert all(part not in {"", ".", ".."} and not part.startswith(".") for part in parts)


@given(
    st.sampled_from(
        [ZIP, *(tar_of(BOTH, one) for one in (bytes, gzip.compress, lzma.compress, zstandard.compress))]
    ),
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=4),
    st.integers(0, 1 << 20),
)
def test_a_damaged_archive_is_read_or_refused_and_nothing_else(
    archive: bytes, changes: list[tuple[int, int]], end: int
) -> None:
    data = bytearray(archive[: len(archive) - end % 50])
    for place, value in changes:
        data[place % len(data)] = value
    with contextlib.suppress(RefusedError):
        read_sent("x", bytes(data), LIMITS)


def test_the_store_keeps_a_bot_once_and_notices_when_it_is_no_longer_what_it_was(tmp_path: Path) -> None:
    store, content = Store(tmp_path / "store"), content_of(FILES)
    for _ in range(2):
        with store.staged(FILES) as place:
            assert (place / "data" / "book.txt").read_bytes() == b"q" * 5000
            store.keep(place, content)
    assert [path.name for path in store.folder.iterdir()] == [content]
    assert store.files(content) == FILES
    with store.staged({"bot.py": BotFile(b"not kept")}):
        pass
    assert [path.name for path in store.folder.iterdir()] == [content]
    (store.place(content) / "bot.py").chmod(0o644)
    (store.place(content) / "bot.py").write_text("another")
    with pytest.raises(MtrefError, match="is missing, or not the bot that was handed in"):
        store.files(content)
    with pytest.raises(MtrefError, match="is missing"):
        store.files("0" * 64)

"""Logs that are kept back: what comes on the file, and when."""

from __future__ import annotations

import errno
import os
from contextlib import closing
from pathlib import Path

import pytest

from mtref.replay.compress import open_log
from mtref.replay.writer import LogWriter
from mtref_sdk.errors import ReplayError
from tests.replay.games import play, short, write_game


@pytest.mark.parametrize("name", ["a", "a.zst"])
@pytest.mark.parametrize("delay", [1000, 1 << 30])
def test_what_is_kept_back_is_written_when_there_is_enough_of_it_and_at_the_end(
    tmp_path: Path, name: str, delay: int
) -> None:
    plain = write_game(tmp_path / "plain").read_bytes()
    path = tmp_path / name
    with LogWriter(path, delay=delay) as sink:
        play(short(), sink)
        so_far = path if name == "a" else tmp_path / "a.zst.partial"
        if delay > len(plain):
            assert not so_far.exists()
        else:
            assert plain.startswith(so_far.read_bytes()) and so_far.stat().st_size > len(plain) // 2
    with closing(open_log(path)) as log:
        assert b"".join(iter(log.read1, b"")) == plain
    assert len(list(tmp_path.iterdir())) == 2


def test_of_a_game_that_was_broken_off_or_discarded_what_was_kept_back_is_treated_alike(
    tmp_path: Path,
) -> None:
    plain = write_game(tmp_path / "plain", stop_after=5).read_bytes()
    for name in ("a.zst", "b.zst"):
        sink = LogWriter(tmp_path / name, delay=1 << 30)
        play(short(), sink, stop_after=5)
        if name == "a.zst":
            sink.close()
        else:
            sink.discard()
    assert (tmp_path / "a.zst.partial").read_bytes() == plain
    assert len(list(tmp_path.iterdir())) == 2


def test_a_full_disk_is_told_of_when_what_was_kept_back_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    sink = LogWriter(tmp_path / "a", delay=1 << 30)
    play(short(), sink)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(ReplayError, match="a: cannot write the log: No space left on device"):
        sink.close()
    sink.close()

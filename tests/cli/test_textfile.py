"""Files that commands write appear whole or not at all."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mtref.textfile import write_whole
from tests.replay.games import write_game

Run = Callable[..., tuple[int, str, str]]


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """As on a full disk: no file can grow beyond `size`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_page_that_cannot_be_written_leaves_what_was_there(tmp_path: Path, mtref: Run) -> None:
    log = write_game(tmp_path / "a.jsonl")
    page = tmp_path / "out" / "page.html"
    page.parent.mkdir()
    for before in ([], [page]):
        for file in before:
            file.write_text("old")
        with files_of_at_most(20_000):
            code, out, err = mtref("replay", log, "--html", page)
        assert (code, out) == (1, "") and err.startswith(f"mtref: cannot write {page}: ")
        assert list(page.parent.iterdir()) == before
    assert page.read_text() == "old"
    assert mtref("replay", log, "--html", page)[0] == 0
    assert page.read_text().startswith("<!") and list(page.parent.iterdir()) == [page]


def test_a_starter_bot_that_cannot_be_written_is_not_left_behind(tmp_path: Path, mtref: Run) -> None:
    with files_of_at_most(100):
        code, _, err = mtref("new", tmp_path / "bot.py")
    assert code == 2 and "cannot be written" in err and list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    for text in ("one", "two"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == text


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "text")
    reader.join(20)
    assert read == ["text"] and pipe.is_fifo()


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "file", "text")


@pytest.mark.parametrize("command", [["explain"], ["ladder", "plan"], ["match", "a.py", "b.py", "--rules"]])
def test_a_file_without_an_end_is_refused(mtref: Run, command: list[str]) -> None:
    code, _, err = mtref(*command, "/dev/zero")
    assert code == 2 and err == "mtref: /dev/zero: is too long; allowed: 16777216 bytes\n"

"""Which closed folders are covered so that another user reaches what is below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtref.server.sandbox.visible import covers_for


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A closed folder, below folders that are made open for this test."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_mode & 0o005 != 0o005:
            folder.chmod(0o755)
    home = tmp_path / "home"
    (home / "python" / "bin").mkdir(parents=True)
    home.chmod(0o700)
    return home


def test_open_folders_need_nothing(tmp_path: Path, home: Path) -> None:
    (tmp_path / "open").mkdir()
    assert covers_for([tmp_path / "open", Path("/usr/bin")]) == []


def test_the_closed_folder_on_the_way_is_covered_and_only_what_is_asked_for_remains(home: Path) -> None:
    assert covers_for([home / "python"]) == [(str(home), [(str(home / "python"), False)])]


def test_everything_below_an_outer_cover_hangs_on_that_one(home: Path) -> None:
    inner = home / "python" / "bin"
    inner.chmod(0o700)
    (inner / "tool").mkdir()
    covers = covers_for([home / "python", inner / "tool"])
    assert [folder for folder, _ in covers] == [str(home)]
    assert [path for path, _ in covers[0][1]] == [str(home / "python"), str(inner / "tool")]


def test_a_folder_that_is_itself_closed_is_made_anew_with_what_is_in_it(home: Path) -> None:
    (home / "bot.py").touch()
    (home / "broken").symlink_to("nowhere")
    assert covers_for([home]) == [(str(home), [(str(home / "bot.py"), False), (str(home / "python"), False)])]


def test_what_may_be_written_to_stays_so(home: Path) -> None:
    scratch = home / "scratch"
    scratch.mkdir(mode=0o700)
    assert covers_for([], [scratch]) == [(str(home), [(str(scratch), True)])]
    home.chmod(0o711)
    assert covers_for([], [scratch]) == []  # closed to others, but it will be the bot's own

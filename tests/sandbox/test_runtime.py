"""What a bot's program needs to be readable, and what of its folder it gets."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import mtref
import mtref_sdk
from mtref.server.sandbox.levels import Bot
from mtref.server.sandbox.runtime import (
    bot_files,
    outermost,
    program,
    program_folders,
    python_environment,
    python_folders,
    system_paths,
)


def bot(cwd: Path, folder: Path, *command: str, hidden: tuple[Path, ...] = ()) -> Bot:
    return Bot(command, folder, Path("/s"), "t", Path("/t"), hidden=hidden, cwd=cwd)


def covered(path: Path) -> bool:
    return path.is_relative_to("/usr") or any(path.is_relative_to(folder) for folder in python_folders())


def test_the_interpreter_and_both_packages_are_covered_wherever_they_are_installed() -> None:
    files = [
        sys.executable,
        os.path.realpath(sys.executable),
        os.__file__,
        mtref.__file__,
        mtref_sdk.__file__,
    ]
    assert [path for path in files if not covered(Path(str(path)))] == []


def test_a_bare_environment_with_what_the_runtime_adds_finds_both_packages() -> None:
    code = "import mtref, mtref_sdk, grpc; print(mtref.__file__, mtref_sdk.__file__)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=python_environment(),
        cwd="/",
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.split() == [mtref.__file__, mtref_sdk.__file__]


def test_the_system_is_what_is_needed_to_run_programs_and_no_accounts() -> None:
    paths = {str(path) for path in system_paths()}
    assert {"/usr", "/bin", "/etc/ld.so.cache"} <= paths
    assert not any(
        path.startswith(("/etc/passwd", "/etc/shadow", "/home", "/root", "/var")) for path in paths
    )
    assert "/etc" not in paths and "/" not in paths


def test_folders_below_others_and_below_usr_are_left_out() -> None:
    paths = [Path("/a/b"), Path("/a"), Path("/usr/lib/python3"), Path("/a"), Path("/ab")]
    assert outermost(paths) == [Path("/a"), Path("/ab")]


def test_a_bare_python_is_the_referees_and_relative_programs_are_found_from_where_the_command_was_typed(
    tmp_path: Path,
) -> None:
    assert program(["python", "x.py"], tmp_path) == program(["python3"], tmp_path) == sys.executable
    assert program(["./bin/../bot", "x"], tmp_path) == str(tmp_path / "bot")
    assert program(["/opt/x"], tmp_path) == "/opt/x"
    assert program(["sh"], tmp_path) in {"/usr/bin/sh", "/bin/sh"}
    assert program(["no-such-program"], tmp_path) == "no-such-program"


def test_a_virtual_environment_brings_itself_and_its_base(tmp_path: Path) -> None:
    base, env = tmp_path / "base", tmp_path / "env"
    for folder in (base / "bin", base / "lib", env / "bin"):
        folder.mkdir(parents=True)
    (base / "bin" / "python").touch()
    (env / "pyvenv.cfg").write_text(f"home = {base / 'bin'}\nversion = 3.11\n")
    (env / "bin" / "python").symlink_to(base / "bin" / "python")
    assert program_folders(env / "bin" / "python") == [env, base]


def test_an_installation_is_recognised_by_bin_and_lib(tmp_path: Path) -> None:
    node = tmp_path / "node" / "bin" / "node"
    node.parent.mkdir(parents=True)
    node.touch()
    assert program_folders(node) == [node]
    (tmp_path / "node" / "lib").mkdir()
    assert program_folders(node) == [tmp_path / "node"]


def test_the_home_is_never_taken_for_an_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    (tmp_path / "lib").mkdir()
    tool.touch()
    assert program_folders(tool) == [tool]


def test_a_bot_reads_its_folder(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    assert bot_files(bot(tmp_path, Path("mine"), "python", "mine/bot.py")) == ([mine], [])


def test_what_is_hidden_is_left_out_and_the_rest_is_given_entry_by_entry(tmp_path: Path) -> None:
    for name in ("bot.py", "rival.py", "data/weights", "data/log/game"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    mine = bot(tmp_path, tmp_path, "python", "bot.py", hidden=(Path("rival.py"), tmp_path / "data" / "log"))
    assert bot_files(mine) == ([tmp_path / "bot.py", tmp_path / "data" / "weights"], [tmp_path])


def test_a_bot_can_be_started_even_where_its_whole_folder_is_hidden(tmp_path: Path) -> None:
    """As with logs that go to the current folder."""
    for name in ("bot.py", "game.jsonl"):
        (tmp_path / name).touch()
    mine = bot(tmp_path, tmp_path, "python", "bot.py", hidden=(tmp_path,))
    assert bot_files(mine) == ([tmp_path / "bot.py"], [tmp_path])


@pytest.mark.parametrize("private", ["home", "around", "temporary"])
def test_of_the_home_and_the_temporary_folder_a_bot_gets_only_the_files_its_command_names(
    private: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if private == "temporary":
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    else:
        monkeypatch.setenv("HOME", str(tmp_path if private == "home" else tmp_path / "user"))
    (tmp_path / "bot.py").touch()
    (tmp_path / "id_rsa").touch()
    assert bot_files(bot(tmp_path, tmp_path, "python", "bot.py", "--x")) == ([tmp_path / "bot.py"], [])

"""What is built installs and plays: the SDK's wheel alone for a bot, both wheels for the referee."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.house.repository import ROOT, copy_to

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def run(*arguments: str | Path, cwd: Path | None = None) -> str:
    """The standard output of a command that has to succeed."""
    done = subprocess.run(
        [str(part) for part in arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both wheels, built from a copy so that nothing is left in the repository."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheels")
    copy_to(copy)
    for project in (copy / "sdk", copy):
        run(sys.executable, "-m", "build", "--wheel", "--outdir", out, project)
    return out


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def only(folder: Path, pattern: str) -> Path:
    [found] = folder.glob(pattern)
    return found


def new_environment(folder: Path, *requirements: str | Path) -> Path:
    """The python of a new virtual environment with these installed."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
    return python


def test_wheels_are_typed_licensed_and_hold_one_package_each(wheels: Path) -> None:
    for pattern, package in (("mtref-*.whl", "mtref"), ("mtref_sdk-*.whl", "mtref_sdk")):
        names = names_in(only(wheels, pattern))
        assert f"{package}/py.typed" in names
        assert any(name.endswith("LICENSE") for name in names)
        assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {package}


def test_a_bot_with_the_sdk_alone_plays_against_the_installed_referee(wheels: Path, tmp_path: Path) -> None:
    sdk = only(wheels, "mtref_sdk-*.whl")
    bot_python = new_environment(tmp_path / "bot", sdk)
    referee_python = new_environment(tmp_path / "referee", sdk, only(wheels, "mtref-*.whl"))
    bot = tmp_path / "greedy.py"
    shutil.copy(ROOT / "bots" / "greedy.py", bot)

    command = f"{bot_python} {bot}"
    result = run(
        referee_python.with_name("mtref"),
        "match",
        command,
        command,
        "--seed",
        "wheels",
        "--json",
        cwd=tmp_path,
    )

    assert json.loads(result)
    found = run(bot_python, "-c", "import importlib.util; print(importlib.util.find_spec('mtref'))")
    assert found.strip() == "None"

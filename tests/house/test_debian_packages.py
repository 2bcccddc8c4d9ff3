"""The script that installs what the tests need from Debian, with stand-ins for the programs it calls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.repository import ROOT

PACKAGES = "bubblewrap chromium chromium-driver gcc libc6-dev libseccomp2 postgresql"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH of its own: a Debian on which nothing is installed, root, and an apt-get that notes how it is called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "true", "false"):
        (folder / name).symlink_to(str(shutil.which(name)))
    stand_in(folder, "python3", "exit 0")
    stand_in(folder, "id", "echo 0")
    stand_in(folder, "dpkg-query", "exit 1")
    stand_in(folder, "apt-get", f'echo "$DEBIAN_FRONTEND apt-get $*" >> {tmp_path}/calls; echo noise')
    return folder


def stand_in(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def run(tools: Path) -> tuple[int, str, list[str]]:
    """Exit code, stderr, and the calls of apt-get."""
    done = subprocess.run(
        [ROOT / "tests" / "debian-packages"],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    calls = tools.parent / "calls"
    return done.returncode, done.stderr, calls.read_text().splitlines() if calls.exists() else []


INSTALLED = [
    "noninteractive apt-get -qq update",
    f"noninteractive apt-get -qq install -y --no-install-recommends {PACKAGES}",
]


def test_root_installs_what_is_missing(tools: Path) -> None:
    assert run(tools) == (0, "", INSTALLED)


def test_only_what_is_missing_is_installed(tools: Path) -> None:
    stand_in(tools, "dpkg-query", 'case "$4" in chromium|postgresql) exit 1;; *) echo installed;; esac')
    assert run(tools)[2][1].endswith("--no-install-recommends chromium postgresql")
    stand_in(tools, "python3", "exit 1")
    stand_in(tools, "dpkg-query", 'case "$4" in python3-venv) echo deinstalled;; *) echo installed;; esac')
    assert run(tools)[2][3].endswith("--no-install-recommends python3-venv")


def test_nothing_is_called_when_nothing_is_missing(tools: Path) -> None:
    stand_in(tools, "dpkg-query", "echo installed")
    assert run(tools) == (0, "", [])


def test_another_user_installs_with_a_sudo_that_asks_for_no_password(tools: Path) -> None:
    stand_in(tools, "id", "echo 1000")
    stand_in(
        tools, "sudo", '[ "$1" = -n ] && shift && exec env -i PATH="$PATH" "$@"'
    )  # sudo clears the environment
    assert run(tools) == (0, "", INSTALLED)


@pytest.mark.parametrize("sudo", [None, "echo 'sudo: a password is required' >&2; exit 1"])
def test_who_may_not_install_is_told_what_to_install(tools: Path, sudo: str | None) -> None:
    stand_in(tools, "id", "echo 1000")
    if sudo is not None:
        stand_in(tools, "sudo", sudo)
    told = "tests/debian-packages: the tests need these Debian packages; as root: apt-get install"
    assert run(tools) == (0, f"{told} {PACKAGES}\n", [])


def test_on_another_system_the_packages_are_named(tools: Path) -> None:
    for name in ("apt-get", "dpkg-query"):
        (tools / name).unlink()
    code, told, calls = run(tools)
    assert (code, calls) == (0, []) and told.endswith(f"apt-get install {PACKAGES}\n")


def test_an_apt_get_that_fails_is_no_success(tools: Path) -> None:
    stand_in(tools, "apt-get", "echo 'E: no network' >&2; exit 100")
    code, told, _ = run(tools)
    assert code == 1 and told.splitlines() == [
        "E: no network",
        f"tests/debian-packages: apt-get failed; the tests need these Debian packages: {PACKAGES}",
    ]

"""The compiled core does the same as pure Python, byte for byte. It is built here, and nothing may fall back on the other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mtref.sim import COMPILED
from tests.house.repository import ROOT, copy_to

SAME_TESTS = [
    "tests/golden/test_golden.py",
    "tests/match",
    "tests/position",
    "tests/replay/test_texts.py",
    "tests/replay/test_writer.py",
    "tests/rules/test_games.py",
    "tests/rules/test_perft.py",
    "tests/scenarios",
    "tests/sdk/test_decision.py",
    "tests/sdk/test_incoming.py",
    "tests/sdk/test_session.py",
    "tests/server/test_asking.py",
    "tests/server/test_faults.py",
    "tests/server/test_link.py",
    "tests/server/test_messages.py",
    "tests/server/test_queue.py",
]
"""Tests of what is compiled that change none of its functions and look into no list."""


def run(*arguments: str | Path, compiled: Path | None, **variables: str) -> bytes:
    """What a Python program prints, which has to succeed, with the installed core or with the one in `compiled`."""
    environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
    if compiled:
        environment |= {"PYTHONPATH": f"{compiled}:{ROOT}", "MTREF_REQUIRE_COMPILED": "1"}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    return done.stdout


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages, the core compiled; built from a copy so that nothing is left in the repository."""
    copy, target = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("compiled")
    copy_to(copy)
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
    run(*install, "--target", target, copy / "sdk", copy, compiled=None, MTREF_COMPILE="1")
    return target


def test_this_core_is_of_the_kind_asked_for() -> None:
    assert (os.environ.get("MTREF_REQUIRE_COMPILED") == "1") == COMPILED


@pytest.mark.parametrize("module", ["legal", "native", "scoring", "state", "transition"])
def test_nothing_compiled_lies_in_the_repository(module: str) -> None:
    assert list((ROOT / "referee" / "mtref" / "rules").glob(f"{module}.*.so")) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_compiled_and_pure_results_are_the_same_bytes(compiled: Path) -> None:
    program = ROOT / "tests" / "sim" / "results.py"
    pure = run(program, compiled=None)
    assert len(pure.splitlines()) > 100
    assert run(program, compiled=compiled) == pure


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_compiled_core_passes_the_tests_of_what_is_compiled(compiled: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib")
    run("-m", "pytest", *options, "tests/sim/test_compiled.py", "-k", "kind_asked_for", compiled=compiled)
    run("-m", "pytest", *options, "-m", "not slow", *SAME_TESTS, compiled=compiled)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_benchmark_measures_the_compiled_core_or_nothing(compiled: Path) -> None:
    assert b"core: compiled" in run("-m", "mtref.sim.bench", compiled=compiled)
    with pytest.raises(AssertionError, match="not compiled"):
        run("-m", "mtref.sim.bench", compiled=None, MTREF_REQUIRE_COMPILED="1")

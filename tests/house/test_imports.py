"""What importing costs and drags in, seen from a fresh interpreter (the static side is in the import contracts)."""

from __future__ import annotations

import subprocess
import sys

import pytest


def loaded_after(statement: str) -> set[str]:
    """The names of the modules in memory after `statement` was run by a fresh interpreter."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "mtref_sdk",
        "mtref_sdk.bot",
        "mtref_sdk.testing",
        "mtref.rules",
        "mtref.sim",
        "mtref.match",
        "mtref.replay",
        "mtref.cli.main",
    ],
)
def test_importing_a_module_that_does_not_connect_does_not_load_grpc(module: str) -> None:
    assert not {"grpc", "google.protobuf"} & loaded_after(f"import {module}")

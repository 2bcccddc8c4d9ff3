"""The proto file: linted, documented, and the committed code is what it generates."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def check(root: Path) -> tuple[int, str]:
    """What `proto/generate.py --check` says of the project at `root`."""
    command = [sys.executable, str(root / "proto" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_the_generated_code_is_fresh() -> None:
    assert check(ROOT) == (0, "")


def test_code_that_is_not_fresh_is_named(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    for generated in ("sdk/mtref_sdk/_proto", "referee/mtref/portal/_proto"):
        shutil.copytree(ROOT / generated, tmp_path / generated)
    proto = tmp_path / "proto" / "mtref" / "v1" / "mtref.proto"
    proto.write_text(proto.read_text("utf-8").replace("string game = 2", "string name = 2"), "utf-8")
    code, said = check(tmp_path)
    assert code == 1
    stale = "sdk/mtref_sdk/_proto/mtref_pb2.py, sdk/mtref_sdk/_proto/mtref_pb2.pyi"
    assert said.startswith(f"stale: {stale}; run: ")


def test_the_proto_passes_the_linter_comments_included() -> None:
    buf = Path(sys.executable).with_name("buf")
    done = subprocess.run([buf, "lint", ROOT / "proto"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")

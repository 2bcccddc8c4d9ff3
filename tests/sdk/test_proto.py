"""The proto file: linted, documented, and the committed code is what it generates."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_generated_code_is_fresh() -> None:
    check = [sys.executable, str(ROOT / "proto" / "generate.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_proto_passes_the_linter_comments_included() -> None:
    buf = Path(sys.executable).with_name("buf")
    done = subprocess.run([buf, "lint", ROOT / "proto"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")

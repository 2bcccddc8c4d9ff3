"""Running the `mtref` command in tests, as a user would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["ROOT", "alive", "mtref", "mtref_argv"]

ROOT = Path(__file__).parent.parent.parent


def mtref_argv(*args: object) -> list[str]:
    """The command line of `mtref` with these arguments."""
    return [sys.executable, "-c", "from mtref.cli.main import main; main()", *map(str, args)]


def mtref(*args: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run `mtref` to its end."""
    return subprocess.run(
        mtref_argv(*args), capture_output=True, text=True, cwd=cwd, timeout=120, check=False
    )


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"

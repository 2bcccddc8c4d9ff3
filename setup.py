"""What pyproject.toml cannot say: with ``MTREF_COMPILE=1`` the rules core and the play-outs are compiled by mypyc.

Without it mtref is pure Python, installs everywhere and does the same, more slowly. The compiled modules lie beside the
files that they were made from.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

CORE = [
    *("deal", "forced", "legal", "native", "rulings", "scoring", "state", "transition"),
    *("../sim/chance", "../sim/playout", "../sim/policies"),
]
COMPILER = "mypy==2.4.*"


def compiled() -> list[Extension]:
    """The extension modules; none while setuptools is only asking what building them needs."""
    try:
        from mypyc.build import mypycify  # noqa: PLC0415 - only there when it was asked for
    except ImportError:
        if "egg_info" in sys.argv:
            return []
        raise
    os.environ["MYPYPATH"] = os.pathsep.join(["sdk", "referee"])
    rules = Path("referee/mtref/rules")
    files = [os.path.normpath(rules / f"{name}.py") for name in CORE]
    options = ["--config-file=", "--explicit-package-bases", "--always-true=COMPILED"]
    extensions: list[Extension] = mypycify([*options, *files], opt_level="3", group_name="mtref_core")
    return extensions


if os.environ.get("MTREF_COMPILE") == "1":
    setup(ext_modules=compiled(), setup_requires=[COMPILER])
else:
    setup()

"""What pyproject.toml cannot say: with ``MTREF_COMPILE=1`` mypyc compiles the rules core, the play-outs, and what the referee
does for every decision.

Without it mtref is pure Python, installs everywhere and does the same, more slowly. The compiled modules lie beside the
files that they were made from.
"""

from __future__ import annotations

import os
import sys

from setuptools import Extension, setup

CORE = {
    "match": "clock hearing logs question seat table",
    "replay": "digest formats/three leftout texts writer",
    "rules": "deal fairdeal forced game legal native projection rulings scoring state told transition",
    "server": "byhand door/call host link messages outgoing place queue stream watchdog",
    "sim": "chance playout policies",
}
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
    files = [f"referee/mtref/{folder}/{name}.py" for folder in CORE for name in CORE[folder].split()]
    alike = ["--no-site-packages", "--ignore-missing-imports"]  # whatever is installed beside it
    options = ["--config-file=", *alike, "--explicit-package-bases", "--always-true=COMPILED"]
    extensions: list[Extension] = mypycify([*options, *files], opt_level="3", group_name="mtref_core")
    return extensions


if os.environ.get("MTREF_COMPILE") == "1":
    setup(ext_modules=compiled(), setup_requires=[COMPILER])
else:
    setup()

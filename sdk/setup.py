"""What pyproject.toml cannot say: with ``MTREF_COMPILE=1`` mypyc compiles what carries messages and puts decisions
to a bot.

Without it the SDK is pure Python, installs everywhere and does the same, more slowly. The compiled modules lie beside the
files that they were made from.
"""

from __future__ import annotations

import os
import sys

from setuptools import Extension, setup

CARRIERS = (
    "grpcwire http2/connection http2/frames http2/headers http2/saying incoming messages session varint"
)
COMPILER = "mypy==2.4.*"


def compiled() -> list[Extension]:
    """The extension modules; none while setuptools is only asking what building them needs."""
    try:
        from mypyc.build import mypycify  # noqa: PLC0415 - only there when it was asked for
    except ImportError:
        if "egg_info" in sys.argv:
            return []
        raise
    files = [f"mtref_sdk/{name}.py" for name in CARRIERS.split()]
    alike = ["--no-site-packages", "--ignore-missing-imports"]  # whatever is installed beside it
    options = ["--config-file=", *alike, "--explicit-package-bases", "--always-true=COMPILED"]
    extensions: list[Extension] = mypycify([*options, *files], opt_level="3", group_name="mtref_sdk_core")
    return extensions


if os.environ.get("MTREF_COMPILE") == "1":
    setup(ext_modules=compiled(), setup_requires=[COMPILER])
else:
    setup()

"""Turns mtref.proto into the Python code the SDK ships; with --check only says whether that code is fresh.

Run by `make proto` and `make check`. The generator is pinned (grpcio-tools in the dev extra): newer ones write
code that refuses the older protobuf releases users have.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from grpc_tools import protoc

GENERATOR = "1.66.2"
ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "proto" / "mtref" / "v1"
PACKAGE = "mtref_sdk/_proto"
TARGET = ROOT / "sdk" / PACKAGE
FILES = ("mtref_pb2.py", "mtref_pb2.pyi")


def generate(out: Path) -> None:
    """Writes FILES below `out`/mtref_sdk/_proto. Exits 1 when the generator is not the pinned one or fails."""
    found = version("grpcio-tools")
    if found != GENERATOR:
        sys.exit(f"proto/generate.py needs grpcio-tools {GENERATOR}, found {found}: pip install -e .[dev]")
    # The virtual path puts the file into the import package without any import surgery on the result.
    arguments = ["protoc", f"-I{PACKAGE}={SOURCE}", f"--python_out={out}", f"--pyi_out={out}"]
    if protoc.main([*arguments, f"{PACKAGE}/mtref.proto"]) != 0:
        sys.exit("proto/generate.py: protoc failed")


def stale() -> list[str]:
    """The committed files that differ from what the generator writes now."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = Path(folder) / PACKAGE
        return [
            name
            for name in FILES
            if not (TARGET / name).exists() or (TARGET / name).read_bytes() != (fresh / name).read_bytes()
        ]


def main() -> None:
    """Generates in place, or with --check exits 1 naming the stale files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file is stale")
    if not parser.parse_args().check:
        generate(TARGET.parent.parent)
        return
    names = stale()
    if names:
        sys.exit(f"stale: {', '.join(names)} in sdk/{PACKAGE}; run: python proto/generate.py")


if __name__ == "__main__":
    main()

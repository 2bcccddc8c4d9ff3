"""Turns the proto files into the Python code that is committed; with --check only says whether that code is fresh.

Run by `make proto` and `make check`. The generator is pinned (grpcio-tools in the dev extra): newer ones write
code that refuses the older protobuf releases users have.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from grpc_tools import protoc

GENERATOR = "1.66.2"
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Target:
    """A proto file without its ending, the folder it is in, and the import package its code goes to, below `top`."""

    name: str
    source: Path
    top: Path
    package: str

    @property
    def files(self) -> tuple[str, ...]:
        """What the generator writes, relative to ``top``."""
        return tuple(f"{self.package}/{self.name}_pb2.{ending}" for ending in ("py", "pyi"))


TARGETS = (
    Target("mtref", ROOT / "proto" / "mtref" / "v1", ROOT / "sdk", "mtref_sdk/_proto"),
    Target("ladder", ROOT / "proto" / "mtref" / "ladder" / "v1", ROOT / "referee", "mtref/portal/_proto"),
)


def generate(target: Target, out: Path) -> None:
    """Writes the target's files below `out`. Exits 1 when the generator is not the pinned one or fails."""
    found = version("grpcio-tools")
    if found != GENERATOR:
        sys.exit(f"proto/generate.py needs grpcio-tools {GENERATOR}, found {found}: pip install -e .[dev]")
    # The virtual path puts the file into the import package without any import surgery on the result.
    arguments = ["protoc", f"-I{target.package}={target.source}", f"--python_out={out}", f"--pyi_out={out}"]
    if protoc.main([*arguments, f"{target.package}/{target.name}.proto"]) != 0:
        sys.exit("proto/generate.py: protoc failed")


def stale(target: Target) -> list[str]:
    """The committed files that differ from what the generator writes now."""
    with tempfile.TemporaryDirectory() as folder:
        generate(target, Path(folder))
        pairs = [(target.top / name, Path(folder) / name) for name in target.files]
        return [
            str(kept.relative_to(ROOT))
            for kept, fresh in pairs
            if not kept.exists() or kept.read_bytes() != fresh.read_bytes()
        ]


def main() -> None:
    """Generates in place, or with --check exits 1 naming the stale files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file is stale")
    if not parser.parse_args().check:
        for target in TARGETS:
            generate(target, target.top)
        return
    names = [name for target in TARGETS for name in stale(target)]
    if names:
        sys.exit(f"stale: {', '.join(names)}; run: python proto/generate.py")


if __name__ == "__main__":
    main()

"""``python -m mtref.bench``: measures the parts that are asked for, or all, and prints a table or more for each."""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from importlib.metadata import version
from typing import Any, Final

import click

from mtref.bench.measure import Table
from mtref.sim import COMPILED

__all__ = ["main"]

PARTS: Final = ("counts", "table", "ladder", "start", "scale", "logs", "journal", "driver")
"""The modules of this package that have a `measure`."""


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(PARTS), metavar="[PART]...")
@click.option("--quick", is_flag=True, help="Fewer passes and smaller matches: to see that it works.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(parts: tuple[str, ...], *, quick: bool, as_json: bool) -> None:
    """Measure what a decision costs from end to end.

    The parts are counts, table, ladder, start, scale, logs, journal and driver; without any, all. Every figure is a median with the lowest and
    the highest pass, and stands beside its ratio to a floor that was measured in turn with it. With MTREF_REQUIRE_COMPILED=1 nothing but a
    compiled core is measured. docs/performance.md tells more.
    """
    if os.environ.get("MTREF_REQUIRE_COMPILED") == "1" and not COMPILED:
        sys.exit("mtref.bench: the core is not compiled, and MTREF_REQUIRE_COMPILED=1 asks for it")
    told: dict[str, Any] = {"machine": _machine(), "parts": {}}
    if not as_json:
        click.echo(told["machine"])
    for part in parts or PARTS:
        tables: list[Table] = importlib.import_module(f"mtref.bench.{part}").measure(quick=quick)
        told["parts"][part] = [table.to_mapping() for table in tables]
        if not as_json:
            click.echo("".join(f"\n{table.text()}\n" for table in tables), nl=False)
    if as_json:
        click.echo(json.dumps(told))


def _machine() -> str:
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    libraries = ", ".join(f"{name} {version(name)}" for name in ("grpcio", "protobuf"))
    core = "compiled" if COMPILED else "pure Python"
    return f"core: {core}, {cores} cores, load {load:.1f}, {platform.system()} {platform.release()}, Python {platform.python_version()}, {libraries}"


if __name__ == "__main__":
    main()

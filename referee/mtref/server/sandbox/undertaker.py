"""Clears away after this process even if it is killed: folders, cgroups and the processes in them. For the moments without a launcher."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

__all__ = ["clearing_away"]

_SCRIPT: Final = """
while IFS= read -r group; do set -- "$@" "$group"; done
folder=$1; shift
for group; do
    tries=0
    while [ -d "$group" ] && [ $tries -lt 500 ]; do
        while read -r pid; do kill -9 "$pid"; done < "$group/cgroup.procs"
        rmdir "$group" || sleep 0.01
        tries=$((tries + 1))
    done
done
rm -rf "$folder"
"""
"""A shell starts in a millisecond. It waits for its input to end, which it does when we close it or die."""


@contextlib.contextmanager
def clearing_away(folder: Path) -> Iterator[Callable[[Iterable[str]], None]]:
    """In this block `folder` and what the yielded function is told of (folders of cgroups) go with this process.

    After the block both are gone, too.
    """
    with subprocess.Popen(
        ["/bin/sh", "-c", _SCRIPT, "sh", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    ) as shell:
        assert shell.stdin is not None
        stdin = shell.stdin

        def add(groups: Iterable[str]) -> None:
            stdin.writelines(f"{group}\n" for group in groups)
            stdin.flush()

        yield add

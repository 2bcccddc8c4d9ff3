"""Clears away after this process even if it is killed: folders, cgroups and the processes in them. For the moments without a launcher."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterable, Iterator
from typing import Final

__all__ = ["clearing_away"]

_SCRIPT: Final = """
while IFS= read -r folder; do set -- "$@" "$folder"; done
for folder; do
    tries=0
    while [ -d "$folder" ] && [ $tries -lt 500 ]; do
        if [ -e "$folder/cgroup.procs" ]; then
            while read -r pid; do kill -9 "$pid"; done < "$folder/cgroup.procs"
            rmdir "$folder" || sleep 0.01
        else
            rm -rf "$folder"
        fi
        tries=$((tries + 1))
    done
done
"""
"""A shell starts in a millisecond. It waits for its input to end, which it does when we close it or die."""


@contextlib.contextmanager
def clearing_away() -> Iterator[Callable[[Iterable[str]], None]]:
    """Whatever the yielded function is told of in this block, folders that need not exist yet, is gone after it or after this process."""
    with subprocess.Popen(
        ["/bin/sh", "-c", _SCRIPT],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    ) as shell:
        assert shell.stdin is not None
        stdin = shell.stdin

        def add(folders: Iterable[str]) -> None:
            stdin.writelines(f"{folder}\n" for folder in folders if "\n" not in folder)  # it reads lines
            stdin.flush()

        yield add

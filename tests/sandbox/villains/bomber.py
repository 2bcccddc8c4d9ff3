"""A bot that takes as much as it gets of one thing, up to a bound that no machine minds. Prints how much it got."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import tempfile
from pathlib import Path

MIB = 1 << 20
CHILDREN = 300
MEMORY = 400
DISK = 96


def say(amount: int) -> None:
    sys.stdout.write(f"{amount}\n")
    sys.stdout.flush()


def forks() -> None:
    """Processes: how many children at once, up to 300."""
    children: list[int] = []
    try:
        while len(children) < CHILDREN:
            pid = os.fork()
            if not pid:
                signal.pause()
                os._exit(0)
            children.append(pid)
    except OSError:
        pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    say(len(children))


def take(megabytes: int) -> int:
    """Memory in this process, in MiB, in steps of 8."""
    blocks: list[bytes] = []
    try:
        while len(blocks) * 8 < megabytes:
            blocks.append(b"\1" * (8 * MIB))
    except MemoryError:
        pass
    return len(blocks) * 8


def memory() -> None:
    """MiB in one process, up to 400. A process that is killed says nothing."""
    say(take(MEMORY))


def families() -> None:
    """MiB in four processes together, up to 400; each keeps its own until all have theirs, or have been killed."""
    read, write = os.pipe()
    wait, go = os.pipe()
    for _ in range(4):
        if not os.fork():
            os.close(go)
            os.write(write, b"%d\n" % take(MEMORY // 4))
            os.close(write)
            os.read(wait, 1)
            os._exit(0)
    os.close(write)
    with open(read, "rb") as results:
        together = sum(map(int, results))
    os.close(go)
    for _ in range(4):
        os.wait()
    say(together)


def fill(folder: str) -> int:
    """MiB of files of 4 MiB in a folder that others may fill as well."""
    files: list[Path] = []
    try:
        while len(files) * 4 < DISK:
            files.append(Path(folder, f"fill-{secrets.token_hex(8)}"))
            files[-1].write_bytes(b"\1" * (4 * MIB))
    except OSError:
        files.pop().unlink(missing_ok=True)
    for path in files:
        path.unlink()
    return len(files) * 4


def disk() -> None:
    """MiB of files of 4 MiB where temporary files go, up to 96."""
    say(fill(tempfile.gettempdir()))


def shared() -> None:
    """MiB of files of 4 MiB in /dev/shm, up to 96."""
    say(fill("/dev/shm"))


def big_file() -> None:
    """MiB in one file, up to 96."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    with tempfile.TemporaryFile(buffering=0) as file:
        try:
            while written < DISK:
                written += file.write(b"\1" * MIB) // MIB
        except OSError:
            pass
    say(written)


def descriptors() -> None:
    """Open files, up to 2000."""
    files: list[int] = []
    try:
        while len(files) < 2000:
            files.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    say(len(files))


if __name__ == "__main__":
    {work.__name__: work for work in (forks, memory, families, disk, shared, big_file, descriptors)}[
        sys.argv[1]
    ]()

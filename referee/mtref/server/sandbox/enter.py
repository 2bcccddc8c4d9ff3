"""The first program of a sandboxed bot: makes itself as small as it was ordered to and becomes the next program.

Run as a script, ``python -I -S enter.py``, with its orders in the environment variable MTREF_ORDERS, as `written` writes
them. It starts for every bot, so it imports little: reading JSON would take longer than all it does. On failure it prints
one line and exits with 126. The orders, all but the last three optional:

    join      files of cgroups to write 0 to, in order to join them
    covers    [[folder, [[path, writable], ...]], ...]: cover each folder with an empty, open one in which only these
              paths below it exist (in private mounts: nobody else sees it)
    limits    {"NPROC": n, ...}: resource limits; TASKS_LEFT: NPROC is this much above what the user has running now
    user      the user and group id to run as, without further groups
    powerless true: stay root, but without capabilities
    landlock  {"read": [path, ...], "list": [...], "write": [...], "version": n}
    filter    a seccomp filter, to be loaded here
    files     {name: content}: each becomes an open, nameless file, and {name} in argv its descriptor
    folders   to be made before the start when they do not exist
    cwd       where to run
    env       the whole environment of the next program
    argv      the next program and its arguments
"""

from __future__ import annotations

import binascii
import marshal
import os
import resource
import sys

TYPE_CHECKING = False  # typing takes longer to import than all that is done here
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

sys.path.append(os.path.abspath(__file__ + "/../../../.."))

from mtref.server.sandbox import kernel  # noqa: E402 - started without the folders of packages

FAILED = 126


def written(orders: dict[str, Any]) -> dict[str, str]:
    """The environment that hands over these orders to this script, run by the same interpreter."""
    return {"MTREF_ORDERS": binascii.b2a_base64(marshal.dumps(orders), newline=False).decode("ascii")}


def read(environment: Mapping[str, str]) -> dict[str, Any]:
    """The orders that `written` wrote. Raises KeyError, ValueError, EOFError or TypeError when there are none."""
    text = environment["MTREF_ORDERS"]
    orders: dict[str, Any] = marshal.loads(binascii.a2b_base64(text))  # noqa: S302 - from our own parent, who runs us
    return orders


def join(members: list[str]) -> None:
    """Move this process into cgroups."""
    for path in members:
        with open(path, "w", encoding="ascii") as file:
            file.write("0")


def cover(covers: list[tuple[str, list[tuple[str, bool]]]]) -> None:
    """Make paths below closed folders reachable, and nothing else of those folders."""
    try:
        kernel.private_mounts()
    except OSError as error:
        closed = " and ".join(folder for folder, _ in covers)
        raise OSError(
            error.errno, f"a bot's user cannot enter it, and mounts: {error.strerror}", closed
        ) from error
    for folder, paths in covers:
        kept = [(path, writable, os.open(path, os.O_PATH)) for path, writable in paths]
        kernel.mount_tmpfs(folder)
        for path, writable, source in kept:
            if os.path.isdir(f"/proc/self/fd/{source}"):
                os.makedirs(path, 0o755, exist_ok=True)
            else:
                os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
            kernel.bind(source, path, read_only=not writable)
            os.close(source)


def go_first() -> None:
    """When the machine runs out of memory, bots are ended first."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass  # some containers do not allow it; the limits hold all the same


def limit(limits: dict[str, int]) -> None:
    """Set resource limits, none above what is allowed already."""
    left = limits.pop("TASKS_LEFT", None)
    if left is not None:
        limits["NPROC"] = tasks_of(os.getuid()) + left
    for name, value in limits.items():
        number = getattr(resource, f"RLIMIT_{name}")
        highest = resource.getrlimit(number)[1]
        allowed = value if highest == resource.RLIM_INFINITY else min(value, highest)
        resource.setrlimit(number, (allowed, allowed))


def tasks_of(user: int) -> int:
    """How many tasks (processes and their threads) a user has; what NPROC is compared with."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            pass  # it has ended meanwhile
    return count


def become(user: int, parent: int) -> None:
    """Be another user for good, who belongs to no other group; the kernel forgets the death signal, so ask again."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    kernel.die_with_parent(parent)
    kernel.own_proc_files()


def open_files(files: dict[str, bytes]) -> dict[str, str]:
    """Nameless files with these contents; their descriptors stay open in the next program."""
    descriptors = {}
    for name, content in files.items():
        descriptor = os.memfd_create(name, 0)
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        descriptors["{" + name + "}"] = str(descriptor)
    return descriptors


def shrink(orders: dict[str, Any], parent: int) -> list[str]:
    """Follow the orders up to the point where the next program is to be run, and return its arguments."""
    os.umask(0o022)
    join(orders.get("join", []))
    if orders.get("covers"):
        cover(orders["covers"])
    for folder in orders.get("folders", []):
        os.makedirs(folder, 0o755, exist_ok=True)
    go_first()
    descriptors = open_files(orders.get("files", {}))
    argv = [descriptors.get(word, word) for word in orders["argv"]]
    os.chdir(orders["cwd"])
    limit(orders.get("limits", {}))
    if orders.get("user") is not None:
        become(orders["user"], parent)
    elif orders.get("powerless"):
        kernel.give_up_capabilities()
    os.umask(0o077)
    kernel.no_new_privileges()
    if "landlock" in orders:
        files = orders["landlock"]
        kernel.restrict_files(files["read"], files["list"], files["write"], files["version"])
    if "filter" in orders:
        kernel.apply_filter(orders["filter"])
    return argv


def complaint(error: OSError) -> str:
    """The line that says why orders could not be followed."""
    what = f"{error.filename}: " if error.filename else ""
    return f"mtref sandbox: {what}{error.strerror}\n"


if __name__ == "__main__":
    try:
        given = read(os.environ)
        words = shrink(given, os.getppid())
        os.execve(words[0], words, given["env"])
    except OSError as error:
        sys.stderr.write(complaint(error))
    except (KeyError, ValueError, EOFError, TypeError) as error:
        sys.stderr.write(f"mtref sandbox: orders that cannot be followed: {error!r}\n")
    sys.exit(FAILED)

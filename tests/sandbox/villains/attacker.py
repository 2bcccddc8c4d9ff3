"""A bot that tries to get at everything that is not its own. Prints one JSON object: for each attempt, whether it came off."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import stat
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PTRACE_ATTACH, PTRACE_DETACH = 16, 17
CLONE_NEWUSER = 0x10000000
IN_OPEN = 0x20
ADD_KEY = {"x86_64": 248, "aarch64": 217}

libc = ctypes.CDLL(None, use_errno=True)
targets: dict[str, Any] = json.loads(os.environ.get("MTREF_TARGETS", "{}"))
rival: int = targets.get("rival", 0)


def check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def reads(path: str) -> bool:
    with open(path, "rb") as file:
        return bool(file.read(1))


def writes(folder: str) -> bool:
    Path(folder, "written").write_text("x", "ascii")
    return True


def environment_of_rival() -> bool:
    return targets["rival_token"].encode() in Path(f"/proc/{rival}/environ").read_bytes()


def memory_file_of_rival() -> bool:
    with open(f"/proc/{rival}/mem", "rb") as file:
        file.seek(targets["address"])
        return bool(file.read(len(targets["secret"])) == targets["secret"].encode())


def memory_of_rival() -> bool:
    size = len(targets["secret"])
    buffer = ctypes.create_string_buffer(size)
    ours = struct.pack("PN", ctypes.addressof(buffer), size)
    theirs = struct.pack("PN", targets["address"], size)
    check(libc.process_vm_readv(rival, ours, ctypes.c_ulong(1), theirs, ctypes.c_ulong(1), ctypes.c_ulong(0)))
    return bool(buffer.raw == targets["secret"].encode())


def ptrace_rival() -> bool:
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    check(libc.ptrace(PTRACE_ATTACH, rival, None, None))
    os.waitpid(rival, 0)
    libc.ptrace(PTRACE_DETACH, rival, None, None)
    return True


def signals(pid: int) -> bool:
    os.kill(pid, signal.SIGURG)  # without effect on who does not ask for it
    return True


def slows_rival() -> bool:
    os.setpriority(os.PRIO_PROCESS, rival, 5)
    return True


def limits_rival() -> bool:
    resource.prlimit(rival, resource.RLIMIT_CORE, resource.prlimit(rival, resource.RLIMIT_CORE))
    return True


def changes_modes() -> bool:
    before = os.stat(__file__).st_mode
    os.chmod(__file__, before ^ stat.S_IXOTH)
    changed = os.stat(__file__).st_mode != before
    os.chmod(__file__, before)
    return changed


def connects(family: int, address: Any) -> bool:
    with socket.socket(family) as caller:
        caller.settimeout(5)
        caller.connect(address)
        return True


def shared_memory() -> bool:
    return check(libc.shmget(targets["shm_key"], 0, 0o666)) >= 0


def file_lock() -> bool:
    """Whether the lock the rival holds on a file we both can read keeps us from locking it."""
    with open(targets["shared"], "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def record_lock() -> bool:
    """Whether we are told of the rival's POSIX lock on a file we both can read."""
    question = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    with open(targets["shared"], "rb") as file:
        answer = fcntl.fcntl(file, fcntl.F_GETLK, question)
    return bool(struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK)


def watches_files() -> bool:
    watcher = check(libc.inotify_init1(0))
    return check(libc.inotify_add_watch(watcher, targets["shared"].encode(), IN_OPEN)) >= 0


def user_namespace() -> bool:
    pid = os.fork()
    if not pid:
        os._exit(0 if libc.unshare(CLONE_NEWUSER) == 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def keyring() -> bool:
    number = ADD_KEY[os.uname().machine]
    own_ring = -2
    return check(libc.syscall(number, b"user", b"mtref", b"x", ctypes.c_size_t(1), own_ring)) > 0


def picks_processors() -> bool:
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


ATTACKS: dict[str, Callable[[], bool]] = {
    "read a rival's files": lambda: reads(targets["rival_file"]),
    "read what is hidden in its own folder": lambda: reads(targets["hidden"]),
    "read the log": lambda: reads(targets["log"]),
    "read the journal": lambda: reads(targets["journal"]),
    "read the seed": lambda: reads(targets["seed"]),
    "read the referee's private files": lambda: reads(targets["private"]),
    "list a rival's folder": lambda: bool(os.listdir(os.path.dirname(targets["rival_file"]))),
    "write to its own folder": lambda: writes(os.path.dirname(__file__)),
    "change the mode of its own files": changes_modes,
    "write where everybody may": lambda: writes(targets["open_folder"]),
    "see a rival's process": lambda: reads(f"/proc/{rival}/cmdline"),
    "read a rival's token": environment_of_rival,
    "read a rival's memory file": memory_file_of_rival,
    "read a rival's memory": memory_of_rival,
    "trace a rival": ptrace_rival,
    "signal a rival": lambda: signals(rival),
    "signal the referee": lambda: signals(targets["referee"]),
    "signal the launcher": lambda: signals(targets["launcher"]),
    "slow a rival down": slows_rival,
    "change a rival's limits": limits_rival,
    "connect to the referee by TCP": lambda: connects(socket.AF_INET, ("127.0.0.1", targets["port"])),
    "connect to a rival by TCP": lambda: connects(socket.AF_INET, ("127.0.0.1", targets["rival_port"])),
    "reach the referee's abstract socket": lambda: connects(socket.AF_UNIX, "\0" + targets["abstract"]),
    "reach a rival's abstract socket": lambda: connects(socket.AF_UNIX, "\0" + targets["rival_abstract"]),
    "connect to another program's unix socket": lambda: connects(socket.AF_UNIX, targets["service"]),
    "connect to a rival's seat": lambda: connects(socket.AF_UNIX, targets["rival_socket"]),
    "find a file of a rival in /tmp": lambda: reads(targets["tmp_file"]),
    "find a file of a rival in /dev/shm": lambda: reads(targets["shm_file"]),
    "share System V memory with a rival": shared_memory,
    "see a rival's lock on a shared file": file_lock,
    "see a rival's POSIX lock on a shared file": record_lock,
    "watch who opens a file": watches_files,
    "make a user namespace": user_namespace,
    "use the kernel's keyring": keyring,
    "choose its processors": picks_processors,
    "see the referee's environment": lambda: "MTREF_TEST_SECRET" in os.environ,
}

if __name__ == "__main__":
    results: dict[str, bool] = {}
    for name, attack in ATTACKS.items():
        try:
            results[name] = attack()
        except OSError:
            results[name] = False
    sys.stdout.write(json.dumps(results) + "\n")
